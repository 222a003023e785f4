import type { KeylessSession, Session } from "../../app";
import { finishInTurns } from "../../async/in-turns";
import { createStore } from "zustand/vanilla";
import { asFailure, Failure } from "../../errors";
import { SheetFailure } from "../../sheet-failure";
import { createSignature, signatureOf } from "../../settings/signature";
import type { WrittenDatedSheet } from "../../workbook/dated-sheets/dated-sheets";
import type { EditedCell } from "../../workbook/imports/refresh/compare-answers";
import type { RefreshReport } from "../../workbook/imports/refresh/plan-refresh";
import type { RenamedColumn } from "../../workbook/imports/refresh/renamed-columns";
import type { RefreshOptions } from "../../workbook/imports/refresh/refresh";
import type { ImportSummary } from "../../workbook/imports/summary/import-pictures";
import { type ImportChange, rebased } from "../../workbook/imports/saved/change-import";
import {
  adopted,
  createImportBook,
  findCopies,
  type ImportCopy as Copy,
  type ImportList,
  type KeptImport,
  type RefusedPart,
} from "../../workbook/imports/saved/import-book";
import type { SavedImport } from "../../workbook/imports/saved/saved-import";
import type { PastRefresh } from "../../workbook/imports/saved/refresh-history";
import type { ColumnType } from "../../workbook/sheet/layout/table-plan";
import type { TableCell } from "../../workbook/sheet/tables/bound-table";
import type { LeftCopy } from "../../workbook/sheet/tables/left-copies";
import { createImportTables, type Marks } from "../../workbook/sheet/tables/table-changes";
import { createTableEvents } from "../../workbook/sheet/tables/table-events";
import type { KeptUnfinished } from "../../workbook/work-note/unfinished-book";
import { copyNames, type UnfinishedWork } from "../../workbook/work-note/unfinished-work";
import { followSelection } from "../cell/follow-selection";
import type { Job, Readable } from "../jobs/jobs";
import { createSlot, type JobTools } from "../jobs/slot";
import type { TabName } from "../PaneTabs";
import { createLatest } from "../latest";
import type { PaneApp } from "../pane-app";
import { serviceDetail } from "../ui/labels";
import { mustHaveFoundAll } from "./marks-left";

/** The dated sheet of the present values that was asked for last. */
export type DatedState =
  | { status: "none" }
  | { status: "running"; job: Job }
  | { status: "done"; written: WrittenDatedSheet }
  /** `keptFromRefreshing` is true if a refresh was to follow, and did not begin. */
  | { status: "failed"; failure: Failure; keptFromRefreshing: boolean };

const refreshWork = () => import("./refresh-work");

/** The state of an import's refresh. */
export type RefreshState =
  | { status: "running"; job: Job }
  | { status: "done"; report: RefreshReport }
  | { status: "failed"; failure: Failure };

export interface SavedImportsState {
  /** Undefined until it is read. */
  list: ImportList | undefined;
  copies: readonly Copy[];
  /** Hidden sheets with copies of cells that an earlier or interrupted run has left in the workbook. */
  leftCopies: readonly LeftCopy[];
  failure: Failure | undefined;
  /** By the id of the import. */
  refreshes: ReadonlyMap<string, RefreshState>;
  /** The ids of the imports that the last run refreshed together. */
  together: readonly string[];
  isRefreshing: boolean;
  dated: DatedState;
  /** True if formulas on refreshed cells wait for the user, because the workbook calculates only on demand. */
  isManual: boolean;
  /** Imports that were to be refreshed and came from another service than the connected one; the user decides. */
  otherService: readonly KeptImport[];
  /** The marks of imports whose cells are marked, by the import's id. */
  marks: ReadonlyMap<string, Marks>;
}

