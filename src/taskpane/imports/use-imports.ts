import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Session } from "../../app";
import { asFailure, Failure } from "../../errors";
import { createImportBook, type ImportList, type KeptImport } from "../../imports/import-book";
import { refreshImport, type RefreshReport } from "../../imports/refresh";
import type { ImportProgress } from "../../imports/run-import";
import type { PaneApp } from "../pane-app";

/** An import that is being refreshed, or how that went. */
export type RefreshState =
  | { status: "running"; progress?: ImportProgress | undefined; waitingUntilMs?: number | undefined }
  | { status: "done"; report: RefreshReport }
  | { status: "failed"; failure: Failure };

export interface Imports {
  list: ImportList | undefined;
  failure: Failure | undefined;
  /** By the id of the import. */
  refreshes: ReadonlyMap<string, RefreshState>;
  isRefreshing: boolean;
  reload(): void;
  refresh(imports: readonly KeptImport[]): void;
  /** Those whose tables are in the workbook now. */
  refreshPresent(onNone: () => void): void;
  cancel(): void;
  rename(kept: KeptImport, name: string): void;
  forget(kept: KeptImport): void;
  goTo(kept: KeptImport, cell?: { row: number; column: number }): void;
}

/** The imports of this workbook, read anew whenever they are shown. */
export function useImports(app: PaneApp, session: Session, isShown: boolean): Imports {
  const { workbook } = app;
  const book = useMemo(() => createImportBook(workbook), [workbook]);
  const [list, setList] = useState<ImportList>();
  const [failure, setFailure] = useState<Failure>();
  const [refreshes, setRefreshes] = useState<ReadonlyMap<string, RefreshState>>(new Map());
  const running = useRef<AbortController | null>(null);
  const [isRefreshing, setIsRefreshing] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const act = useCallback((work: () => Promise<unknown>) => {
    setFailure(undefined);
    work().catch((thrown: unknown) => setFailure(asFailure(thrown, "sheet-refused")));
  }, []);
  const reload = useCallback(() => act(async () => setList(await book.list())), [act, book]);
  useEffect(() => {
    if (isShown) reload();
  }, [isShown, reload]);

  async function refreshOne({ saved, partId }: KeptImport, signal: AbortSignal) {
    const note = (state: RefreshState) => setRefreshes((before) => new Map([...before, [saved.id, state]]));
    let progress: ImportProgress | undefined;
    note({ status: "running" });
    try {
      if (saved.service !== session.credentials.baseUrl) {
        const detail = `It came from ${saved.service}.`;
        throw new Failure("other-service", { detail });
      }
      const { run, report } = await refreshImport(
        saved,
        { workbook, client: session.client, lookup: session.lookup, documents: session.documents },
        {
          signal,
          onWait: (waitingUntilMs) => note({ status: "running", progress, waitingUntilMs }),
          onProgress(next) {
            progress = next;
            note({ status: "running", progress });
          },
        },
      );
      await book.write({ ...saved, lastRun: run }, partId);
      note({ status: "done", report });
    } catch (thrown) {
      note({ status: "failed", failure: asFailure(thrown, "unexpected-answer") });
    }
  }

  async function refreshAll(imports: readonly KeptImport[]) {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setIsRefreshing(true);
    for (const kept of imports) if (!controller.signal.aborted) await refreshOne(kept, controller.signal);
    running.current = null;
    setIsRefreshing(false);
    reload();
  }

  return {
    list,
    failure,
    refreshes,
    isRefreshing,
    reload,
    refresh: (imports) => void refreshAll(imports),
    refreshPresent: (onNone) =>
      act(async () => {
        const now = await book.list();
        setList(now);
        const present = now.imports.filter(({ place }) => place !== null);
        if (present.length > 0) await refreshAll(present);
        else onNone();
      }),
    cancel: () => running.current?.abort(),
    rename: ({ saved, partId }, name) =>
      act(async () => {
        await book.write({ ...saved, name }, partId);
        setList(await book.list());
      }),
    forget: ({ partId }) =>
      act(async () => {
        await book.forget(partId);
        setList(await book.list());
      }),
    goTo: ({ saved }, cell) => act(() => workbook.goTo(saved.tableId, cell)),
  };
}
