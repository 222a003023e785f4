import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import { useEffect, useMemo, useState } from "react";
import { asFailure, type Failure } from "../../../errors";
import { createImportBook, type KeptImport } from "../../../workbook/imports/saved/import-book";
import { lossesOf, type Losses } from "../../../workbook/imports/saved/losses";
import { tableGrows } from "../../../workbook/sheet/excel-api";
import type { PaneApp } from "../../pane-app";

/** An import whose place another may take, and what would be lost. */
export interface Replaceable extends Losses {
  kept: KeptImport;
}

export interface ReplaceableImports {
  /** Those that are a whole table, which still stands; none where this Excel can't replace one. */
  imports: readonly KeptImport[];
  /** The one that was chosen, once its table has been looked at. */
  chosen: Replaceable | null;
  failure: Failure | undefined;
  choose(kept: KeptImport | null): void;
}

const none: readonly KeptImport[] = [];

/** The imports of this workbook that may be replaced, read anew whenever they may be chosen. */
export function useReplaceable({ workbook, hasExcelApi }: PaneApp, isOpen: boolean): ReplaceableImports {
  const book = useMemo(() => createImportBook(workbook), [workbook]);
  const [imports, setImports] = useState(none);
  const [chosen, setChosen] = useState<Replaceable | null>(null);
  const [failure, setFailure] = useState<Failure>();
  const isPossible = hasExcelApi(tableGrows);

  useEffect(() => {
    if (!isOpen || !isPossible) return;
    let current = true;
    book.list().then(
      ({ imports: all }) => {
        if (current) setImports(all.filter(({ place, saved }) => place !== null && !saved.listHeader));
      },
      // It is only one way to insert; whoever chooses another needs no word of it.
      () => {},
    );
    return () => {
      current = false;
    };
  }, [book, isPossible, isOpen]);

  return {
    imports,
    chosen,
    failure,
    choose(kept) {
      setFailure(undefined);
      setChosen(null);
      if (!kept) return;
      lossesOf(kept.saved, { workbook, tables: createImportTables(workbook) }).then(
        (losses) => setChosen({ kept, ...losses }),
        (thrown: unknown) => setFailure(asFailure(thrown)),
      );
    },
  };
}
