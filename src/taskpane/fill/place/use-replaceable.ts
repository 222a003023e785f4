import { useCallback, useEffect, useState } from "react";
import type { Failure } from "../../../errors";
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
  /** Imports with a table of their own in the workbook; none if this Excel can't replace a table. */
  imports: readonly KeptImport[];
  /** The chosen import, once its table has been read. */
  chosen: Replaceable | null;
  /** The reason why its table could not be read. */
  failure: Failure | undefined;
  retry(): void;
}

const none: readonly KeptImport[] = [];

/** The imports of this workbook that may be replaced, read anew whenever one may be chosen, and what is lost with the chosen one. */
export function useReplaceable(
  { workbook, hasExcelApi }: PaneApp,
  isOpen: boolean,
  kept: KeptImport | null,
): ReplaceableImports {
  const [imports, setImports] = useState(none);
  const isPossible = hasExcelApi(tableGrows);

  useEffect(() => {
    if (!isOpen || !isPossible) return;
    let current = true;
    import("../../../workbook/imports/saved/import-book")
      .then(({ createImportBook }) => createImportBook(workbook).list())
      .then(
        ({ imports: all }) => {
          if (current) setImports(all.filter(({ place, saved }) => place !== null && !saved.listHeader));
        },
        // A failure is not shown, because replacing is only one way to insert, and the others still work.
        () => {},
      );
    return () => {
      current = false;
    };
  }, [workbook, isPossible, isOpen]);

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
  return { imports, chosen, failure, retry };
}
