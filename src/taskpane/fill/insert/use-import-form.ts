import { useEffect, useState, useSyncExternalStore } from "react";
import type { PaneApp } from "../../pane-app";
import { asImportForm, type ImportForm } from "./import-form";

/** The form of an import: the user's defaults, until the user chooses another one for it. */
export function useImportForm({ importDefaults, workbook }: PaneApp) {
  const defaults = useSyncExternalStore(importDefaults.onChange, importDefaults.current);
  const [chosen, setChosen] = useState<ImportForm>();
  useEffect(() => {
    // If the defaults can't be read, an import begins with the plain form.
    importDefaults.read().catch(() => undefined);
  }, [importDefaults]);
  return [chosen ?? asImportForm(defaults, workbook.hasNotes()), setChosen] as const;
}
