import type { Session } from "../../../app";
import { createListeners } from "../../../async/listeners";
import { onAbort } from "../../../async/on-abort";
import type { Ahj } from "../../../engine/api/schemas";
import type { How } from "../../../engine/lookup/lists/read-code";
import { keyOf, type ReadList } from "../../../engine/lookup/lists/list-entries";
import type {
  FoundEntry,
  NameQuestion,
  ResolvedList,
  SendQuestion,
  UnmatchedEntry,
} from "../../../engine/lookup/lists/resolve-list";
import { asFailure, Failure, type FailureKind } from "../../../errors";

/** An entry of a list that gives no jurisdiction, and the reason. */
export interface Unmatched extends Omit<UnmatchedEntry, "kind"> {
  /** "skipped" if the user was asked about the name and left it out. */
  kind: FailureKind | "skipped";
  /** The first line or row of the list with this entry, from 1 on. */
  row?: number | undefined;
}

export interface JurisdictionsState {
  /** In the order in which they were chosen; jurisdictions of a list in the list's order. */
  chosen: readonly Ahj[];
  unmatched: readonly Unmatched[];
  /** Names that wait for the user's choice. */
  questions: readonly NameQuestion[];
  /** Asks whether entries of a list may be sent that may be no geoIDs; resolving waits for the answer. */
  sendQuestion: (SendQuestion & { answer(isAllowed: boolean): void }) | undefined;
  /** The last list as it was read. */
  lastList: ReadList | undefined;
  /** The entries of the last list that stand for a jurisdiction, those that were left out included. */
  found: readonly FoundEntry[];
  /** The kinds of corrections in the last list that the user has left out. */
  leftOut: ReadonlySet<How>;
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
  /** Chooses none any more, and gives up what is being resolved. */
  clear(): void;
  /** Adds the jurisdictions that `resolve` finds in a list that is being read. Returns false if that failed. */
  addList(
    list: Promise<ReadList>,
    resolve: (list: ReadList, options: Resolving) => Promise<ResolvedList>,
  ): Promise<boolean>;
  /** Adds every jurisdiction of a state that the key covers, or only those of a type. */
  addState(state: string, kind?: string): Promise<void>;
  /** Takes one of the candidates for the name, or none. */
  settle(question: NameQuestion, ahj: Ahj | null): void;
  /** Takes the only candidate of each name for which there is one. */
  settleGuesses(): void;
  /** Leaves out all names that wait for a choice. */
  skipQuestions(): void;
  /** Leaves out the entries of the last list that were corrected in a way, or takes them again. */
  leaveOut(how: How, isLeftOut: boolean): void;
  /** Takes geoIDs that were offered in place of entries: the successor of a code, the county of a tract. */
  takeOffers(offers: readonly { key: string; geoid: string }[]): Promise<void>;
  /** Stops resolving; the failure "cancelled" says so. */
  cancel(): void;
}

interface Resolving {
  signal: AbortSignal;
  onWait(untilMs: number): void;
  maySend(question: SendQuestion): Promise<boolean>;
}

const nothingRead = { lastList: undefined, found: [], leftOut: new Set<How>(), lastState: undefined };

const nothingChosen: JurisdictionsState = {
  chosen: [],
  unmatched: [],
  questions: [],
  sendQuestion: undefined,
  ...nothingRead,
  isResolving: false,
  waitingUntilMs: undefined,
  failure: undefined,
};

/** The row of each entry's first place in a list, by its key; by its text if it was not understood. */
function rowsIn({ entries }: ReadList): Map<string, number> {
  const rows = new Map<string, number>();
  for (const { given, row, meaning } of entries) {
    const key = keyOf(meaning) ?? given;
    if (!rows.has(key)) rows.set(key, row);
  }
  return rows;
}

