import { useCallback, useEffect, useMemo, useState } from "react";
import type { Failure } from "../../../errors";
import { canChange } from "../../../workbook/imports/saved/change-import";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { Losses } from "../../../workbook/imports/saved/losses";
import { tableGrows } from "../../../workbook/sheet/excel-api";
import type { PaneApp } from "../../pane-app";
import { useLoad } from "../../ui/loading/use-load";

/** An import that another may replace, and what would be lost. */
export interface Replaceable extends Losses {
  kept: KeptImport;
}

export interface ReplaceableImports {
  /** All imports whose tables are in the workbook. */
  all: readonly KeptImport[];
  /** Imports with a table of their own in the workbook; none if this Excel can't replace a table. */
  imports: readonly KeptImport[];
  /** Imports that can get more questions, beside lists and of their own. */
  growing: readonly KeptImport[];
  /** The chosen import, once its table has been read. */
  chosen: Replaceable | null;
  /** The reason why its table could not be read. */
  failure: Failure | undefined;
  retry(): void;
  /** Reads the imports anew, because one of them was changed. */
  reload(): void;
}

const none: readonly KeptImport[] = [];

/** The imports of this workbook that may be replaced or get more questions, read anew whenever one may be chosen, and what is lost with the chosen one. */
export function useReplaceable(
  { workbook, hasExcelApi }: PaneApp,
  isOpen: boolean,
  kept: KeptImport | null,
): ReplaceableImports {
  const [present, setPresent] = useState(none);
  const [readings, setReadings] = useState(0);
  const reload = useCallback(() => setReadings((before) => before + 1), []);
  const isPossible = hasExcelApi(tableGrows);
  const imports = useMemo(
    () => (isPossible ? present.filter(({ saved }) => !saved.listHeader) : none),
    [present, isPossible],
  );
  const growing = useMemo(() => present.filter(({ saved }) => canChange(saved)), [present]);

  useEffect(() => {
    if (!isOpen) return;
    let current = true;
    import("../../../workbook/imports/saved/import-book")
      .then(({ createImportBook }) => createImportBook(workbook).list())
      .then(
        ({ imports: all }) => {
          if (current) setPresent(all.filter(({ place }) => place !== null));
        },
        // A failure is not shown, because replacing is only one way to insert, and the others still work.
        () => {},
      );
    return () => {
      current = false;
    };
  }, [workbook, isOpen, readings]);

  const read = useCallback(async (): Promise<Replaceable | null> => {
    if (!kept) return null;
    const [{ lossesOf }, { createImportTables }] = await Promise.all([
      import("../../../workbook/imports/saved/losses"),
      import("../../../workbook/sheet/tables/table-changes"),
    ]);
    return { kept, ...(await lossesOf(kept.saved, { workbook, tables: createImportTables(workbook) })) };
  }, [kept, workbook]);
  const { value, failure, retry } = useLoad(read);
  // Just after another choice, the value is still that of the import that was chosen before.
  const chosen = value && value.kept === kept ? value : null;
  return { all: present, imports, growing, chosen, failure, retry, reload };
}
