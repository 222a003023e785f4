import type { Session } from "../../../app";
import { createListeners } from "../../../async/listeners";
import { onAbort } from "../../../async/on-abort";
import type { Ahj } from "../../../engine/api/schemas";
import type { JurisdictionList } from "../../../engine/lookup/search/jurisdiction-list";
import type { NameQuestion, ResolvedList, SendQuestion } from "../../../engine/lookup/search/resolve-list";
import { asFailure, Failure, type FailureKind } from "../../../errors";

/** A geoID, `ahj:` with an id, or name in a list that gives no jurisdiction, and the reason. */
export interface UnmatchedGeoid {
  geoid: string;
  /** "skipped" if the user was asked about the name and left it out. */
  kind: FailureKind | "skipped";
  /** The first line or cell of the list with this entry, from 1 on; undefined if the list is in the sheet. */
  row?: number | undefined;
}

export interface JurisdictionsState {
  /** In the order in which they were chosen; jurisdictions of a list in the list's order. */
  chosen: readonly Ahj[];
  unmatched: readonly UnmatchedGeoid[];
  /** Names that wait for the user's choice. */
  questions: readonly NameQuestion[];
  /** Asks whether entries of a list may be sent that may be no geoIDs; resolving waits for the answer. */
  sendQuestion: (SendQuestion & { answer(isAllowed: boolean): void }) | undefined;
  /** The last list as it was read. */
  lastList: JurisdictionList | undefined;
  /** The jurisdictions that the names of the last list stand for. */
  named: readonly { name: string; ahj: Ahj }[];
  /** The outcome of adding a whole state. */
  lastState: { state: string; kind: string | undefined; found: number; missing: number } | undefined;
  isResolving: boolean;
  /** The time until which resolving waits for the request limit; undefined if it does not wait. */
  waitingUntilMs: number | undefined;
  failure: Failure | undefined;
}

/** The jurisdictions that are chosen for an import, and the open questions about them. */
export interface ChosenJurisdictions {
  subscribe(listener: () => void): () => void;
  getSnapshot(): JurisdictionsState;
  add(ahjs: readonly Ahj[]): void;
  remove(ahjId: number): void;
  clear(): void;
  /** Adds the jurisdictions that `resolve` finds in a list that is being read. Returns false if that failed. */
  addList(
    list: Promise<JurisdictionList>,
    resolve: (list: JurisdictionList, options: Resolving) => Promise<ResolvedList>,
  ): Promise<boolean>;
  /** Adds every jurisdiction of a state that the key covers, or only those of a type. */
  addState(state: string, kind?: string): Promise<void>;
  /** Takes one of the candidates for the name, or none. */
  settle(question: NameQuestion, ahj: Ahj | null): void;
  /** Settles each name for which only one jurisdiction can be meant. */
  settleCertain(): void;
  /** Leaves out all names that wait for a choice. */
  skipQuestions(): void;
  /** Stops resolving. */
  cancel(): void;
}

interface Resolving {
  signal: AbortSignal;
  onWait(untilMs: number): void;
  maySend(question: SendQuestion): Promise<boolean>;
}

const nothingChosen: JurisdictionsState = {
  chosen: [],
  unmatched: [],
  questions: [],
  sendQuestion: undefined,
  lastList: undefined,
  named: [],
  lastState: undefined,
  isResolving: false,
  waitingUntilMs: undefined,
  failure: undefined,
};

