import type { Session } from "../../../app";
import { createListeners } from "../../../async/listeners";
import { config } from "../../../config";
import { asFailure, Failure, isUnavailable } from "../../../errors";
import type { SeenFormula, Unfrozen } from "../../../workbook/cell-formulas/freeze";
import type { FrozenHere } from "../../../workbook/cell-formulas/frozen-here";
import { pending } from "../../../workbook/cell-formulas/settle";
import { mayBeStuck } from "../../../workbook/cell-formulas/stuck-cells";
import type { AnswerChange } from "../../../workbook/imports/refresh/refresh-cell";
import { createDigestBook } from "../../../workbook/imports/saved/digest-book";
import { createImportBook, type KeptImport } from "../../../workbook/imports/saved/import-book";
import { spills } from "../../../workbook/sheet/excel-api";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import type { PaneApp } from "../../pane-app";
import { asSheetWork } from "../../sheet-work";
import { serviceDetail } from "../../ui/labels";
import { type AnswerFacts, anchorOf, type CellFacts, readCellFacts } from "./cell-facts";
import { jurisdictionFacts } from "./jurisdiction-facts";
import { createKnownParts, type KnownParts } from "./known-parts";

/** How bringing back the formula of a frozen cell goes. */
export type Unfreezing =
  | { status: "idle" | "running" }
  /** The cell was edited since. */
  | { status: "asks" }
  | { status: "done"; unfrozen: Unfrozen; address: string };

export interface CellState {
  /** Undefined before the first look. */
  facts: CellFacts | undefined;
  /** Which of the answers is shown in full; null where none is. */
  opened: number | null;
  failure: Failure | undefined;
  isAsking: boolean;
  /** What asking anew has brought to the answer on show. */
  change: AnswerChange | undefined;
  unfreezing: Unfreezing;
}

/** Follows the selection, and tells what is known of each cell: nothing is asked of the service but what the user orders. */
export interface CellControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): CellState;
  /** Follows the selection; returns how to stop. */
  follow(): () => void;
  reload(): void;
  /** Shows one of the answers in full, or none. */
  open(place: number | null): void;
  /** Asks the service for the answer on show anew, with the date of its last change, and brings the cell up to date. */
  refresh(): void;
  /** Asks the service for the jurisdiction that the cell names: a request. */
  lookUp(): void;
  /** Brings the frozen formula of this cell back; asks first if the cell was edited. `seen`: see unfreezeFormulas. */
  unfreeze(seen?: readonly SeenFormula[]): void;
  /** Brings it back over what was typed. */
  unfreezeAnyway(): void;
  leaveFrozen(): void;
  /** Shows the cell whose formula spills here. */
  goToFormula(): void;
  /** Something that the screen did itself went wrong. */
  fail(thrown: unknown): void;
}

const pauseMs = 150;
const lookAgainMs = 1_000;
/** How often a formula that is being calculated is looked at, before the pane shows what there is. */
const mostLooks = 30;

const idle: Unfreezing = { status: "idle" };