export interface SavedImportsControl extends Readable<SavedImportsState> {
  /** Reads the list, and reads it again whenever a table is added or removed; returns a function that stops it. */
  follow(): () => void;
  reload(): void;
  showLeftCopy(copy: LeftCopy): void;
  deleteLeftCopies(): Promise<void>;
  /** Refreshes the imports of another service from the connected one. */
  refreshOthers(): void;
  leaveOthers(): void;
  refresh(imports: readonly KeptImport[]): void;
  /** Changes an import. Resolves to true if that succeeded. */
  change(kept: KeptImport, change: ImportChange): Promise<boolean>;
  /** Fills the user's own columns as the first run of this import; see `importToFill`. Resolves to true if that succeeded. */
  fill(saved: SavedImport, change: ImportChange): Promise<boolean>;
  /** Repeats an interrupted refresh or change. */
  finish(unfinished: KeptUnfinished<UnfinishedWork & { kind: "refresh" | "change" }>): void;
  /**
   * Refreshes the imports whose tables are in the workbook now. With `keepsValues`, a dated sheet first keeps what they show; if it can't be
   * written, nothing is refreshed.
   */
  refreshPresent(options?: { keepsValues?: boolean | undefined }): void;
  /** Keeps what the imports show on a dated sheet. */
  keepValues(): void;
  cancel(): void;
  rename(kept: KeptImport, name: string): void;
  forget(kept: KeptImport): void;
  /** Removes a part that can't be read as an import. */
  forgetRefused(part: RefusedPart): void;
  /** Turns a copied table into an import of its own. */
  keepCopy(copy: Copy): void;
  /** Refreshes columns on under the headers that somebody has given them. */
  followRenamed(kept: KeptImport, report: RefreshReport, renamed: readonly RenamedColumn[]): void;
  /** Lets the import forget a column whose header somebody has changed. Its cells stay. */
  leaveRenamed(kept: KeptImport, report: RefreshReport, renamed: RenamedColumn): void;
  goTo(tableId: string): void;
  goToCell(kept: KeptImport, report: RefreshReport, cell: TableCell): void;
  mark(kept: KeptImport, report: RefreshReport): void;
  unmark(kept: KeptImport): void;
  exportChanges(kept: KeptImport, report: RefreshReport): void;
  /** The addresses of the cells that somebody has edited. */
  editedAddresses(kept: KeptImport, report: RefreshReport): Promise<(string | undefined)[]>;
  /** Puts the service's answers into these cells. */
  takeServiceValues(kept: KeptImport, report: RefreshReport, cells: readonly EditedCell[]): void;
  /** The earlier refreshes, the newest first. */
  history(kept: KeptImport): Promise<PastRefresh[]>;
  clearHistory(kept: KeptImport): Promise<void>;
  summary(kept: KeptImport): Promise<ImportSummary>;
  /** Selects the cell with an answer, wherever it is now. */
  goToAnswer(kept: KeptImport, summary: ImportSummary, question: ColumnType, ahjId: number): void;
  /** Tells the AHJ of the selected row, now and whenever it changes; null outside of this table. Returns a function that stops it. */
  followRow(kept: KeptImport, tell: (ahjId: number | null) => void): () => void;
}

/** The refresh of an import that is under way. */
interface BegunOne {
  /** Resolves once it leaves the workbook alone until `finish`. */
  hasRead: Promise<void>;
  /** Writes it. `beforeWriting` is awaited once it is known what to write. Resolves to true if that succeeded. */
  finish(beforeWriting?: () => Promise<void>): Promise<boolean>;
  /** Lets go of one that is not to be finished. */
  abandon(): void;
}

/**
 * How many imports are asked for ahead. Memory holds their answers, and a refresh asks up to three times, one after the other: with one
 * ahead, the last answers would still be waited for.
 */
const askedAhead = 2;

/** Excel reports a change of a sheet and of each of its tables separately, so one reading follows after this pause. */
const pauseMs = 150;

