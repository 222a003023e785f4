import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { finishInTurns } from "../../async/in-turns";
import type { Session } from "../../app";
import { asFailure, Failure } from "../../errors";
import { type ImportChange, rebased } from "../../workbook/imports/saved/change-import";
import type { EditedCell } from "../../workbook/imports/refresh/compare-answers";
import { createDigestBook } from "../../workbook/imports/saved/digest-book";
import { createRefreshHistory, type PastRefresh } from "../../workbook/imports/saved/refresh-history";
import {
  adopted,
  createImportBook,
  findCopies,
  type ImportCopy as Copy,
  type ImportList,
  type KeptImport,
  type RefusedPart,
} from "../../workbook/imports/saved/import-book";
import type { RefreshReport } from "../../workbook/imports/refresh/plan-refresh";
import type { RefreshOptions } from "../../workbook/imports/refresh/refresh";
import type { ImportProgress } from "../../workbook/imports/run/run-import";
import type { ImportSummary } from "../../workbook/imports/refresh/summary";
import type { ColumnType } from "../../workbook/sheet/layout/table-plan";
import type { TableCell } from "../../workbook/sheet/tables/bound-table";
import type { LeftCopy } from "../../workbook/sheet/tables/left-copies";
import type { KeptUnfinished } from "../../workbook/unfinished/unfinished-book";
import { copyNames, type Work } from "../../workbook/unfinished/unfinished-work";
import { plural, serviceDetail } from "../ui/labels";
import { type CellToMark, createImportTables, type Marks } from "../../workbook/sheet/tables/table-changes";
import { followSelection } from "../cell/follow-selection";
import type { PaneApp } from "../pane-app";
import { asSheetWork, useIsRunning } from "../sheet-work";
import { createSignature, signatureOf } from "../../settings/signature";

const refreshWork = () => import("./refresh-work");

/** An import that is being refreshed, or how that went. */
export type RefreshState =
  | { status: "running"; progress?: ImportProgress | undefined; waitingUntilMs?: number | undefined }
  | { status: "done"; report: RefreshReport }
  | { status: "failed"; failure: Failure };

export interface Imports {
  list: ImportList | undefined;
  copies: readonly Copy[];
  /** Hidden sheets with copies of cells, which an earlier or interrupted run has left in the workbook. */
  leftCopies: readonly LeftCopy[];
  showLeftCopy(copy: LeftCopy): void;
  deleteLeftCopies(): Promise<void>;
  failure: Failure | undefined;
  /** By the id of the import. */
  refreshes: ReadonlyMap<string, RefreshState>;
  /** They are being refreshed, or the workbook is being prepared to be shared. */
  isBusy: boolean;
  /** What was refreshed has formulas wait for the user, for the workbook calculates only when asked. */
  isManual: boolean;
  /** Those that came from another service than the one that is connected, and were to be refreshed: the user decides. */
  otherService: readonly KeptImport[];
  /** Refreshes them from the one that is connected all the same. */
  refreshOthers(): void;
  leaveOthers(): void;
  reload(): void;
  refresh(imports: readonly KeptImport[]): void;
  /** Says whether it went well. */
  change(kept: KeptImport, change: ImportChange): Promise<boolean>;
  /** Does an interrupted refresh or change again. */
  finish(unfinished: KeptUnfinished<Work & { kind: "refresh" | "change" }>): void;
  /** Those whose tables are in the workbook now. */
  refreshPresent(): void;
  cancel(): void;
  rename(kept: KeptImport, name: string): void;
  forget(kept: KeptImport): void;
  /** Takes away what can't be read as an import. */
  forgetRefused(part: RefusedPart): void;
  /** Makes a copied table an import of its own. */
  keepCopy(copy: Copy): void;
  goTo(tableId: string): void;
  goToCell(kept: KeptImport, report: RefreshReport, cell: TableCell): void;
  /** The imports whose cells are marked, by id. */
  marked: ReadonlySet<string>;
  mark(kept: KeptImport, report: RefreshReport): void;
  unmark(kept: KeptImport): void;
  exportChanges(kept: KeptImport, report: RefreshReport): void;
  /** Where the cells stand that somebody has edited. */
  editedAddresses(kept: KeptImport, report: RefreshReport): Promise<(string | undefined)[]>;
  /** Has them show what the service said. */
  takeServiceValues(kept: KeptImport, report: RefreshReport, cells: readonly EditedCell[]): void;
  /** The newest first. */
  history(kept: KeptImport): Promise<PastRefresh[]>;
  clearHistory(kept: KeptImport): Promise<void>;
  summary(kept: KeptImport): Promise<ImportSummary>;
  /** Shows the cell with an answer, wherever it stands now. */
  goToAnswer(kept: KeptImport, summary: ImportSummary, question: ColumnType, ahjId: number): void;
  /** Tells whose row is selected, now and whenever that changes; null for none of this table. Returns how to stop. */
  followRow(kept: KeptImport, tell: (ahjId: number | null) => void): () => void;
}