export function createChosenJurisdictions({ lookup }: Pick<Session, "lookup">): ChosenJurisdictions {
  const listeners = createListeners();
  let state = nothingChosen;
  let resolving: AbortController | undefined;
  /** The place of each chosen jurisdiction, by its id. */
  const places = new Map<number, number>();
  let nextPlace = 0;
  /** The place of each entry of a list, because the user may answer its question later. */
  const placeOfEntry = new Map<string, number>();
  /** The entries and jurisdictions of the lists whose messages are shown. */
  let told = { entries: new Set<string>(), ahjIds: new Set<number>() };

  function change(part: Partial<JurisdictionsState>) {
    state = { ...state, ...part };
    listeners.tell();
  }

  function withAll(ahjs: readonly Ahj[], placeOf: (ahj: Ahj) => number | undefined = () => undefined) {
    for (const ahj of ahjs) if (!places.has(ahj.id)) places.set(ahj.id, placeOf(ahj) ?? (nextPlace += 1));
    const byId = new Map([...state.chosen, ...ahjs].map((ahj) => [ahj.id, ahj]));
    const placed = (ahj: Ahj) => places.get(ahj.id) ?? 0;
    return [...byId.values()].sort((one, other) => placed(one) - placed(other));
  }

  function withEntries(taken: readonly { entry: string; ahj: Ahj }[]) {
    const entryOf = new Map<number, string>();
    for (const { entry, ahj } of taken) if (!entryOf.has(ahj.id)) entryOf.set(ahj.id, entry);
    return withAll(
      taken.map(({ ahj }) => ahj),
      ({ id }) => placeOfEntry.get(entryOf.get(id) ?? ""),
    );
  }

  const withUnmatched = (asked: ReadonlySet<string>, missing: readonly UnmatchedGeoid[]) => [
    ...state.unmatched.filter(({ geoid }) => !asked.has(geoid)),
    ...missing,
  ];

  /**
   * Drops the messages about earlier lists if `entries` replaces these lists: if it repeats some of their entries, or if none of their
   * jurisdictions is chosen any more. Otherwise the new list comes in addition, and the messages stay.
   */
  function forgetReplaced(entries: ReadonlySet<string>) {
    const isRepeated = [...entries].some((entry) => told.entries.has(entry));
    if (!isRepeated && state.chosen.some(({ id }) => told.ahjIds.has(id))) return;
    const isGone = (entry: string) => told.entries.has(entry) && !entries.has(entry);
    change({
      questions: state.questions.filter(({ name }) => !isGone(name)),
      unmatched: state.unmatched.filter(({ geoid }) => !isGone(geoid)),
    });
    told = { entries: new Set(), ahjIds: new Set() };
  }

  const rowOf = (entry: string) => state.lastList?.rows.get(entry);

  async function ask(question: SendQuestion, signal: AbortSignal): Promise<boolean> {
    let release = () => {};
    try {
      return await new Promise<boolean>((answer, cancel) => {
        release = onAbort(signal, () => cancel(new Failure("cancelled")));
        change({ sendQuestion: { ...question, answer } });
      });
    } finally {
      release();
      change({ sendQuestion: undefined });
    }
  }

  async function run(work: (options: Resolving) => Promise<void>): Promise<boolean> {
    const controller = (resolving = new AbortController());
    change({
      failure: undefined,
      isResolving: true,
      lastList: undefined,
      named: [],
      lastState: undefined,
    });
    try {
      await work({
        signal: controller.signal,
        onWait: (waitingUntilMs) => change({ waitingUntilMs }),
        maySend: (question) => ask(question, controller.signal),
      });
      return true;
    } catch (thrown) {
      change({ failure: asFailure(thrown) });
      return false;
    } finally {
      change({ isResolving: false, waitingUntilMs: undefined });
    }
  }

  function leaveOpen(skipped: readonly NameQuestion[]) {
    const names = new Set(skipped.map(({ name }) => name));
    change({
      questions: state.questions.filter(({ name }) => !names.has(name)),
      unmatched: withUnmatched(
        names,
        skipped.map(({ name }) => ({ geoid: name, kind: "skipped", row: rowOf(name) })),
      ),
    });
  }

  function take(settled: JurisdictionsState["named"]) {
    const names = new Set(settled.map(({ name }) => name));
    for (const { ahj } of settled) told.ahjIds.add(ahj.id);
    change({
      chosen: withEntries(settled.map(({ name, ahj }) => ({ entry: name, ahj }))),
      named: [...state.named, ...settled],
      questions: state.questions.filter(({ name }) => !names.has(name)),
    });
  }

  return {
    subscribe: listeners.add,
    getSnapshot: () => state,
    add: (ahjs) => change({ chosen: withAll(ahjs) }),
    remove(ahjId) {
      places.delete(ahjId);
      change({ chosen: state.chosen.filter((ahj) => ahj.id !== ahjId) });
    },
    clear() {
      places.clear();
      placeOfEntry.clear();
      told = { entries: new Set(), ahjIds: new Set() };
      const { sendQuestion, isResolving, waitingUntilMs } = state;
      change({ ...nothingChosen, sendQuestion, isResolving, waitingUntilMs });
    },
    addList: (reading, resolve) =>
      run(async (options) => {
        const list = await reading;
        if (options.signal.aborted) throw new Failure("cancelled");
        change({ lastList: list });
        const { found, named, ambiguous, unmatched } = await resolve(list, options);
        for (const entry of list.rows.keys()) placeOfEntry.set(entry, (nextPlace += 1));
        const asked = new Set([...list.geoids, ...list.ahjIds.map((id) => `ahj:${id}`), ...list.names]);
        forgetReplaced(asked);
        const given = [...found, ...named.map(({ name, ahj }) => ({ entry: name, ahj }))];
        for (const entry of asked) told.entries.add(entry);
        for (const { ahj } of given) told.ahjIds.add(ahj.id);
        change({
          chosen: withEntries(given),
          named,
          questions: [...state.questions.filter(({ name }) => !asked.has(name)), ...ambiguous],
          unmatched: withUnmatched(
            asked,
            unmatched.map(({ entry, kind }) => ({ geoid: entry, kind, row: list.rows.get(entry) })),
          ),
        });
      }),
    async addState(code, kind) {
      await run(async (options) => {
        const { ahjs, missing } = await lookup.directory.list(code, options);
        const found = kind ? ahjs.filter(({ type }) => type === kind) : ahjs;
        change({
          chosen: withAll(found),
          lastState: { state: code, kind, found: found.length, missing },
        });
      });
    },
    settle(question, ahj) {
      if (!ahj) return leaveOpen([question]);
      take([{ name: question.name, ahj }]);
    },
    settleCertain: () =>
      take(
        state.questions.flatMap(({ name, candidates: [ahj], guess }) =>
          guess === "certain" && ahj ? [{ name, ahj }] : [],
        ),
      ),
    skipQuestions: () => leaveOpen(state.questions),
    cancel: () => resolving?.abort(),
  };
}