export function createChosenJurisdictions({ lookup }: Pick<Session, "lookup">): ChosenJurisdictions {
  const listeners = createListeners();
  let state = nothingChosen;
  let resolving: AbortController | undefined;
  /** The place of each chosen jurisdiction, by its id. */
  const places = new Map<number, number>();
  let nextPlace = 0;
  /** The place of each entry of a list, because the user may answer its question later. */
  const placeOfEntry = new Map<string, number>();
  /** The row of each entry of the last list. */
  let rows: ReadonlyMap<string, number> = new Map();
  /** The entries and jurisdictions of the lists whose messages are shown. */
  let told = { keys: new Set<string>(), ahjIds: new Set<number>() };
  /** The jurisdictions that were chosen before the last list came. */
  let chosenBefore = new Set<number>();

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

  function withEntries(taken: readonly FoundEntry[]) {
    const keyOfAhj = new Map<number, string>();
    for (const { key, ahj } of taken) if (!keyOfAhj.has(ahj.id)) keyOfAhj.set(ahj.id, key);
    return withAll(
      taken.map(({ ahj }) => ahj),
      ({ id }) => placeOfEntry.get(keyOfAhj.get(id) ?? ""),
    );
  }

  const withUnmatched = (asked: ReadonlySet<string>, missing: readonly Unmatched[]) => [
    ...state.unmatched.filter(({ key }) => !asked.has(key)),
    ...missing,
  ];

  /**
   * Drops the messages about earlier lists if `keys` replace these lists: if they repeat some of their entries, or if none of their
   * jurisdictions is chosen any more. Otherwise the new list comes in addition, and the messages stay.
   */
  function forgetReplaced(keys: ReadonlySet<string>) {
    const isRepeated = [...keys].some((key) => told.keys.has(key));
    if (!isRepeated && state.chosen.some(({ id }) => told.ahjIds.has(id))) return;
    const isGone = (key: string) => told.keys.has(key) && !keys.has(key);
    change({
      questions: state.questions.filter(({ key }) => !isGone(key)),
      unmatched: state.unmatched.filter(({ key }) => !isGone(key)),
    });
    told = { keys: new Set(), ahjIds: new Set() };
  }

  async function ask(question: SendQuestion, signal: AbortSignal): Promise<boolean> {
    let release = () => {};
    let asked: JurisdictionsState["sendQuestion"];
    try {
      return await new Promise<boolean>((answer, cancel) => {
        release = onAbort(signal, () => cancel(new Failure("cancelled")));
        asked = { ...question, answer };
        change({ sendQuestion: asked });
      });
    } finally {
      release();
      if (state.sendQuestion === asked) change({ sendQuestion: undefined });
    }
  }

  /** Gives up what is being resolved, so that nothing of it is chosen or shown any more. */
  function giveUp() {
    resolving?.abort();
    resolving = undefined;
  }

  /** Finds jurisdictions, then takes them. A run that begins gives up the one before, because the user has asked for something else. */
  async function run<Found>(
    find: (options: Resolving) => Promise<Found>,
    choose: (found: Found) => void,
  ): Promise<boolean> {
    giveUp();
    const controller = (resolving = new AbortController());
    const { signal } = controller;
    const isLatest = () => resolving === controller;
    const tell = (part: Partial<JurisdictionsState>) => isLatest() && change(part);
    change({ failure: undefined, isResolving: true, waitingUntilMs: undefined });
    try {
      const found = await find({
        signal,
        onWait: (waitingUntilMs) => tell({ waitingUntilMs }),
        maySend: (question) => ask(question, signal),
      });
      if (signal.aborted) throw new Failure("cancelled");
      choose(found);
      return true;
    } catch (thrown) {
      tell({ failure: asFailure(thrown) });
      return false;
    } finally {
      tell({ isResolving: false, waitingUntilMs: undefined });
    }
  }

  function leaveOpen(skipped: readonly NameQuestion[]) {
    const keys = new Set(skipped.map(({ key }) => key));
    change({
      questions: state.questions.filter(({ key }) => !keys.has(key)),
      unmatched: withUnmatched(
        keys,
        skipped.map(({ key, name }) => ({ key, given: name, kind: "skipped", row: rows.get(key) })),
      ),
    });
  }

  function take(taken: readonly FoundEntry[]) {
    const keys = new Set(taken.map(({ key }) => key));
    for (const { ahj } of taken) told.ahjIds.add(ahj.id);
    change({
      chosen: withEntries(taken),
      found: [...state.found, ...taken],
      questions: state.questions.filter(({ key }) => !keys.has(key)),
      unmatched: state.unmatched.filter(({ key }) => !keys.has(key)),
    });
  }

  const settled = ({ key, name, guess }: NameQuestion, ahj: Ahj): FoundEntry => {
    return { key, given: name, ahj, how: guess ? "name-guessed" : "name" };
  };

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
      told = { keys: new Set(), ahjIds: new Set() };
      giveUp();
      change(nothingChosen);
    },
    addList(reading, resolve) {
      change(nothingRead);
      const find = async (options: Resolving) => {
        const list = await reading;
        if (options.signal.aborted) throw new Failure("cancelled");
        change({ lastList: list });
        return { list, ...(await resolve(list, options)) };
      };
      return run(find, ({ list, found, ambiguous, unmatched }) => {
        rows = rowsIn(list);
        for (const key of rows.keys()) placeOfEntry.set(key, (nextPlace += 1));
        const keys = new Set(rows.keys());
        forgetReplaced(keys);
        for (const key of keys) told.keys.add(key);
        for (const { ahj } of found) told.ahjIds.add(ahj.id);
        chosenBefore = new Set(state.chosen.map(({ id }) => id));
        change({
          chosen: withEntries(found),
          found,
          questions: [...state.questions.filter(({ key }) => !keys.has(key)), ...ambiguous],
          unmatched: withUnmatched(
            keys,
            unmatched.map((entry) => ({ ...entry, row: rows.get(entry.key) })),
          ),
        });
      });
    },
    async addState(code, kind) {
      change(nothingRead);
      await run(
        (options) => lookup.directory.list(code, options),
        ({ ahjs, missing }) => {
          const found = kind ? ahjs.filter(({ type }) => type === kind) : ahjs;
          change({
            chosen: withAll(found),
            lastState: { state: code, kind, found: found.length, missing },
          });
        },
      );
    },
    settle(question, ahj) {
      if (!ahj) return leaveOpen([question]);
      take([settled(question, ahj)]);
    },
    settleGuesses: () =>
      take(
        state.questions.flatMap((question) => {
          const ahj = onlyGuess(question);
          return ahj ? [settled(question, ahj)] : [];
        }),
      ),
    skipQuestions: () => leaveOpen(state.questions),
    leaveOut(how, isLeftOut) {
      const leftOut = new Set(state.leftOut);
      if (isLeftOut) leftOut.add(how);
      else leftOut.delete(how);
      const kept = state.found.filter((entry) => !leftOut.has(entry.how));
      const keptIds = new Set(kept.map(({ ahj }) => ahj.id));
      const gone = new Set(
        state.found.flatMap(({ ahj: { id } }) => (keptIds.has(id) || chosenBefore.has(id) ? [] : [id])),
      );
      for (const id of gone) places.delete(id);
      change({ leftOut, chosen: state.chosen.filter(({ id }) => !gone.has(id)) });
      if (!isLeftOut) change({ chosen: withEntries(kept) });
    },
    async takeOffers(offers) {
      const geoids = offers.map(({ geoid }) => geoid);
      const find = (options: Resolving) => lookup.directory.resolve(geoids, options);
      await run(find, (resolutions) => {
        const taken: FoundEntry[] = [];
        const failed = new Map<string, FailureKind>();
        for (const { key, geoid } of offers) {
          const outcome = resolutions.get(geoid) ?? new Failure("unresolved-jurisdiction");
          if (outcome instanceof Failure) failed.set(key, outcome.kind);
          else taken.push({ key, given: key, ahj: outcome, how: "replaced" });
        }
        take(taken);
        change({
          unmatched: state.unmatched.map((entry): Unmatched => {
            const kind = failed.get(entry.key);
            return kind === undefined ? entry : { key: entry.key, given: entry.given, kind, row: entry.row };
          }),
        });
      });
    },
    cancel: () => resolving?.abort(),
  };
}

/** The jurisdiction of a guess that has no other; undefined for names that several jurisdictions have. */
export function onlyGuess({ guess, candidates: [ahj, other] }: NameQuestion): Ahj | undefined {
  return guess && !other ? ahj : undefined;
}
