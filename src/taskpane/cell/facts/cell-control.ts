import type { KeylessSession, Session } from "../../../app";
import { createStore } from "zustand/vanilla";
import { config } from "../../../config";
import { asFailure, Failure, isUnavailable } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import type { SeenFormula, Unfrozen } from "../../../workbook/cell-formulas/freeze";
import type { FrozenHere } from "../../../workbook/cell-formulas/frozen-here";
import { pending } from "../../../workbook/cell-formulas/settle";
import type { AnswerChange } from "../../../workbook/imports/refresh/refresh-cell";
import { createImportBook, type KeptImport } from "../../../workbook/imports/saved/import-book";
import { anchorOf } from "../../../workbook/sheet/cells/source-cells";
import { spills } from "../../../workbook/sheet/excel-api";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import { isError } from "../../../workbook/sheet/values/shown-value";
import type { Job, JobOrder, Readable } from "../../jobs/jobs";
import { createSlot } from "../../jobs/slot";
import { createLatest } from "../../latest";
import type { PaneApp } from "../../pane-app";
import { serviceDetail } from "../../ui/labels";
import { type AnswerFacts, type CellFacts, readCellFacts } from "./cell-facts";
import { jurisdictionFacts } from "./jurisdiction-facts";
import { createKnownParts, type KnownParts } from "./known-parts";

/** The state of bringing back the formula of a frozen cell. */
export type Unfreezing =
  | { status: "idle" | "running" }
  /** The cell was edited after it was frozen, so the user is asked first. */
  | { status: "asks" }
  | { status: "done"; unfrozen: Unfrozen; address: string };

export interface CellFactsState {
  /** Undefined before the cell was read for the first time. */
  facts: CellFacts | undefined;
  /** The place of the answer that is shown in full; null for none. */
  opened: number | null;
  failure: Failure | undefined;
  /** The work that the user has started on the cell; undefined while there is none. */
  job: Job | undefined;
  /** The difference that a refresh made to the shown answer. */
  change: AnswerChange | undefined;
  unfreezing: Unfreezing;
}

/** Follows the selection, and reads what is known of each cell. It asks the service only when the user orders it. */
export interface CellControl extends Readable<CellFactsState> {
  /** Follows the selection; returns a function that stops it. */
  follow(): () => void;
  /** Reads what is known of the selected cell now. */
  read(): Promise<CellFacts>;
  reload(): void;
  /** Shows the answer at this place in full; null shows none. */
  open(place: number | null): void;
  /** Asks the service again for the shown answer and the date of its last change, and updates the cell. */
  refresh(): void;
  /** Asks the service for the jurisdiction that the cell names, which takes a request. */
  lookUp(): void;
  /** Brings back the frozen formula of this cell; asks first if the cell was edited. `seen`: see unfreezeFormulas. */
  unfreeze(seen?: readonly SeenFormula[]): void;
  /** Brings the formula back over what was typed into the cell. */
  unfreezeAnyway(): void;
  leaveFrozen(): void;
  /** Selects the cell whose formula spills into this one. */
  goToFormula(): void;
  /** Shows the failure of something that the screen did itself. */
  fail(thrown: unknown): void;
}

const pauseMs = 150;
const lookAgainMs = 1_000;
/** The number of times that a formula is looked at while it is being calculated; then the pane shows what there is. */
const mostLooks = 30;

const idle: Unfreezing = { status: "idle" };