export function createCellControl(app: PaneApp, session: Session): CellControl {
  const { workbook } = app;
  const listeners = createListeners();
  const book = createImportBook(workbook);
  let parts: KnownParts = createKnownParts(book, workbook);
  let state: CellState = {
    ...{ facts: undefined, opened: null, failure: undefined, isAsking: false, change: undefined },
    unfreezing: idle,
  };
  /** Which look is the latest: an earlier one that comes later is dropped. */
  let looks = 0;
  let isFollowing = false;
  let lookingAgain: ReturnType<typeof setTimeout> | undefined;

  function change(part: Partial<CellState>) {
    state = { ...state, ...part };
    listeners.tell();
  }

  function setFacts(facts: CellFacts) {
    const { facts: before, opened } = state;
    const isSameCell = before?.cell.address === facts.cell.address;
    if (before && !isSameCell) forgetOutcome();
    const isSameFormula = isSameCell && before.cell.formula === facts.cell.formula;
    change({ facts, opened: isSameFormula ? opened : firstOpened(facts) });
    clearTimeout(lookingAgain);
    // While a formula waits, its cell is looked at again.
    if (isFollowing && facts.cell.value === pending) lookingAgain = setTimeout(reload, lookAgainMs);
  }

  const look = () => readCellFacts({ workbook, session, parts, canSeeSpills: app.hasExcelApi(spills) });

  function reload() {
    const number = (looks += 1);
    if (state.failure) change({ failure: undefined });
    look().then(
      (next) => {
        if (number === looks) setFacts(next);
      },
      (thrown: unknown) => {
        if (number === looks) change({ facts: undefined, failure: asFailure(thrown) });
      },
    );
  }

  /** What is told of the cell before does not go on to the next. */
  function forgetOutcome() {
    const { change: changed, unfreezing } = state;
    if (changed || (unfreezing.status !== "idle" && unfreezing.status !== "running"))
      change({ change: undefined, unfreezing: idle });
  }

  function follow() {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    isFollowing = true;
    // Whoever runs through cells with the arrow keys need not wait for each.
    const onSelection = () => {
      clearTimeout(timer);
      forgetOutcome();
      timer = setTimeout(reload, pauseMs);
    };
    // Another screen may have written, frozen or forgotten some.
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
      stop?.();
    };
  }

  function act(work: () => Promise<unknown>) {
    if (state.isAsking) return;
    change({ failure: undefined, isAsking: true });
    work()
      .catch((thrown: unknown) => change({ failure: asFailure(thrown) }))
      .finally(() => change({ isAsking: false }));
  }

  /** Shows what there is now; false where the user has gone on to another cell meanwhile. */
  function show(next: CellFacts, { cell }: CellFacts): boolean {
    const isSameCell = next.cell.address === cell.address;
    if (isSameCell) setFacts(next);
    return isSameCell;
  }

  async function refresh(shown: CellFacts, place: number) {
    const answer = shown.answers[place];
    if (!answer) return;
    const { from } = answer.source;
    const isImport = from.kind === "import";
    const changed = await (isImport ? refreshImported(answer, from.kept) : refreshFormula(shown, answer));
    const next = await (isImport ? look() : lookOnceCalculated(shown));
    if (!show(next, shown)) return;
    change({ change: changed });
    const fresh = next.answers[place];
    // A matrix does not tell when its values were changed.
    const isUndated =
      fresh?.answer && !(fresh.answer instanceof Failure) && fresh.answer.cell.updatedAt === null;
    const { question } = fresh?.source ?? {};
    if (!isUndated || !question) return;
    const [dated] = (await session.lookup.ask({ questions: [question], dated: true })).values;
    const answers = next.answers.map((each) => (each === fresh && dated ? { ...each, answer: dated } : each));
    if (state.facts === next) setFacts({ ...next, answers });
  }

  async function refreshImported({ source: { question }, answer }: AnswerFacts, { saved }: KeptImport) {
    if (saved.service !== session.credentials.baseUrl) {
      throw new Failure("other-service", { detail: serviceDetail(saved.service) });
    }
    const [ahjId, typeId] = [Number(question?.ahj), Number(question?.type)];
    const { lookup, documents } = session;
    const { refreshCellNoted } = await import("../../../workbook/unfinished/noted-refresh");
    return refreshCellNoted(app.unfinished, saved, { ahjId, typeId }, answer, {
      tables: createImportTables(workbook),
      lookup,
      documents,
      digests: createDigestBook(workbook),
    });
  }

  /** Where it is not known who is asked, the formula itself asks. */
  async function refreshFormula({ cell }: CellFacts, { source, ahj, type, answer }: AnswerFacts) {
    const { ahj: ahjName, type: typeName } = source.question ?? {};
    const ahjId = typeof ahjName === "number" ? ahjName : ahj?.id;
    const typeId = typeof typeName === "number" ? typeName : type?.id;
    let changed: AnswerChange | undefined;
    if (ahjId !== undefined && typeId !== undefined) {
      const { askAnew, changeOf } = await import("../../../workbook/imports/refresh/refresh-cell");
      try {
        changed = changeOf(answer, await askAnew({ ahjId, typeId }, answer, session.lookup));
      } catch (thrown) {
        // What the service says of the question, the formula shows; where it could not be asked, the old value stays.
        if (isUnavailable(asFailure(thrown))) throw thrown;
      }
    }
    const anchor = anchorOf(cell);
    if (mayBeStuck(cell.value)) {
      // Calculating does not make Excel look again for the function; entering does.
      // Should something else stand there by now, the cell is looked at again, and shows it.
      const written = workbook.writeFormula(anchor, cell.formula, { content: cell.formula });
      // What only waits is mended by calculating, too, which a protected sheet allows.
      await (cell.value === pending ? written.catch(() => workbook.calculateCell(anchor)) : written);
    } else {
      await workbook.calculateCell(anchor);
    }
    return changed;
  }

  /** While a formula is calculated its cell waits, and nothing spills from it; when it begins, Excel does not tell. */
  async function lookOnceCalculated({ cell: { address, formula } }: CellFacts): Promise<CellFacts> {
    for (let looked = 1; ; looked += 1) {
      await session.lookup.moment(Math.min(pauseMs * looked, lookAgainMs));
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
    if (state.facts?.cell.address === shown.cell.address) setFacts({ ...state.facts, jurisdiction });
  }

  function unfreeze(
    { cell: { address } }: CellFacts,
    { formula: area, edited, atMs }: FrozenHere,
    { seen, isAnyway = false }: { seen?: readonly SeenFormula[] | undefined; isAnyway?: boolean },
  ) {
    if (edited && !isAnyway) return change({ unfreezing: { status: "asks" } });
    change({ unfreezing: { status: "running" }, failure: undefined });
    const work = async () => {
      const { unfreezeNoted } = await import("../../../workbook/unfinished/noted-freeze");
      return unfreezeNoted(app.unfinished, "sheet", workbook, {
        ...{ namespace: config.namespace, calls: app, signal: session.closed, onProgress: () => undefined },
        ...{ seen, givenUp: edited ? [edited] : [], only: { atMs, areas: [area] } },
      });
    };
    asSheetWork("refresh", "A formula is being brought back.", work)
      .then(
        (unfrozen) => change({ unfreezing: { status: "done", unfrozen, address } }),
        (thrown: unknown) => change({ unfreezing: idle, failure: asFailure(thrown) }),
      )
      .finally(() => {
        parts.forgetFrozen();
        const { failure } = state;
        reload();
        if (failure) change({ failure });
      });
  }

  function unfreezeShown(options: Parameters<typeof unfreeze>[2] = {}) {
    const { facts, unfreezing } = state;
    if (facts?.frozen && unfreezing.status !== "running") unfreeze(facts, facts.frozen, options);
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    follow,
    reload,
    open: (opened) => change({ opened, change: undefined }),
    refresh() {
      const { facts, opened } = state;
      if (facts) act(() => refresh(facts, opened ?? facts.main));
    },
    lookUp() {
      const { facts } = state;
      if (facts) act(() => lookUp(facts));
    },
    unfreeze: (seen) => unfreezeShown({ seen, isAnyway: seen !== undefined }),
    unfreezeAnyway: () => unfreezeShown({ isAnyway: true }),
    leaveFrozen: () => change({ unfreezing: idle }),
    goToFormula() {
      const { facts } = state;
      if (facts) act(() => workbook.selectCell(anchorOf(facts.cell)));
    },
    fail: (thrown) => change({ failure: asFailure(thrown) }),
  };
}

/** The answer that gives what the cell shows, or where the cell is in error, the first that fails. */
function firstOpened({ cell, answers, main }: CellFacts): number | null {
  if (answers.length === 0) return null;
  const isFailed = ({ source, answer }: AnswerFacts) => source.refusal !== null || answer instanceof Failure;
  const failed = String(cell.value).startsWith("#") ? answers.findIndex(isFailed) : -1;
  return failed >= 0 ? failed : main;
}
