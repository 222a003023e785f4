import type { Session } from "../../../app";
import { createStore } from "zustand/vanilla";
import type { Ahj } from "../../../engine/api/schemas";
import type { DirectoryProgress } from "../../../engine/lookup/directory/edition";
import { ofKinds } from "../../../engine/lookup/directory/kind-words";
import { byStateAndName } from "../../../engine/lookup/directory/state-and-name";
import { Failure } from "../../../errors";
import type { AnswerColumn } from "../../../find/answer-column";
import type { Condition } from "../../../find/conditions/condition";
import { testOf } from "../../../find/conditions/condition";
import { columnOf, eachOnce, type Find, findIn, type WantedColumn } from "../../../find/find";
import type { FindScope, SavedFind } from "../../../find/find-schema";
import type { Heaps } from "../../../find/heaps";
import { type ReadColumns, readAnswerColumns, workFor } from "../../../find/read-columns";
import { type Jobs, type Readable } from "../../jobs/jobs";
import { createSlot, type JobTools, type SlotState } from "../../jobs/slot";
import { createLatest } from "../../latest";
import { plural } from "../../ui/labels";
import { conditionOf, missingWords } from "./condition-draft";
import type { ConditionDraft, FindDraft, Within } from "./find-draft";

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

/** The facts that are known of the conditions that the user is writing. */
export interface FindState {
  /** Reasons why conditions can't be used, by the condition's id. */
  problems: ReadonlyMap<number, Failure>;
  /** The number of jurisdictions to look among; null until it is known. */
  among: number | null;
  /** The answers that have been read, by the question's id. */
  columns: ReadonlyMap<number, AnswerColumn>;
  /** Null if no request is needed, or the need is not known yet. */
  need: FindNeed | null;
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

/** "kept" reads what is stored and sends no request. */
type Reach = "kept" | "all";

export interface FindControl extends Readable<FindState> {
  /** The reading of jurisdictions and answers: the one that runs, or the last one with its failure. */
  reading: Readable<SlotState<Reach, FindNeed | null>>;
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

/** The draft whose conditions a find answers. */
export interface FindDrafts {
  current(): FindDraft;
  /** Calls `listener` after each change; returns a function that stops it. */
  subscribe(listener: (now: FindDraft, before: FindDraft) => void): () => void;
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

const nothingKnown: FindState = {
  problems: new Map(),
  among: null,
  columns: new Map(),
  need: null,
  old: null,
  missing: 0,
  result: null,
};

/** Finds jurisdictions by their answers. It asks the service only when `run` is called; every other change is answered from memory. */
export function createFindControl(
  { lookup, limit }: Pick<Session, "lookup" | "limit">,
  jobs: Jobs,
  drafts: FindDrafts,
): FindControl {
  const { directory, answers } = lookup;
  const store = createStore<FindState>(() => nothingKnown);
  const slot = createSlot<Reach, FindNeed | null>(jobs);
  let among: Among | null = null;
  let kept = new Map<number, KeptColumn>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  /** An estimate that was begun before the last change is dropped. */
  const beginEstimate = createLatest();

  const stopFollowing = drafts.subscribe((now, before) => {
    if (now === before) return;
    if (now.within === before.within) return update();
    slot.giveUp();
    slot.dismiss();
    among = null;
    kept = new Map();
    update({ need: null, old: null, missing: 0 });
  });

  /** Shows a change with its result, and finds out which answers it lacks. */
  function update(part: Partial<FindState> = {}) {
    const isLatest = beginEstimate();
    store.setState({ ...part, ...answered() });
    clearTimeout(timer);
    if (slot.isRunning()) return;
    if (lackingColumns().length === 0) store.setState({ need: null });
    else timer = setTimeout(() => void estimate(isLatest), estimateDelayMs);
  }

  function answered(): Pick<FindState, "problems" | "result" | "among" | "columns"> {
    const { conditions: begun, match } = drafts.current();
    const problems = new Map<number, Failure>();
    const conditions: Condition[] = [];
    const nowMs = Date.now();
    for (const draft of begun) {
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
      begun.every((draft) => missingWords(draft) === null) &&
      problems.size === 0 &&
      wantedBy(begun).every(isThere);
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
    wantedBy(drafts.current().conditions).filter(
      (wanted) => !isThere(wanted) || !kept.get(wanted.type.id)?.isWhole,
    );

  /** Estimates the requests for the lacking answers from the stored data. If no request is needed, the answers are read at once. */
  async function estimate(isLatest: () => boolean) {
    try {
      const known = among ?? (await keptAmong());
      if (!isLatest() || slot.isRunning()) return;
      if (!known) return store.setState({ need: { questions: lackingColumns().length, answers: null } });
      among = known;
      const lacking = lackingColumns();
      await answers.recall(known.ids);
      const requests = await lookup.requestsFor(workFor(known.ids, lacking));
      if (!isLatest() || slot.isRunning()) return;
      const hasFailed = slot.getState().status === "failed";
      if (requests === 0 && !hasFailed && !lacking.every(isThere)) return void start("kept");
      store.setState({ need: { questions: lacking.length, answers: requests }, ...answered() });
    } catch (thrown) {
      if (isLatest()) slot.fail(thrown);
    }
  }

  /** The jurisdictions from the stored lists; null if the service has to be asked, because a list is missing or from an earlier day. */
  async function keptAmong(): Promise<Among | null> {
    const listed = await listAmong({ keptOnly: true }).catch(() => null);
    const isOfToday =
      drafts.current().within.kind === "chosen" || listed?.ids.every((id) => directory.byId(id));
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
    const { within } = drafts.current();
    if (within.kind === "chosen") return amongThese(within.ahjs, 0);
    if (within.kind === "all") {
      const { ahjs, missing } = await directory.load(onProgress, options);
      return amongThese([...ofKinds(ahjs, within.kinds)].sort(byStateAndName), missing);
    }
    const lists = await Promise.all(within.states.map((state) => directory.list(state, options)));
    const missing = lists.reduce((sum, list) => sum + list.missing, 0);
    const all = lists.flatMap(({ ahjs }) => ofKinds(ahjs, within.kinds));
    return amongThese(all.sort(byStateAndName), missing);
  }

  /** Lists jurisdictions and reads answers. A reading of what is stored gives way to one that sends requests. */
  async function start(reach: Reach) {
    const state = slot.getState();
    if (state.status === "running" && state.order === reach) return;
    clearTimeout(timer);
    store.setState({ need: null });
    const job = { kind: "reads", title: "Jurisdictions are being looked for by their answers." } as const;
    const end = await slot.restart(reach, job, (tools) => read(tools, reach === "kept"));
    if (end.status === "failed" && end.failure.kind === "cancelled") slot.dismiss();
    if (slot.isRunning() || isOver) return;
    update({ missing: among?.missing ?? 0 });
    if (end.status === "done" && end.result) store.setState({ need: end.result });
  }

  /** Returns the need if the answers take more requests than are left; null if they have been read. Fails if some could not be had. */
  async function read({ signal, tell }: JobTools, keptOnly: boolean): Promise<FindNeed | null> {
    const options = { signal, keptOnly };
    const onWait = (waitingUntilMs: number) => void tell({ waitingUntilMs });
    if (!among) {
      tell({ step: "Reading the list of jurisdictions" });
      const listed = await listAmong({
        ...options,
        onWait,
        onProgress: ({ loaded, total }) =>
          tell({
            step: `Listed ${loaded.toLocaleString()} of ${plural(total, "jurisdiction")}.`,
            progress: { phase: "jurisdictions", done: loaded, total },
            waitingUntilMs: undefined,
          }),
      });
      if (signal.aborted) throw new Failure("cancelled");
      among = listed;
      const need = await tooManyFor(listed);
      if (need) return need;
    }
    const lacking = lackingColumns();
    const total = among.ids.length * lacking.length;
    const onProgress = (done: number) =>
      tell({
        step: `Fetched ${done.toLocaleString()} of ${plural(total, "answer")}.`,
        progress: { phase: "answers", done, total },
        waitingUntilMs: undefined,
      });
    onProgress(0);
    const { columns, failure, old } = await readAnswerColumns(among.ids, lacking, answers, {
      ...options,
      ...{ onWait, onProgress },
    });
    if (signal.aborted) throw new Failure("cancelled");
    const isWhole = failure === undefined;
    kept = new Map([
      ...kept,
      ...columns.map((column) => [column.type.id, { column, isWhole, old }] as const),
    ]);
    store.setState({ old: oldOf(kept.values()), ...answered() });
    if (failure) throw failure;
    return null;
  }

  /** Returns the need if the answers take more requests than are left, so that the user decides again; null otherwise. */
  async function tooManyFor({ ids }: Among): Promise<FindNeed | null> {
    await answers.recall(ids);
    const lacking = lackingColumns();
    const requests = await lookup.requestsFor(workFor(ids, lacking));
    return requests > (limit().left ?? Infinity) ? { questions: lacking.length, answers: requests } : null;
  }

  return {
    ...store,
    reading: slot,
    run() {
      if (store.getState().problems.size === 0) void start("all");
    },
    cancel() {
      if (!slot.isRunning()) return;
      slot.giveUp();
      update();
    },
    take(hasNotKnown) {
      const { result } = store.getState();
      if (!result) return null;
      const { ahjs, heaps, find } = result;
      const taken = ahjs.filter((_, place) => {
        const heap = heaps.heapOf(place);
        return heap === "yes" || (hasNotKnown && heap === "not-known");
      });
      const isRefreshable = !hasNotKnown || heaps.counts["not-known"] === 0;
      return {
        ahjs: taken,
        find: isRefreshable ? { ...find, within: scopeOf(drafts.current().within) } : undefined,
      };
    },
    end() {
      isOver = true;
      stopFollowing();
      beginEstimate();
      clearTimeout(timer);
      slot.giveUp();
    },
  };
}

/** The questions that the drafts have chosen, each once: their answers are also offered as values. */
function wantedBy(conditions: readonly ConditionDraft[]): WantedColumn[] {
  return eachOnce(
    conditions.flatMap(({ type, operator }) => {
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