export function createCellControl(app: PaneApp, session: Session | KeylessSession): CellControl {
  const { workbook } = app;
  const book = createImportBook(workbook);
  let parts: KnownParts = createKnownParts(book, workbook);
  const store = createStore<CellFactsState>(() => ({
    facts: undefined,
    opened: null,
    failure: undefined,
    job: undefined,
    change: undefined,
    unfreezing: idle,
  }));
  const { getState, setState: change } = store;
  const acts = createSlot<CellFacts, void>(app.jobs);
  acts.subscribe((state) => change({ job: state.status === "running" ? state.job : undefined }));
  const begin = createLatest();
  let isFollowing = false;
  let lookingAgain: ReturnType<typeof setTimeout> | undefined;

  function setFacts(facts: CellFacts) {
    const { facts: before, opened } = getState();
    const isSameCell = before?.cell.address === facts.cell.address;
    if (before && !isSameCell) forgetOutcome();
    const isSameFormula = isSameCell && before.cell.formula === facts.cell.formula;
    change({ facts, opened: isSameFormula ? opened : firstOpened(facts) });
    clearTimeout(lookingAgain);
    // While a formula waits for its answer, its cell is looked at again.
    if (isFollowing && facts.cell.value === pending) lookingAgain = setTimeout(reload, lookAgainMs);
  }

  const look = () => readCellFacts({ workbook, session, parts, canSeeSpills: app.hasExcelApi(spills) });

  function reload() {
    const isLatest = begin();
    if (getState().failure) change({ failure: undefined });
    look().then(
      (next) => {
        if (isLatest()) setFacts(next);
      },
      (thrown: unknown) => {
        if (isLatest()) change({ facts: undefined, failure: asFailure(thrown) });
      },
    );
  }

  /** Clears the outcome that was shown for the last cell. */
  function forgetOutcome() {
    const { change: changed, unfreezing } = getState();
    if (changed || (unfreezing.status !== "idle" && unfreezing.status !== "running"))
      change({ change: undefined, unfreezing: idle });
  }

  function follow() {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    isFollowing = true;
    // The pause saves users who move through cells with the arrow keys from waiting for each cell.
    const onSelection = () => {
      clearTimeout(timer);
      forgetOutcome();
      timer = setTimeout(reload, pauseMs);
    };
    // A formula that fails again shows the same error, but its reason may be another.
    const stopAnswers = app.onIdle(() => {
      if (!isError(getState().facts?.cell.value)) return;
      clearTimeout(lookingAgain);
      lookingAgain = setTimeout(reload, lookAgainMs);
    });
    // The known parts are read anew, since another screen may have written, frozen or forgotten some.
    parts = createKnownParts(book, workbook);
    forgetOutcome();
    reload();
    workbook.onSelection(onSelection).then(
      (unsubscribe) => {
        stop = unsubscribe;
        if (isOver) unsubscribe();
        // Cells may have been selected between the first look and the registration.
        else reload();
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      isFollowing = false;
      clearTimeout(timer);
      clearTimeout(lookingAgain);
      stopAnswers();
      stop?.();
    };
  }

  /** Does what the user wants of the shown cell. Does nothing before a cell is shown, and while other work on it runs. */
  async function act(job: JobOrder, work: (shown: CellFacts) => Promise<unknown>) {
    const { facts } = getState();
    if (!facts || acts.isRunning()) return;
    change({ failure: undefined });
    const end = await acts.run(facts, job, async () => void (await work(facts)));
    if (end.status === "failed") change({ failure: end.failure });
  }

  /** Shows the new facts. Returns false if the user has selected another cell meanwhile. */
  function show(next: CellFacts, { cell }: CellFacts): boolean {
    const { address } = (getState().facts ?? next).cell;
    const isSameCell = address === cell.address && next.cell.address === cell.address;
    if (isSameCell) setFacts(next);
    return isSameCell;
  }

  async function refresh(shown: CellFacts, place: number) {
    const answer = shown.answers[place];
    if (!answer) return;
    if (!session.credentials) throw new Failure("no-key");
    const { from } = answer.source;
    const isImport = from.kind === "import";
    const changed = await (isImport
      ? refreshImported(answer, from.kept, session)
      : refreshFormula(shown, answer, session));
    const next = await (isImport ? look() : lookOnceCalculated(shown));
    if (!show(next, shown)) return;
    change({ change: changed });
    const fresh = next.answers[place];
    // A matrix does not have the dates of changes, so the answer is asked for once more with its date.
    const isUndated =
      fresh?.answer && !(fresh.answer instanceof Failure) && fresh.answer.cell.updatedAt === null;
    const { question } = fresh?.source ?? {};
    if (!isUndated || !question) return;
    const [dated] = (await session.lookup.ask({ questions: [question], dated: true })).values;
    const answers = next.answers.map((each) => (each === fresh && dated ? { ...each, answer: dated } : each));
    if (getState().facts === next) setFacts({ ...next, answers });
  }

  async function refreshImported(
    { source: { question }, answer }: AnswerFacts,
    { saved }: KeptImport,
    { credentials, lookup, documents }: Session,
  ) {
    if (saved.service !== credentials.baseUrl) {
      throw new SheetFailure("other-service", { detail: serviceDetail(saved.service) });
    }
    const [ahjId, typeId] = [Number(question?.ahj), Number(question?.type)];
    const asked = { asked: { ahjId, typeId }, before: answer };
    const dependencies = { tables: createImportTables(workbook), lookup, documents, book };
    const { refreshCell } = await import("../../../workbook/imports/refresh/refresh-cell");
    return app.unfinished.during((note) => refreshCell(saved, asked, dependencies, { note }));
  }

  /**
   * Asks the service again for a formula's answer. If it is not known which jurisdiction or question is asked, only the formula is
   * calculated again.
   */
  async function refreshFormula(
    { cell }: CellFacts,
    { source, ahj, type, answer }: AnswerFacts,
    { lookup }: Session,
  ) {
    const { ahj: ahjName, type: typeName } = source.question ?? {};
    const ahjId = typeof ahjName === "number" ? ahjName : ahj?.id;
    const typeId = typeof typeName === "number" ? typeName : type?.id;
    let changed: AnswerChange | undefined;
    if (ahjId !== undefined && typeId !== undefined) {
      const { askOneAnew, changeOf } = await import("../../../workbook/imports/refresh/refresh-cell");
      try {
        changed = changeOf(answer, await askOneAnew({ ahjId, typeId }, answer, lookup));
      } catch (thrown) {
        // The formula will show any answer or refusal of the service. If the service could not be asked, the cell keeps its old value.
        if (isUnavailable(asFailure(thrown))) throw thrown;
      }
    }
    const { calculateAnew } = await import("../../../workbook/cell-formulas/calculate-anew");
    await calculateAnew(anchorOf(cell), cell, workbook);
    return changed;
  }

  /**
   * Looks at the cell until its formula is calculated. Meanwhile the cell shows that it waits, and nothing spills from it. Excel does not
   * tell when calculation starts.
   */
  async function lookOnceCalculated({ cell: { address, formula } }: CellFacts): Promise<CellFacts> {
    for (let looked = 1; ; looked += 1) {
      await session.lookup.delay(Math.min(pauseMs * looked, lookAgainMs));
      const next = await look();
      const isCalculated = next.cell.formula === formula && next.cell.value !== pending;
      if (isCalculated || next.cell.address !== address || looked === mostLooks) return next;
    }
  }

  async function lookUp(shown: CellFacts) {
    const named = shown.jurisdiction;
    if (!named) return;
    const options = { signal: session.closed };
    const jurisdiction = await jurisdictionFacts({ ...named, isOnlyIfKnown: false }, session.lookup, options);
    const { facts } = getState();
    // Another geoID may have been typed into the cell meanwhile.
    if (facts?.cell.address === shown.cell.address && facts.jurisdiction?.name === named.name)
      setFacts({ ...facts, jurisdiction });
  }

  function unfreeze(
    { cell: { address } }: CellFacts,
    { formula: area, edited, atMs }: FrozenHere,
    { seen, isAnyway = false }: { seen?: readonly SeenFormula[] | undefined; isAnyway?: boolean },
  ) {
    if (edited && !isAnyway) return change({ unfreezing: { status: "asks" } });
    change({ unfreezing: { status: "running" }, failure: undefined });
    const work = async () => {
      const { unfreezeFormulas } = await import("../../../workbook/cell-formulas/freeze");
      return app.unfinished.during((note) =>
        unfreezeFormulas("sheet", workbook, {
          namespace: config.namespace,
          calls: app,
          signal: session.closed,
          onProgress: () => undefined,
          note,
          seen,
          givenUp: edited ? [edited] : [],
          only: { atMs, areas: [area] },
        }),
      );
    };
    app.jobs
      .run({ kind: "cells", title: "A formula is being brought back.", tab: "source" }, work)
      .then(
        (unfrozen) => change({ unfreezing: { status: "done", unfrozen, address } }),
        (thrown: unknown) => change({ unfreezing: idle, failure: asFailure(thrown) }),
      )
      .finally(() => {
        parts.forgetFrozen();
        const { failure } = getState();
        reload();
        if (failure) change({ failure });
      });
  }

  function unfreezeShown(options: Parameters<typeof unfreeze>[2] = {}) {
    const { facts, unfreezing } = getState();
    if (facts?.frozen && unfreezing.status !== "running") unfreeze(facts, facts.frozen, options);
  }

  return {
    ...store,
    follow,
    read: look,
    reload() {
      parts = createKnownParts(book, workbook);
      reload();
    },
    open: (opened) => change({ opened, change: undefined }),
    refresh() {
      const { facts, opened } = getState();
      const place = opened ?? facts?.main ?? 0;
      const isOfImport = facts?.answers[place]?.source.from.kind === "import";
      const job: JobOrder = isOfImport
        ? { kind: "imports", title: "A cell of an import is being refreshed." }
        : { kind: "cells", title: "A formula is being refreshed." };
      void act(job, (shown) => refresh(shown, place));
    },
    lookUp: () => void act({ kind: "reads", title: "A jurisdiction is being looked up." }, lookUp),
    unfreeze: (seen) => unfreezeShown({ seen, isAnyway: seen !== undefined }),
    unfreezeAnyway: () => unfreezeShown({ isAnyway: true }),
    leaveFrozen: () => change({ unfreezing: idle }),
    goToFormula() {
      const job: JobOrder = { kind: "reads", title: "A formula is being shown." };
      void act(job, ({ cell }) => workbook.selectCell(anchorOf(cell)));
    },
    fail: (thrown) => change({ failure: asFailure(thrown) }),
  };
}

/** The place of the answer that the cell shows; if the cell is in error, of the first answer that failed. */
function firstOpened({ cell, answers, main }: CellFacts): number | null {
  if (answers.length === 0) return null;
  const isFailed = ({ source, answer }: AnswerFacts) => source.refusal !== null || answer instanceof Failure;
  const failed = String(cell.value).startsWith("#") ? answers.findIndex(isFailed) : -1;
  return failed >= 0 ? failed : main;
}
