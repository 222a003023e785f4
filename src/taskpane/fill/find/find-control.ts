import type { Session } from "../../../app";
import { createListeners } from "../../../async/listeners";
import type { Ahj } from "../../../engine/api/schemas";
import type { DirectoryProgress } from "../../../engine/lookup/directory/edition";
import { byStateAndName } from "../../../engine/lookup/directory/state-and-name";
import { asFailure, Failure } from "../../../errors";
import type { AnswerColumn } from "../../../find/answer-column";
import type { Condition } from "../../../find/conditions/condition";
import { testOf } from "../../../find/conditions/condition";
import { columnOf, eachOnce, type Find, findIn, mostConditions, type WantedColumn } from "../../../find/find";
import type { FindScope, SavedFind } from "../../../find/find-schema";
import type { Heaps, Match } from "../../../find/heaps";
import { type ReadColumns, readAnswerColumns, workFor } from "../../../find/read-columns";
import { type ConditionDraft, conditionOf, missingWords, newDraft } from "./condition-draft";

/** The jurisdictions to look among. */
export type Within =
  | { kind: "all" }
  | { kind: "states"; states: readonly string[] }
  /** The jurisdictions chosen in the pane, or those of an import's rows. */
  | { kind: "chosen"; ahjs: readonly Ahj[] };

export type FindWork =
  | { phase: "jurisdictions"; progress: DirectoryProgress | undefined; waitingUntilMs: number | undefined }
  | { phase: "answers"; done: number; total: number; waitingUntilMs: number | undefined };

/** The requests that are needed before the conditions can be answered. */
export interface FindNeed {
  /** The number of questions whose answers are still lacking. */
  questions: number;
  /** The number of requests for answers; null if the jurisdictions are not known, so that they are listed first. */
  answers: number | null;
}

export interface FindResult {
  find: Find;
  /** The jurisdictions that were looked among. The heaps refer to them by their places. */
  ahjs: readonly Ahj[];
  heaps: Heaps;
}

export interface FindState {
  within: Within;
  /** The states that were chosen last. They come back when the user returns from another choice. */
  lastStates: readonly string[];
  match: Match;
  drafts: readonly ConditionDraft[];
  /** Reasons why conditions can't be used, by the draft's id. */
  problems: ReadonlyMap<number, Failure>;
  /** The number of jurisdictions to look among; null until it is known. */
  among: number | null;
  /** The answers that have been read, by the question's id. */
  columns: ReadonlyMap<number, AnswerColumn>;
  /** Null if no request is needed, or the need is not known yet. */
  need: FindNeed | null;
  work: FindWork | null;
  /** The reason why answers could not be had. */
  failure: Failure | undefined;
  old: ReadColumns["old"];
  /** The number of jurisdictions that the service counts and does not list. */
  missing: number;
  /** Null until every condition that was begun is complete and its answers are there. */
  result: FindResult | null;
}

/** The part of a result that becomes the jurisdictions of an import. */
export interface Taken {
  ahjs: readonly Ahj[];
  /** Undefined if jurisdictions are included that are not known to meet the conditions: a refresh of the find would drop them. */
  find: SavedFind | undefined;
}

export interface FindControl {
  subscribe(listener: () => void): () => void;
  getSnapshot(): FindState;
  lookWithin(within: Within): void;
  setMatch(match: Match): void;
  addCondition(): void;
  changeCondition(draft: ConditionDraft): void;
  removeCondition(id: number): void;
  /**
   * Lists the jurisdictions and asks for the answers that are needed. Stops before the answers if they take more requests than are left.
   * Sends nothing while a condition can't be used.
   */
  run(): void;
  cancel(): void;
  take(hasNotKnown: boolean): Taken | null;
  /** Ends all work when the screen is left. */
  end(): void;
}

/** The pause before an estimate: the user may go on changing conditions. */
const estimateDelayMs = 150;

/** A question's answers. `isWhole` is true if all of them could be had. */
interface KeptColumn {
  column: AnswerColumn;
  isWhole: boolean;
  /** The old answers of the reading that gave the column, which other columns may share. */
  old: ReadColumns["old"];
}

/** The jurisdictions to look among. */
interface Among {
  ahjs: readonly Ahj[];
  ids: readonly number[];
  missing: number;
}