/** The imports of this workbook and the actions on them; one runs at a time. `tab` is the pane's tab that shows its jobs. */
export function createSavedImportsControl(
  app: PaneApp,
  session: Session | KeylessSession,
  { tab = "workbook", ...refreshing }: Pick<RefreshOptions, "sinceMs"> & { tab?: TabName } = {},
): SavedImportsControl {
  const { workbook } = app;
  const { directory } = session.lookup;
  const book = createImportBook(workbook);
  const tables = createImportTables(workbook);
  const onTables = createTableEvents(workbook);
  const service = session.credentials?.baseUrl;
  const isOther = ({ saved }: Pick<KeptImport, "saved">) =>
    service !== undefined && saved.service !== service;
  const slot = createSlot<"refresh", void>(app.jobs);
  const store = createStore<SavedImportsState>(() => ({
    list: undefined,
    copies: [],
    leftCopies: [],
    failure: undefined,
    refreshes: new Map(),
    together: [],
    isRefreshing: false,
    dated: { status: "none" },
    isManual: false,
    otherService: [],
    marks: new Map(),
  }));
  slot.subscribe((state, before) => {
    const isRefreshing = state.status === "running";
    if (isRefreshing && before.status !== "running") show({ isRefreshing, failure: undefined });
    else if (!isRefreshing)
      show({ isRefreshing, ...(state.status === "failed" && { failure: state.failure }) });
  });
  const begin = createLatest();

  const show = (change: Partial<SavedImportsState>) => store.setState(change);
  const fail = (thrown: unknown) => show({ failure: asFailure(thrown) });

  function act(work: () => Promise<unknown>) {
    show({ failure: undefined });
    work().catch(fail);
  }

  /** Does this while no other work changes imports, so a button that is pressed twice acts once. */
  function actAlone(underWay: string, work: () => Promise<unknown>) {
    const job = { kind: "imports", title: underWay } as const;
    if (!app.jobs.isExcluded("imports")) act(() => app.jobs.run(job, work));
  }

  async function read() {
    const isLatest = begin();
    const showIfLatest = (found: Partial<SavedImportsState>) => isLatest() && show(found);
    const list = await book.list();
    showIfLatest({ list });
    const readColumn = async (tableId: string, header: string) =>
      (await tables.read(tableId, [header])).columns.get(header)?.values ?? [];
    const all = list.imports.length > 0 ? await tables.list() : [];
    showIfLatest({ copies: await findCopies(list.imports, all, readColumn) });
    // Copies that belong to interrupted work are not listed here, because they are offered with that work.
    const noted = copyNames((await app.unfinished.list()).works);
    const left = (await tables.leftCopies()).filter(({ sheetName }) => !noted.has(sheetName));
    showIfLatest({ leftCopies: left });
    return list.imports;
  }
  // A sheet may be deleted while it is read, for instance by Ctrl+Z; the second reading then finds it gone.
  const lookTwice = () => read().catch(read);
  const reload = () => act(lookTwice);

  function follow() {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    // While a run is on, the list is not read, because the run reads it at its end.
    const look = () => {
      if (!slot.isRunning()) lookTwice().catch(fail);
    };
    const lookSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(look, pauseMs);
    };
    reload();
    onTables(lookSoon).then(
      (unsubscribe) => {
        stop = unsubscribe;
        if (isOver) unsubscribe();
      },
      // Without these events, the list is read only when it is shown.
      () => undefined,
    );
    const stopUnfinished = app.unfinished.onChange(lookSoon);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stopUnfinished();
      stop?.();
    };
  }

  /** Begins to refresh one import. Nothing of it is shown, and nothing is written, before `finish`. */
  function beginOne(
    shown: SavedImport,
    { signal, tell }: JobTools,
    {
      mayDiffer = false,
      isFromList = false,
      ...options
    }: Pick<RefreshOptions, "change" | "isFirst" | "begun"> & {
      mayDiffer?: boolean;
      isFromList?: boolean;
    } = {},
  ): BegunOne {
    const note = (refresh: RefreshState) =>
      show({ refreshes: new Map([...store.getState().refreshes, [shown.id, refresh]]) });
    type News = Parameters<typeof tell>[0];
    let news: News = { progress: undefined, waitingUntilMs: undefined };
    let isShown = false;
    const run = (latest: News) => {
      news = { ...news, ...latest };
      if (isShown) note({ status: "running", job: tell(latest) });
    };
    const beginning = (async () => {
      if (!session.credentials) throw new Failure("no-key");
      // A colleague may have refreshed it since the list was read. The digests of the latest run tell what people have typed.
      const now = isFromList ? await book.read(shown.id).catch(() => undefined) : undefined;
      const saved = now ?? shown;
      if (isOther({ saved }) && !mayDiffer) {
        const detail = serviceDetail(saved.service);
        throw new SheetFailure("other-service", { detail });
      }
      const { beginRefresh } = await refreshWork();
      return beginRefresh(
        saved,
        { ...session, tables, book },
        {
          ...refreshing,
          ...options,
          signal,
          onWait: (waitingUntilMs) => run({ waitingUntilMs }),
          onProgress: (progress) => run({ progress, waitingUntilMs: undefined }),
        },
      );
    })();
    return {
      // A failure is told when its turn has come.
      hasRead: beginning.then(({ hasRead }) => hasRead).catch(() => undefined),
      async finish(beforeWriting) {
        isShown = true;
        run(news);
        try {
          const { finish } = await beginning;
          const { report, notRemembered } = await app.unfinished.during((workbookNote) =>
            finish({ note: workbookNote, signature, beforeWriting }),
          );
          note({ status: "done", report });
          // The sheet is already written, so the report stays even if the workbook does not remember the refresh.
          if (notRemembered) fail(notRemembered);
          return true;
        } catch (thrown) {
          note({ status: "failed", failure: asFailure(thrown) });
          return false;
        }
      },
      abandon: () => void beginning.then(({ abandon }) => abandon()).catch(() => undefined),
    };
  }

  function tell({ id }: SavedImport, report: RefreshReport) {
    show({ refreshes: new Map([...store.getState().refreshes, [id, { status: "done", report }]]) });
  }

  /** The connection's name, if the user allows it in the workbook. */
  async function signature(): Promise<string | undefined> {
    const mayTell = createSignature(app.storage);
    await Promise.all([mayTell.read(), app.connections.read()]);
    if (!session.credentials) return undefined;
    return mayTell.current() ? signatureOf(app.connections.current(), session.credentials) : undefined;
  }

  async function run(work: (tools: JobTools) => Promise<unknown>, title = "Imports are being refreshed.") {
    if (slot.isRunning() || app.jobs.isExcluded("imports")) return;
    await slot.run("refresh", { kind: "imports", title, tab }, async (tools) => {
      await work(tools);
      show({ isManual: await tables.isManual() });
      await read();
    });
  }

  /** Keeps what these imports show on a dated sheet. Resolves to true if that succeeded. */
  async function keep(
    present: readonly KeptImport[],
    { signal, tell: tellJob }: JobTools,
    isBeforeRefresh: boolean,
  ): Promise<boolean> {
    const note = (dated: DatedState) => show({ dated });
    const tell = (news: Parameters<JobTools["tell"]>[0]) => note({ status: "running", job: tellJob(news) });
    tell({ step: undefined, progress: undefined });
    try {
      const { keepPresent } = await import("../dated-sheets/dated-work");
      // A user who refreshes stays where they are.
      const how = { signal, tell, isShown: !isBeforeRefresh };
      note({ status: "done", written: await keepPresent(present, app, session, how) });
      tellJob({ step: undefined, progress: undefined });
      return true;
    } catch (thrown) {
      const failure = asFailure(thrown);
      note({ status: "failed", failure, keptFromRefreshing: isBeforeRefresh });
      return false;
    }
  }

  const readPresent = async () => (await read()).filter(({ place }) => place !== null);

  /** Failures of last time must not stand beside the present work. */
  function forgetFailures(imports: readonly KeptImport[]) {
    const ids = new Set(imports.map(({ saved }) => saved.id));
    const { refreshes } = store.getState();
    show({
      refreshes: new Map([...refreshes].filter(([id, { status }]) => status !== "failed" || !ids.has(id))),
    });
  }

  /** Imports of another service wait until the user has decided. */
  async function refreshAll(imports: readonly KeptImport[], tools: JobTools, mayDiffer = false) {
    show({ otherService: mayDiffer ? [] : imports.filter(isOther) });
    const { signal } = tools;
    const allowed = imports.filter((kept) => mayDiffer || !isOther(kept));
    forgetFailures(allowed);
    show({ together: allowed.map(({ saved }) => saved.id) });
    const begin = ({ saved }: KeptImport) => beginOne(saved, tools, { mayDiffer, isFromList: true });
    const ahead: BegunOne[] = [];
    for (const [at, kept] of allowed.entries()) {
      if (signal.aborted) break;
      const one = ahead.shift() ?? begin(kept);
      // The service is asked for the next ones while this one is written.
      await one.finish(async () => {
        for (const next of allowed.slice(at + 1 + ahead.length, at + 1 + askedAhead)) {
          if (signal.aborted) return;
          const begun = begin(next);
          ahead.push(begun);
          await begun.hasRead;
        }
      });
    }
    for (const begun of ahead) begun.abandon();
  }

  /** Removes the marks of an import; returns the number of marked cells that could not be found. */
  async function unmark({ saved, place }: KeptImport): Promise<number> {
    const made = store.getState().marks.get(saved.id);
    // Only this list knows which fill the cells had before. The marks of a deleted table are gone with it.
    const left = made && place ? await tables.unmark(saved.tableId, made) : 0;
    show({ marks: new Map([...store.getState().marks].filter(([id]) => id !== saved.id)) });
    return left;
  }

  return {
    ...store,
    follow,
    reload,
    showLeftCopy: ({ sheetId }) =>
      act(async () => {
        await tables.showSheet(sheetId);
        await read();
      }),
    async deleteLeftCopies() {
      await tables.deleteSheets(store.getState().leftCopies.map(({ sheetId }) => sheetId));
      await read();
    },
    refreshOthers: () => void run((tools) => refreshAll(store.getState().otherService, tools, true)),
    leaveOthers: () => show({ otherService: [] }),
    refresh: (imports) => void run((tools) => refreshAll(imports, tools)),
    async change(kept, change) {
      let isDone = false;
      await run(async (tools) => {
        // A colleague may have changed it since it was shown.
        const now = await book.read(kept.saved.id);
        if (!now) throw forgottenMeanwhile();
        isDone = await beginOne(now, tools, { change: rebased(change, kept.saved, now) }).finish();
      });
      return isDone;
    },
    async fill(saved, change) {
      let isDone = false;
      await run(async (tools) => {
        isDone = await beginOne(saved, tools, { change, isFirst: true }).finish();
      });
      return isDone;
    },
    finish: ({ work, partId }) =>
      void run(async (tools) => {
        const { importToFinish, refreshToFinish } = await refreshWork();
        const now = await importToFinish(work, book);
        if (!now)
          throw new SheetFailure("table-gone", { detail: "The workbook no longer remembers this import." });
        if (await beginOne(now, tools, refreshToFinish(work, now)).finish())
          await app.unfinished.forget(partId);
      }),
    refreshPresent: ({ keepsValues = false } = {}) =>
      void run(async (tools) => {
        const present = await readPresent();
        if (present.length === 0) return;
        if (!keepsValues || (await keep(present, tools, true))) await refreshAll(present, tools);
      }),
    keepValues: () =>
      void run(async (tools) => keep(await readPresent(), tools, false), "Values are being kept on a sheet."),
    cancel: slot.cancel,
    rename: ({ saved }, name) =>
      act(async () => {
        await book.update(saved.id, { name });
        await read();
      }),
    forget: (kept) =>
      actAlone("An import is being forgotten.", async () => {
        const left = await unmark(kept);
        await book.forget(kept.saved.id);
        await read();
        mustHaveFoundAll(left);
      }),
    forgetRefused: ({ partId }) =>
      act(async () => {
        await book.forgetRefused(partId);
        await read();
      }),
    keepCopy: ({ of, table }) =>
      actAlone("A copy is being made an import.", async () => {
        await book.write(adopted(of, table));
        await read();
      }),
    followRenamed: ({ saved }, report, renamed) =>
      void run(async (tools) => {
        const now = await book.read(saved.id);
        if (!now) throw forgottenMeanwhile();
        const { followed } = await import("../../workbook/imports/refresh/renamed-columns");
        const columns = renamed.reduce(followed, now.columns);
        await book.update(saved.id, { columns });
        if (!(await beginOne({ ...now, columns }, tools).finish())) return;
        const after = store.getState().refreshes.get(saved.id);
        // The changes that the report has told stay, as long as their rows are where they were.
        if (after?.status !== "done" || String(after.report.read.keys) !== String(report.read.keys)) return;
        const changes = [...report.changes, ...after.report.changes];
        const unsure = [...report.unsure, ...after.report.unsure];
        tell(saved, { ...after.report, changes, unsure });
      }),
    leaveRenamed: ({ saved }, report, renamed) =>
      actAlone("A column is being left.", async () => {
        const now = await book.read(saved.id);
        if (!now) throw forgottenMeanwhile();
        const { withoutColumn } = await import("../../workbook/imports/refresh/renamed-columns");
        await book.update(saved.id, withoutColumn(now, renamed));
        const isOther = (header: string) => header !== renamed.before;
        const after = {
          ...report,
          missingColumns: report.missingColumns.filter(isOther),
          renamedColumns: report.renamedColumns.filter(({ before }) => isOther(before)),
        };
        tell(saved, after);
        await read();
      }),
    goTo: (tableId) => act(() => workbook.goTo(tableId)),
    goToCell: ({ saved }, report, cell) => act(() => tables.goTo(saved.tableId, report.read, cell)),
    mark: ({ saved }, report) =>
      actAlone("Cells are being highlighted.", async () => {
        // Cells that are highlighted would get their highlight back as their own fill.
        if (store.getState().marks.has(saved.id)) return;
        const { cellsToMark } = await import("../../workbook/imports/refresh/change-lists");
        const made = await tables.mark(saved.tableId, report.read, cellsToMark(report));
        show({ marks: new Map([...store.getState().marks, [saved.id, made]]) });
      }),
    unmark: (kept) =>
      actAlone("Highlights are being removed.", async () => mustHaveFoundAll(await unmark(kept))),
    exportChanges: ({ saved }, report) =>
      actAlone("The changes are being exported.", async () => {
        const [{ planChanges, reportedCells, changesSheetName }, { writeSheetNoted }] = await Promise.all([
          import("../../workbook/imports/refresh/changes-sheet"),
          import("../../workbook/work-note/noted-tables"),
        ]);
        const addresses = await tables.addresses(saved.tableId, report.read, reportedCells(report));
        await writeSheetNoted(app.unfinished, workbook, planChanges(report, addresses), {
          name: changesSheetName(report),
        });
      }),
    editedAddresses: ({ saved }, report) =>
      tables.addresses(
        saved.tableId,
        report.read,
        report.edited.map(({ place }) => place),
      ),
    takeServiceValues: ({ saved }, report, cells) =>
      void run(async () => {
        // `saved` is from before the refresh, so the import is read again from the workbook.
        const now = await book.read(saved.id);
        if (!now) throw forgottenMeanwhile();
        if (!session.credentials) throw new Failure("no-key");
        const { documents } = session;
        const dependencies = { tables, book, documents };
        const { takeServiceValues } = await refreshWork();
        const after = await app.unfinished.during((workbookNote) =>
          takeServiceValues(now, { report, cells }, dependencies, workbookNote),
        );
        tell(saved, after);
      }),
    history: ({ saved }) => book.history(saved.id),
    clearHistory: ({ saved }) => book.clearHistory(saved.id),
    async summary({ saved }) {
      const { summarize, readToSummarize } = await import("../../workbook/imports/summary/import-pictures");
      const { table, facts } = await readToSummarize(saved, { tables, book, directory });
      const refreshed = store.getState().refreshes.get(saved.id);
      const kept = refreshed?.status === "done" ? refreshed.report.notRefreshed : [];
      const notRefreshed = new Set(kept.map(({ ahjId }) => ahjId));
      return finishInTurns(summarize(saved, table, { ...facts, notRefreshed }));
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

function forgottenMeanwhile(): Failure {
  return new Failure("cancelled", { detail: "The import was forgotten meanwhile." });
}
