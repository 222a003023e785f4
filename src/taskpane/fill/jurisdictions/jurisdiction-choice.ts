import type { Ahj } from "../../../engine/api/schemas";
import type { How } from "../../../engine/lookup/lists/read-code";
import { keyOf, type ReadList } from "../../../engine/lookup/lists/list-entries";
import type {
  FoundEntry,
  NameQuestion,
  ResolvedList,
  UnmatchedEntry,
} from "../../../engine/lookup/lists/resolve-list";
import type { FailureKind } from "../../../errors";

/** An entry of a list that gives no jurisdiction, and the reason. */
export interface Unmatched extends Omit<UnmatchedEntry, "kind"> {
  /** "skipped" if the user was asked about the name and left it out. */
  kind: FailureKind | "skipped";
  /** The first line or row of the list with this entry, from 1 on. */
  row?: number | undefined;
}

/** The jurisdictions that a user has chosen, and the open questions about them. */
export interface JurisdictionChoice {
  /** In the order in which they were chosen; jurisdictions of a list in the list's order. */
  chosen: readonly Ahj[];
  unmatched: readonly Unmatched[];
  /** Names that wait for the user's choice. */
  questions: readonly NameQuestion[];
  /** The last list as it was read. */
  lastList: ReadList | undefined;
  /** The entries of the last list that stand for a jurisdiction, those that were left out included. */
  found: readonly FoundEntry[];
  /** The kinds of corrections in the last list that the user has left out. */
  leftOut: ReadonlySet<How>;
  /** The outcome of adding a whole state. */
  lastState: { state: string; kind: string | undefined; found: number; missing: number } | undefined;
  order: EntryOrder;
}

/** The facts that decide the order of the jurisdictions, and which messages a further list replaces. */
interface EntryOrder {
  /** The place of each chosen jurisdiction, by its id. */
  places: ReadonlyMap<number, number>;
  /** The place of each entry of a list, by its key, because the user may answer its question later. */
  placeOfEntry: ReadonlyMap<string, number>;
  /** The row of each entry of the last list, by its key. */
  rows: ReadonlyMap<string, number>;
  /** The keys and jurisdictions of the lists whose messages are shown. */
  shownKeys: ReadonlySet<string>;
  shownAhjIds: ReadonlySet<number>;
  /** The jurisdictions that were chosen before the last list came. */
  chosenBefore: ReadonlySet<number>;
}

/** An event that changes the chosen jurisdictions: an act of the user, or an answer of the service. */
export type ChoiceAction =
  | { type: "add"; ahjs: readonly Ahj[] }
  | { type: "remove"; ahjId: number }
  /** Chooses none any more. */
  | { type: "clear" }
  /** Another list or state is wanted: what was said of the last one is no longer true. */
  | { type: "begin" }
  /** Entries without a jurisdiction are given again, perhaps corrected: nothing is said of them any more. */
  | { type: "give-again"; keys: readonly string[] }
  | { type: "list-read"; list: ReadList }
  /** The entries of the list have been looked up. */
  | { type: "list-resolved"; list: ReadList; resolved: ResolvedList }
  | { type: "add-state"; state: string; kind: string | undefined; ahjs: readonly Ahj[]; missing: number }
  /** Takes one of the candidates for the name, or none. */
  | { type: "settle"; question: NameQuestion; ahj: Ahj | null }
  /** Takes the only candidate of each name for which there is one. */
  | { type: "settle-guesses" }
  /** Leaves out all names that wait for a choice. */
  | { type: "skip-questions" }
  /** Leaves out the entries of the last list that were corrected in a way, or takes them again. */
  | { type: "leave-out"; how: How; isLeftOut: boolean }
  /** The geoIDs that were offered in place of entries have been looked up; `failed` has the others' reasons, by the entry's key. */
  | { type: "take-offers"; taken: readonly FoundEntry[]; failed: ReadonlyMap<string, FailureKind> };

const nothingRead = { lastList: undefined, found: [], leftOut: new Set<How>(), lastState: undefined };

export const nothingChosen: JurisdictionChoice = {
  chosen: [],
  unmatched: [],
  questions: [],
  ...nothingRead,
  order: {
    places: new Map(),
    placeOfEntry: new Map(),
    rows: new Map(),
    shownKeys: new Set(),
    shownAhjIds: new Set(),
    chosenBefore: new Set(),
  },
};

