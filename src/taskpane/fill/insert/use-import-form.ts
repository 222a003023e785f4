import { useEffect, useState, useSyncExternalStore } from "react";
import type { PaneApp } from "../../pane-app";
import { asImportForm, type ImportForm } from "./import-form";

/** How an import is to look: as the user's defaults say, until something else is chosen for it. */
export function useImportForm({ importDefaults, workbook }: PaneApp) {
  const defaults = useSyncExternalStore(importDefaults.onChange, importDefaults.current);
  const [chosen, setChosen] = useState<ImportForm>();
  useEffect(() => {
    // Without them an import begins plain.
    importDefaults.read().catch(() => undefined);
  }, [importDefaults]);
  return [chosen ?? asImportForm(defaults, workbook.hasNotes()), setChosen] as const;
}
