import { useCallback, useEffect, useState } from "react";
import { asFailure, type Failure } from "../../errors";
import { createImportBook } from "../../workbook/imports/saved/import-book";
import { showSheet } from "../../workbook/sheet/tables/left-copies";
import type { TakenBack } from "../../workbook/unfinished/take-back";
import type { KeptUnfinished, UnfinishedList } from "../../workbook/unfinished/unfinished-book";
import type { UnfinishedWork } from "../../workbook/unfinished/unfinished-work";
import { createLatest } from "../latest";
import type { PaneApp } from "../pane-app";
import { asSheetWork } from "../sheet-work";

type UnfinishedImport = KeptUnfinished<UnfinishedWork & { kind: "import" }>;

/** The interrupted work of this workbook, read anew whenever another screen is shown. */
export function useUnfinished(app: PaneApp, screen: string) {
  const { workbook, unfinished } = app;
  const [list, setList] = useState<UnfinishedList>({ works: [], unreadable: [] });
  const [failure, setFailure] = useState<Failure>();
  const [takenBack, setTakenBack] = useState<TakenBack>();
  const [isCopyGone, setIsCopyGone] = useState(false);
  const act = useCallback((work: () => Promise<unknown>) => {
    setFailure(undefined);
    work().catch((thrown: unknown) => setFailure(asFailure(thrown)));
  }, []);

  useEffect(() => {
    const begin = createLatest();
    // If Excel can't be asked now, the next screen asks again.
    const read = () => {
      const isLatest = begin();
      unfinished.list().then(
        (next) => {
          if (isLatest()) setList(next);
        },
        () => undefined,
      );
    };
    read();
    const stop = unfinished.onChange(read);
    return () => {
      // The reading that is under way is dropped.
      begin();
      stop();
    };
  }, [unfinished, screen]);

  return {
    list,
    failure,
    takenBack,
    isCopyGone,
    read: () => setTakenBack(undefined),
    leave: (partId: string) => act(() => unfinished.forget(partId)),
    showCopy: (sheetName: string) =>
      act(async () => setIsCopyGone(!(await workbook.run((context) => showSheet(context, sheetName))))),
    takeBack: ({ work, partId }: UnfinishedImport) =>
      act(() =>
        asSheetWork("imports", "An import is being taken back.", async () => {
          const { takeBackImport } = await import("../../workbook/unfinished/take-back");
          const taken = await workbook.run((context) => takeBackImport(context, work));
          // A missing copy means that the import was written to its end, so it stays in the list of imports.
          if (taken.withoutCopy.length === 0) await createImportBook(workbook).forget(work.importId);
          await unfinished.forget(partId);
          setTakenBack(taken);
        }),
      ),
  };
}