/**
 * The imports of this workbook, read anew whenever they are shown. What concerns their cards is a transition: hundreds are
 * drawn a few at a time, while Excel and the user go on; and none of it is urgent, for that would begin the drawing again.
 */
export function useImports(app: PaneApp, session: Session, isShown: boolean): Imports {
  const { workbook } = app;
  const book = useMemo(() => createImportBook(workbook), [workbook]);
  const digests = useMemo(() => createDigestBook(workbook), [workbook]);
  const history = useMemo(() => createRefreshHistory(workbook), [workbook]);
  const tables = useMemo(() => createImportTables(workbook), [workbook]);
  const service = session.credentials.baseUrl;
  const isOther = ({ saved }: Pick<KeptImport, "saved">) => saved.service !== service;
  const [list, setList] = useState<ImportList>();
  const [copies, setCopies] = useState<readonly Copy[]>([]);
  const [leftCopies, setLeftCopies] = useState<readonly LeftCopy[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [refreshes, setRefreshes] = useState<ReadonlyMap<string, RefreshState>>(new Map());
  const [marks, setMarks] = useState<ReadonlyMap<string, Marks>>(new Map());
  const [isManual, setIsManual] = useState(false);
  const [otherService, setOtherService] = useState<readonly KeptImport[]>([]);
  /** Tables that are being made imports of their own. */
  const adopting = useRef(new Set<string>());
  const running = useRef<AbortController | null>(null);
  const [isRefreshing, setIsRefreshing] = useState(false);
  const isBusy = useIsRunning("share") || isRefreshing;
  useEffect(() => () => running.current?.abort(), []);

  const act = useCallback((work: () => Promise<unknown>) => {
    setFailure(undefined);
    work().catch((thrown: unknown) => setFailure(asFailure(thrown)));
  }, []);
  const read = useCallback(async () => {
    const found = await book.list();
    startTransition(() => setList(found));
    const readColumn = async (tableId: string, header: string) =>
      (await tables.read(tableId, [header])).columns.get(header)?.values ?? [];
    const all = found.imports.length > 0 ? await tables.list() : [];
    setCopies(await findCopies(found.imports, all, readColumn));
    // A copy of an interrupted import is offered with that.
    const noted = copyNames((await app.unfinished.list()).works);
    setLeftCopies((await tables.leftCopies()).filter(({ sheetName }) => !noted.has(sheetName)));
    return found.imports;
  }, [app, book, tables]);
  // A sheet may go while it is looked at, such as by Ctrl+Z: the second look finds it gone.
  const reload = useCallback(() => act(() => read().catch(read)), [act, read]);
  useEffect(() => {
    if (isShown) reload();
  }, [isShown, reload]);
  useEffect(() => app.unfinished.onChange(reload), [app, reload]);

  /** Says whether it went well. */
  async function refreshOne(
    { saved }: KeptImport,
    signal: AbortSignal,
    {
      mayDiffer = false,
      ...options
    }: Pick<RefreshOptions, "change" | "begun"> & { mayDiffer?: boolean } = {},
  ) {
    const note = (state: RefreshState) =>
      startTransition(() => setRefreshes((before) => new Map([...before, [saved.id, state]])));
    let progress: ImportProgress | undefined;
    note({ status: "running" });
    try {
      if (isOther({ saved }) && !mayDiffer) {
        const detail = serviceDetail(saved.service);
        throw new Failure("other-service", { detail });
      }
      const { refreshNoted, pastRefresh } = await refreshWork();
      await refreshNoted(
        app.unfinished,
        saved,
        { tables, digests, client: session.client, lookup: session.lookup, documents: session.documents },
        {
          ...options,
          signal,
          onWait: (waitingUntilMs) => note({ status: "running", progress, waitingUntilMs }),
          onProgress(next) {
            progress = next;
            note({ status: "running", progress });
          },
        },
        async ({ saved: after, report }) => {
          note({ status: "done", report });
          const { columns, types } = after;
          const lastRun = { ...after.lastRun, by: await signature().catch(() => undefined) };
          const outcome = { lastRun, service };
          // The sheet is written: should the book not be, the report stands all the same.
          await book
            .update(saved.id, options.change ? { columns, types, ...outcome } : outcome)
            .then((isThere) => (isThere ? history.add(saved.id, pastRefresh(report)) : undefined))
            .catch((thrown: unknown) => setFailure(asFailure(thrown)));
        },
      );
      return true;
    } catch (thrown) {
      note({ status: "failed", failure: asFailure(thrown) });
      return false;
    }
  }

  /** Of a connection that may be named in the workbook. */
  async function signature(): Promise<string | undefined> {
    const mayTell = createSignature(app.storage);
    await Promise.all([mayTell.read(), app.connections.read()]);
    return mayTell.current() ? signatureOf(app.connections.current(), session.credentials) : undefined;
  }

  async function run(work: (signal: AbortSignal) => Promise<unknown>) {
    if (running.current) return;
    const controller = new AbortController();
    running.current = controller;
    setFailure(undefined);
    startTransition(() => setIsRefreshing(true));
    try {
      await asSheetWork("refresh", "Imports are being refreshed.", () => work(controller.signal));
      setIsManual(await tables.isManual());
      await read();
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
    running.current = null;
    startTransition(() => setIsRefreshing(false));
  }

  /** Those of another service wait until the user has decided. */
  const refreshAll = async (imports: readonly KeptImport[], signal: AbortSignal, mayDiffer = false) => {
    setOtherService(mayDiffer ? [] : imports.filter(isOther));
    const allowed = imports.filter((kept) => mayDiffer || !isOther(kept));
    for (const kept of allowed) if (!signal.aborted) await refreshOne(kept, signal, { mayDiffer });
  };
  const forgetMarks = (importId: string) =>
    setMarks((before) => new Map([...before].filter(([id]) => id !== importId)));

  return {
    list,
    copies,
    leftCopies,
    showLeftCopy: ({ sheetId }) =>
      act(async () => {
        await tables.showSheet(sheetId);
        await read();
      }),
    async deleteLeftCopies() {
      await tables.deleteSheets(leftCopies.map(({ sheetId }) => sheetId));
      await read();
    },
    failure,
    refreshes,
    isBusy,
    isManual,
    otherService,
    refreshOthers: () => void run((signal) => refreshAll(otherService, signal, true)),
    leaveOthers: () => setOtherService([]),
    reload,
    refresh: (imports) => void run((signal) => refreshAll(imports, signal)),
    async change(kept, change) {
      let isDone = false;
      await run(async (signal) => {
        // A colleague may have changed it since it was shown.
        const now = (await book.list()).imports.find(({ saved }) => saved.id === kept.saved.id);
        if (!now) throw new Failure("cancelled", { detail: "The import was forgotten meanwhile." });
        isDone = await refreshOne(now, signal, {
          change: rebased(change, kept.saved, now.saved),
        });
      });
      return isDone;
    },
    finish: ({ work, partId }) =>
      void run(async (signal) => {
        const now = (await book.list()).imports.find(({ saved }) => saved.id === work.importId);
        if (!now)
          throw new Failure("table-gone", { detail: "The workbook no longer remembers this import." });
        const { refreshToFinish } = await refreshWork();
        if (await refreshOne(now, signal, refreshToFinish(work, now.saved)))
          await app.unfinished.forget(partId);
      }),
    refreshPresent: () =>
      void run(async (signal) => {
        const present = (await read()).filter(({ place }) => place !== null);
        if (present.length > 0) await refreshAll(present, signal);
      }),
    cancel: () => running.current?.abort(),
    rename: ({ saved }, name) =>
      act(async () => {
        await book.update(saved.id, { name });
        await read();
      }),
    forget: ({ saved, place }) =>
      act(async () => {
        const made = marks.get(saved.id);
        // Nobody else could: only this list knows how the cells were filled. Those of a table that is gone are gone.
        const left = made && place ? await tables.unmark(saved.tableId, made) : 0;
        forgetMarks(saved.id);
        await book.forget(saved.id);
        await read();
        mustHaveFoundAll(left);
      }),
    forgetRefused: ({ partId }) =>
      act(async () => {
        await book.forgetRefused(partId);
        await read();
      }),
    keepCopy: ({ of, table }) =>
      act(async () => {
        if (adopting.current.has(table.tableId)) return;
        adopting.current.add(table.tableId);
        try {
          await book.write(adopted(of, table));
          await read();
        } finally {
          adopting.current.delete(table.tableId);
        }
      }),
    goTo: (tableId) => act(() => workbook.goTo(tableId)),
    goToCell: ({ saved }, report, cell) => act(() => tables.goTo(saved.tableId, report.read, cell)),
    marked: new Set(marks.keys()),
    mark: ({ saved }, report) =>
      act(async () => {
        const made = await tables.mark(saved.tableId, report.read, cellsToMark(report));
        setMarks((before) => new Map([...before, [saved.id, made]]));
      }),
    unmark: ({ saved }) =>
      act(async () => {
        const made = marks.get(saved.id);
        const left = made ? await tables.unmark(saved.tableId, made) : 0;
        forgetMarks(saved.id);
        mustHaveFoundAll(left);
      }),
    exportChanges: ({ saved }, report) =>
      act(async () => {
        const [{ planChanges, reportedCells }, { writeSheetNoted }] = await Promise.all([
          import("../../workbook/imports/refresh/changes-sheet"),
          import("../../workbook/unfinished/noted-import"),
        ]);
        const addresses = await tables.addresses(saved.tableId, report.read, reportedCells(report));
        await writeSheetNoted(app.unfinished, workbook, planChanges(report, addresses), "Changes");
      }),
    editedAddresses: ({ saved }, report) =>
      tables.addresses(
        saved.tableId,
        report.read,
        report.edited.map(({ place }) => place),
      ),
    takeServiceValues: ({ saved }, report, cells) =>
      void run(async () => {
        // The workbook knows by now that it was refreshed.
        const now = (await book.list()).imports.find((each) => each.saved.id === saved.id);
        if (!now) throw new Failure("cancelled", { detail: "The import was forgotten meanwhile." });
        const { documents } = session;
        const doors = { tables, digests, documents };
        const { takeServiceValuesNoted } = await refreshWork();
        const after = await takeServiceValuesNoted(app.unfinished, now.saved, report, cells, doors);
        setRefreshes((before) => new Map([...before, [saved.id, { status: "done", report: after }]]));
      }),
    history: ({ saved }) => history.of(saved.id),
    clearHistory: ({ saved }) => history.forget(saved.id),
    async summary({ saved }) {
      const headers = saved.columns.map(({ header }) => header);
      const table = await tables.read(saved.tableId, [
        ...headers,
        ...(saved.listHeader ? [saved.listHeader] : []),
      ]);
      const state = refreshes.get(saved.id);
      const kept = state?.status === "done" ? state.report.notRefreshed : [];
      const { summarize } = await import("../../workbook/imports/refresh/summary");
      return finishInTurns(summarize(saved, table, new Set(kept.map(({ ahjId }) => ahjId))));
    },
    goToAnswer({ saved }, summary, question, ahjId) {
      const cell = summary.placeOf(question, ahjId);
      if (cell) act(() => tables.goTo(saved.tableId, summary.read, cell));
    },
    followRow: ({ saved }, tell) =>
      followSelection(
        workbook,
        async () => {
          const { table } = await workbook.selectedCell(false);
          const header = saved.columns.find(
            ({ content }) => content.of === "ahj" && content.field === "id",
          )?.header;
          const at = table?.tableId === saved.tableId ? table.headers.indexOf(header ?? "") : -1;
          const id = Number(table?.values[at]);
          return id > 0 ? id : null;
        },
        (found) => tell(found instanceof Failure ? null : found),
      ),
  };
}

/** A mark whose cell is not found is a plain fill from now on. */
function mustHaveFoundAll(left: number): void {
  if (left === 0) return;
  throw new Failure("cells-not-found", {
    detail: `${plural(left, "cell")} may still be highlighted. Remove the fill by hand.`,
  });
}

function cellsToMark({ changes, unsure, edited, notRefreshed }: RefreshReport): CellToMark[] {
  const nameOf = ({ place: { row, header } }: { place: TableCell }) => `${row} ${header}`;
  const ofEdited = new Set(edited.map(nameOf));
  return [
    ...[...changes, ...unsure]
      .filter((change) => !ofEdited.has(nameOf(change)))
      .map(({ place }) => ({ ...place, kind: "changed" as const })),
    ...edited.map(({ place }) => ({ ...place, kind: "edited" as const })),
    ...notRefreshed.flatMap(({ places }) =>
      places.map((place) => ({ ...place, kind: "not-refreshed" as const })),
    ),
  ];
}