/** The choice after an action. */
export function choiceAfter(choice: JurisdictionChoice, action: ChoiceAction): JurisdictionChoice {
  switch (action.type) {
    case "add":
      return withAhjs(choice, action.ahjs);
    case "remove":
      return withoutAhjs(choice, new Set([action.ahjId]));
    case "clear":
      return nothingChosen;
    case "begin":
      return { ...choice, ...nothingRead };
    case "give-again":
      return { ...choice, unmatched: choice.unmatched.filter(({ key }) => !action.keys.includes(key)) };
    case "list-read":
      return { ...choice, lastList: action.list };
    case "list-resolved":
      return withList(choice, action.list, action.resolved);
    case "add-state": {
      const { state, kind, ahjs, missing } = action;
      return { ...withAhjs(choice, ahjs), lastState: { state, kind, found: ahjs.length, missing } };
    }
    case "settle":
      return action.ahj
        ? withTaken(choice, [settled(action.question, action.ahj, "name-chosen")])
        : leaveOpen(choice, [action.question]);
    case "settle-guesses":
      return withTaken(
        choice,
        choice.questions.flatMap((question) => {
          const ahj = onlyGuess(question);
          return ahj ? [settled(question, ahj, "name-guessed")] : [];
        }),
      );
    case "skip-questions":
      return leaveOpen(choice, choice.questions);
    case "leave-out":
      return leaveOut(choice, action.how, action.isLeftOut);
    case "take-offers": {
      const taken = withTaken(choice, action.taken);
      const unmatched = taken.unmatched.map((entry): Unmatched => {
        const kind = action.failed.get(entry.key);
        return kind === undefined ? entry : { key: entry.key, given: entry.given, kind, row: entry.row };
      });
      return { ...taken, unmatched };
    }
  }
}

/** The jurisdiction of a guess that has no other; undefined for names that several jurisdictions have. */
export function onlyGuess({ guess, candidates: [ahj, other] }: NameQuestion): Ahj | undefined {
  return guess && !other ? ahj : undefined;
}

/** Adds jurisdictions, each at the place that `placeOf` gives, or else behind all others. One that is chosen keeps its place. */
function withAhjs(
  choice: JurisdictionChoice,
  ahjs: readonly Ahj[],
  placeOf: (ahj: Ahj) => number | undefined = () => undefined,
): JurisdictionChoice {
  const places = new Map(choice.order.places);
  let next = nextPlace(choice.order);
  for (const ahj of ahjs) if (!places.has(ahj.id)) places.set(ahj.id, placeOf(ahj) ?? next++);
  const byId = new Map([...choice.chosen, ...ahjs].map((ahj) => [ahj.id, ahj]));
  const placed = (ahj: Ahj) => places.get(ahj.id) ?? 0;
  const chosen = [...byId.values()].sort((one, other) => placed(one) - placed(other));
  return { ...choice, chosen, order: { ...choice.order, places } };
}

function nextPlace({ places, placeOfEntry }: EntryOrder): number {
  let last = 0;
  for (const place of places.values()) last = Math.max(last, place);
  for (const place of placeOfEntry.values()) last = Math.max(last, place);
  return last + 1;
}

function withoutAhjs(choice: JurisdictionChoice, ids: ReadonlySet<number>): JurisdictionChoice {
  const places = new Map([...choice.order.places].filter(([id]) => !ids.has(id)));
  return {
    ...choice,
    chosen: choice.chosen.filter(({ id }) => !ids.has(id)),
    order: { ...choice.order, places },
  };
}

/** Adds the jurisdictions of a list's entries, at the places of these entries. */
function withEntries(choice: JurisdictionChoice, entries: readonly FoundEntry[]): JurisdictionChoice {
  const keyOfAhj = new Map<number, string>();
  for (const { key, ahj } of entries) if (!keyOfAhj.has(ahj.id)) keyOfAhj.set(ahj.id, key);
  const ahjs = entries.map(({ ahj }) => ahj);
  return withAhjs(choice, ahjs, ({ id }) => choice.order.placeOfEntry.get(keyOfAhj.get(id) ?? ""));
}