/** Finds jurisdictions by their answers. It asks the service only when `run` is called; every other change is answered from memory. */
export function createFindControl({ lookup, limit }: Pick<Session, "lookup" | "limit">): FindControl {
  const { directory, answers } = lookup;
  const listeners = createListeners();
  let nextId = 2;
  let among: Among | null = null;
  let kept = new Map<number, KeptColumn>();
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  /** The number of changes so far. An estimate that was begun before the last change is dropped. */
  let changes = 0;
  let state: FindState = {
    lastStates: [],
    within: { kind: "all" },
    match: "all",
    drafts: [newDraft(1)],
    problems: new Map(),
    among: null,
    columns: new Map(),
    need: null,
    work: null,
    failure: undefined,
    old: null,
    missing: 0,
    result: null,
  };

  function show(change: Partial<FindState>) {
    state = { ...state, ...change };
    listeners.tell();
  }

  /** Shows a change with its result, and finds out which answers it lacks. */
  function change(part: Partial<FindState>) {
    changes += 1;
    show({ ...part, ...answered({ ...state, ...part }) });
    clearTimeout(timer);
    if (isOver || running) return;
    const lacking = lackingColumns();
    if (lacking.length === 0) return show({ need: null });
    timer = setTimeout(() => void estimate(), estimateDelayMs);
  }

  function answered({
    drafts,
    match,
  }: FindState): Pick<FindState, "problems" | "result" | "among" | "columns"> {
    const problems = new Map<number, Failure>();
    const conditions: Condition[] = [];
    const nowMs = Date.now();
    for (const draft of drafts) {
      const condition = conditionOf(draft);
      if (!condition) continue;
      const test = testOf(condition, nowMs);
      if (test instanceof Failure) problems.set(draft.id, test);
      else conditions.push(condition);
    }
    const columns = new Map([...kept].map(([typeId, { column }]) => [typeId, column]));
    const isReady =
      (among?.ids.length ?? 0) > 0 &&
      conditions.length > 0 &&
      // Without the incomplete condition, the result would be wider than the conditions on the screen say.
      drafts.every((draft) => missingWords(draft) === null) &&
      problems.size === 0 &&
      wantedBy(drafts).every(isThere);
    const find = { match, conditions };
    const result =
      among && isReady
        ? { find, ahjs: among.ahjs, heaps: findIn(among.ahjs.length, (id) => columns.get(id), find, nowMs) }
        : null;
    return { problems, columns, among: among?.ahjs.length ?? null, result };
  }

  const isThere = ({ type, isDated }: WantedColumn) => {
    const column = kept.get(type.id)?.column;
    return column !== undefined && (!isDated || column.updatedMs !== undefined);
  };
  const lackingColumns = () =>
    wantedBy(state.drafts).filter((wanted) => !isThere(wanted) || !kept.get(wanted.type.id)?.isWhole);

  /** Estimates the requests for the lacking answers from the stored data. If no request is needed, the answers are read at once. */
  async function estimate() {
    const before = changes;
    try {
      const known = among ?? (await keptAmong());
      if (before !== changes || running) return;
      if (!known) return show({ need: { questions: lackingColumns().length, answers: null } });
      among = known;
      const lacking = lackingColumns();
      await answers.recall(known.ids);
      const requests = await lookup.requestsFor(workFor(known.ids, lacking));
      if (before !== changes || running) return;
      if (requests === 0 && !state.failure && !lacking.every(isThere)) return void start(true);
      show({ need: { questions: lacking.length, answers: requests }, ...answered(state) });
    } catch (thrown) {
      if (before === changes) show({ failure: asFailure(thrown) });
    }
  }

  /** The jurisdictions from the stored lists; null if the service has to be asked, because a list is missing or from an earlier day. */
  async function keptAmong(): Promise<Among | null> {
    const listed = await listAmong({ keptOnly: true }).catch(() => null);
    const isOfToday = state.within.kind === "chosen" || listed?.ids.every((id) => directory.byId(id));
    return isOfToday ? listed : null;
  }

  async function listAmong({
    onProgress,
    ...options
  }: {
    keptOnly?: boolean;
    signal?: AbortSignal;
    onWait?: (untilMs: number) => void;
    onProgress?: (progress: DirectoryProgress) => void;
  }): Promise<Among> {
    const { within } = state;
    if (within.kind === "chosen") return amongThese(within.ahjs, 0);
    if (within.kind === "all") {
      const { ahjs, missing } = await directory.load(onProgress, options);
      return amongThese([...ahjs].sort(byStateAndName), missing);
    }
    const lists = await Promise.all(within.states.map((state) => directory.list(state, options)));
    const missing = lists.reduce((sum, list) => sum + list.missing, 0);
    return amongThese(lists.flatMap(({ ahjs }) => ahjs).sort(byStateAndName), missing);
  }

  /** Lists jurisdictions and reads answers. With `keptOnly` it sends no request. */
  async function start(keptOnly: boolean) {
    if (running) return;
    clearTimeout(timer);
    const controller = (running = new AbortController());
    const { signal } = controller;
    const isCurrent = () => running === controller;
    const work = (next: FindWork) => isCurrent() && show({ work: next });
    const options = { signal, keptOnly };
    let need: FindNeed | null = null;
    let failure: Failure | undefined;
    show({ failure: undefined, need: null });
    try {
      let progress: DirectoryProgress | undefined;
      if (!among) {
        work({ phase: "jurisdictions", progress, waitingUntilMs: undefined });
        const listed = await listAmong({
          ...options,
          onWait: (waitingUntilMs) => work({ phase: "jurisdictions", progress, waitingUntilMs }),
          onProgress: (now) =>
            work({ phase: "jurisdictions", progress: (progress = now), waitingUntilMs: undefined }),
        });
        if (!isCurrent()) return;
        among = listed;
        need = await tooManyFor(listed);
      }
      if (!need && isCurrent())
        failure = await readAnswers(among, lackingColumns(), { work, isCurrent, options });
    } catch (thrown) {
      failure = asFailure(thrown);
    }
    if (!isCurrent()) return;
    running = undefined;
    const isCancelled = failure?.kind === "cancelled";
    change({ work: null, missing: among?.missing ?? 0, failure: isCancelled ? undefined : failure });
    if (need) show({ need });
  }

  /** Returns the need if the answers take more requests than are left, so that the user decides again; null otherwise. */
  async function tooManyFor({ ids }: Among): Promise<FindNeed | null> {
    await answers.recall(ids);
    const lacking = lackingColumns();
    const requests = await lookup.requestsFor(workFor(ids, lacking));
    return requests > (limit().left ?? Infinity) ? { questions: lacking.length, answers: requests } : null;
  }

  async function readAnswers(
    { ids }: Among,
    lacking: readonly WantedColumn[],
    {
      work,
      isCurrent,
      options,
    }: {
      work: (next: FindWork) => void;
      isCurrent: () => boolean;
      options: { signal: AbortSignal; keptOnly: boolean };
    },
  ): Promise<Failure | undefined> {
    const total = ids.length * lacking.length;
    let done = 0;
    const tell = (waitingUntilMs?: number) => work({ phase: "answers", done, total, waitingUntilMs });
    tell();
    const { columns, failure, old } = await readAnswerColumns(ids, lacking, answers, {
      ...options,
      onWait: tell,
      onProgress(cells) {
        done = cells;
        tell();
      },
    });
    if (!isCurrent()) return undefined;
    kept = new Map([
      ...kept,
      ...columns.map((column) => [column.type.id, { column, isWhole: failure === undefined, old }] as const),
    ]);
    show({ old: oldOf(kept.values()) });
    return failure;
  }

  function stop() {
    running?.abort();
    running = undefined;
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    lookWithin(within) {
      stop();
      among = null;
      kept = new Map();
      const lastStates = within.kind === "states" ? within.states : state.lastStates;
      change({ within, lastStates, work: null, need: null, failure: undefined, old: null, missing: 0 });
    },
    setMatch: (match) => change({ match }),
    addCondition() {
      if (state.drafts.length < mostConditions) change({ drafts: [...state.drafts, newDraft(nextId++)] });
    },
    changeCondition: (draft) =>
      change({ drafts: state.drafts.map((each) => (each.id === draft.id ? draft : each)) }),
    removeCondition(id) {
      const rest = state.drafts.filter((draft) => draft.id !== id);
      change({ drafts: rest.length > 0 ? rest : [newDraft(nextId++)] });
    },
    run() {
      if (state.problems.size === 0) void start(false);
    },
    cancel() {
      if (!running) return;
      stop();
      change({ work: null });
    },
    take(hasNotKnown) {
      if (!state.result) return null;
      const { ahjs, heaps, find } = state.result;
      const taken = ahjs.filter((_, place) => {
        const heap = heaps.heapOf(place);
        return heap === "yes" || (hasNotKnown && heap === "not-known");
      });
      const isLiving = !hasNotKnown || heaps.counts["not-known"] === 0;
      return { ahjs: taken, find: isLiving ? { ...find, within: scopeOf(state.within) } : undefined };
    },
    end() {
      isOver = true;
      clearTimeout(timer);
      stop();
    },
  };
}

/** The questions that the drafts have chosen, each once: their answers are also offered as values. */
function wantedBy(drafts: readonly ConditionDraft[]): WantedColumn[] {
  return eachOnce(
    drafts.flatMap(({ type, operator }) => {
      if (!type) return [];
      const { id, name, unit_of_measure } = type;
      return columnOf({ type: { id, name, unit_of_measure }, operator });
    }),
  );
}

/** The old answers of all readings whose columns are kept. */
function oldOf(columns: Iterable<KeptColumn>): ReadColumns["old"] {
  const readings = new Set([...columns].flatMap(({ old }) => old ?? []));
  if (readings.size === 0) return null;
  const counts = [...readings].map(({ count }) => count);
  const times = [...readings].map(({ oldestMs }) => oldestMs);
  return { count: counts.reduce((sum, count) => sum + count, 0), oldestMs: Math.min(...times) };
}

function scopeOf(within: Within): FindScope {
  if (within.kind !== "chosen") return within;
  return { kind: "chosen", ahjIds: within.ahjs.map(({ id }) => id) };
}

function amongThese(ahjs: readonly Ahj[], missing: number): Among {
  return { ahjs, ids: ahjs.map(({ id }) => id), missing };
}
