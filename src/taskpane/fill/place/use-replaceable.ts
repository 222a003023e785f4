import { useEffect, useState } from "react";
import { asFailure, type Failure } from "../../../errors";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import type { Losses } from "../../../workbook/imports/saved/losses";
import { tableGrows } from "../../../workbook/sheet/excel-api";
import type { PaneApp } from "../../pane-app";

/** An import that another may replace, and what would be lost. */
export interface Replaceable extends Losses {
  kept: KeptImport;
}

export interface ReplaceableImports {
  /** Imports with a table of their own in the workbook; none if this Excel can't replace a table. */
  imports: readonly KeptImport[];
  /** The chosen import, once its table has been looked at. */
  chosen: Replaceable | null;
  failure: Failure | undefined;
  choose(kept: KeptImport | null): void;
}

const none: readonly KeptImport[] = [];

/** The imports of this workbook that may be replaced, read anew whenever they may be chosen. */
export function useReplaceable({ workbook, hasExcelApi }: PaneApp, isOpen: boolean): ReplaceableImports {
  const [imports, setImports] = useState(none);
  const [chosen, setChosen] = useState<Replaceable | null>(null);
  const [failure, setFailure] = useState<Failure>();
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

  return {
    imports,
    chosen,
    failure,
    choose(kept) {
      setFailure(undefined);
      setChosen(null);
      if (!kept) return;
      const losses = Promise.all([
        import("../../../workbook/imports/saved/losses"),
        import("../../../workbook/sheet/tables/table-changes"),
      ]).then(([{ lossesOf }, { createImportTables }]) =>
        lossesOf(kept.saved, { workbook, tables: createImportTables(workbook) }),
      );
      losses.then(
        (found) => setChosen({ kept, ...found }),
        (thrown: unknown) => setFailure(asFailure(thrown)),
      );
    },
  };
}