function withList(
  before: JurisdictionChoice,
  list: ReadList,
  { found, ambiguous, unmatched }: ResolvedList,
): JurisdictionChoice {
  const rows = rowsIn(list);
  const keys = new Set(rows.keys());
  const placeOfEntry = new Map(before.order.placeOfEntry);
  let next = nextPlace(before.order);
  for (const key of keys) placeOfEntry.set(key, next++);
  const choice = withoutReplaced(before, keys);
  const { shownKeys, shownAhjIds } = choice.order;
  const order: EntryOrder = {
    ...choice.order,
    ...{ placeOfEntry, rows },
    shownKeys: new Set([...shownKeys, ...keys]),
    shownAhjIds: new Set([...shownAhjIds, ...found.map(({ ahj }) => ahj.id)]),
    chosenBefore: new Set(choice.chosen.map(({ id }) => id)),
  };
  return {
    ...withEntries({ ...choice, order }, found),
    found,
    questions: [...choice.questions.filter(({ key }) => !keys.has(key)), ...ambiguous],
    unmatched: [
      ...choice.unmatched.filter(({ key }) => !keys.has(key)),
      ...unmatched.map((entry) => ({ ...entry, row: rows.get(entry.key) })),
    ],
  };
}

/**
 * Drops the messages about earlier lists if `keys` replace these lists: if they repeat some of their entries, or if none of their
 * jurisdictions is chosen any more. Otherwise the new list comes in addition, and the messages stay.
 */
function withoutReplaced(choice: JurisdictionChoice, keys: ReadonlySet<string>): JurisdictionChoice {
  const { shownKeys, shownAhjIds } = choice.order;
  const isRepeated = [...keys].some((key) => shownKeys.has(key));
  if (!isRepeated && choice.chosen.some(({ id }) => shownAhjIds.has(id))) return choice;
  const isReplaced = (key: string) => shownKeys.has(key) && !keys.has(key);
  return {
    ...choice,
    questions: choice.questions.filter(({ key }) => !isReplaced(key)),
    unmatched: choice.unmatched.filter(({ key }) => !isReplaced(key)),
    order: { ...choice.order, shownKeys: new Set(), shownAhjIds: new Set() },
  };
}

/** Chooses the jurisdictions of entries that had waited for an answer. */
function withTaken(choice: JurisdictionChoice, entries: readonly FoundEntry[]): JurisdictionChoice {
  const keys = new Set(entries.map(({ key }) => key));
  const shownAhjIds = new Set([...choice.order.shownAhjIds, ...entries.map(({ ahj }) => ahj.id)]);
  return {
    ...withEntries({ ...choice, order: { ...choice.order, shownAhjIds } }, entries),
    found: [...choice.found, ...entries],
    questions: choice.questions.filter(({ key }) => !keys.has(key)),
    unmatched: choice.unmatched.filter(({ key }) => !keys.has(key)),
  };
}

function leaveOpen(choice: JurisdictionChoice, skipped: readonly NameQuestion[]): JurisdictionChoice {
  const keys = new Set(skipped.map(({ key }) => key));
  const { rows } = choice.order;
  return {
    ...choice,
    questions: choice.questions.filter(({ key }) => !keys.has(key)),
    unmatched: [
      ...choice.unmatched.filter(({ key }) => !keys.has(key)),
      ...skipped.map(({ key, name }) => ({ key, given: name, kind: "skipped", row: rows.get(key) }) as const),
    ],
  };
}

function leaveOut(choice: JurisdictionChoice, how: How, isLeftOut: boolean): JurisdictionChoice {
  const leftOut = new Set(choice.leftOut);
  if (isLeftOut) leftOut.add(how);
  else leftOut.delete(how);
  const kept = choice.found.filter((entry) => !leftOut.has(entry.how));
  const keptIds = new Set(kept.map(({ ahj }) => ahj.id));
  const { chosenBefore } = choice.order;
  const ids = choice.found.map(({ ahj }) => ahj.id);
  const gone = new Set(ids.filter((id) => !keptIds.has(id) && !chosenBefore.has(id)));
  const rest = { ...withoutAhjs(choice, gone), leftOut };
  return isLeftOut ? rest : withEntries(rest, kept);
}

function settled({ key, name }: NameQuestion, ahj: Ahj, how: How): FoundEntry {
  return { key, given: name, ahj, how };
}

/** The row of each entry's first place in a list, by its key; by its text if it was not understood. */
function rowsIn({ entries }: ReadList): Map<string, number> {
  const rows = new Map<string, number>();
  for (const { given, row, meaning } of entries) {
    const key = keyOf(meaning) ?? given;
    if (!rows.has(key)) rows.set(key, row);
  }
  return rows;
}
