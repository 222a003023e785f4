import type { Ahj } from "../../api/schemas";
import { Failure, type FailureKind, type FormulaFailureKind } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import type { Details } from "../directory/ahj-details";
import type { Directory } from "../directory/directory";
import { identifyAhjs } from "../directory/identify";
import { stateOfGeoid } from "../directory/states";
import { certainMeaning, type NameMeaning, nameMeanings } from "../search/name-meanings";
import { sentenceOf } from "../jurisdiction-argument";
import type { How, Misreading, NotUnderstood } from "./read-code";
import { keyOf, type ListEntry, type ReadList } from "./list-entries";
import { successorsOf, successorsOfName, type Successors } from "./successors";

/** The meanings of a list's entries. Each different entry, by its key (`keyOf`), is in exactly one of these. */
export interface ResolvedList {
  /** Entries found by geoID, by AHJ id, or by a name that one jurisdiction has. */
  found: FoundEntry[];
  /** Names that several jurisdictions have, and names that none has though some may be meant. */
  ambiguous: NameQuestion[];
  /** Entries that stand for no jurisdiction that the key may see. */
  unmatched: UnmatchedEntry[];
}

export interface FoundEntry {
  /** The key of the entry: a geoID, `ahj:` and an id, or a name in the form of `nameKey`. */
  key: string;
  /** The entry as the list has it. */
  given: string;
  ahj: Ahj;
  how: How;
}

/** A name that somebody has to decide about. */
export interface NameQuestion extends NameMeaning {
  key: string;
  name: string;
}

export interface UnmatchedEntry {
  /** The key; for an entry that was not understood, its text. */
  key: string;
  /** The entry as the list has it. */
  given: string;
  kind: FailureKind;
  /** The kind of an entry that was not understood. */
  why?: Misreading;
  /** The reason, if more is known than the kind's sentence. */
  sentence?: string;
  /** GeoIDs that may be meant: the successors of a code, the county of a tract. None is taken by itself. */
  offers?: readonly string[];
  /** True if the only offer has the same land under a new code or name. */
  isRenamed?: boolean;
}

export interface ResolveListOptions extends ExchangeOptions {
  state?: string | undefined;
  maySend?: ((question: SendQuestion) => Promise<boolean>) | undefined;
}

/** Asked when most of a list is not in the directory, because it may be a column of something else. */
export interface SendQuestion {
  /** The number of the list's geoIDs that the directory has, and the geoIDs that it lacks. */
  found: number;
  lacking: readonly string[];
}

/** A list of up to this many geoIDs is sent without a look at the directory, because a small table may have as many formulas. */
const mostSentUnseen = 20;

/** The entries that ask for something, by their keys, each with its first place in the list. */
function byKey(entries: readonly ListEntry[]): Map<string, ListEntry> {
  const first = new Map<string, ListEntry>();
  for (const entry of entries) {
    const key = keyOf(entry.meaning);
    if (key !== null && !first.has(key)) first.set(key, entry);
  }
  return first;
}

/**
 * Looks a list's entries up; names are looked up in the whole directory. `state` decides between namesakes. A long list is not sent before
 * it is clear that it holds geoIDs: `maySend` is asked if less than half of it is in the directory. Without its consent the other geoIDs
 * stay unresolved. Fails if the service can't be asked.
 */
export async function resolveList(
  { entries }: Pick<ReadList, "entries">,
  { directory, details }: { directory: Directory; details: Details },
  { state, maySend, ...options }: ResolveListOptions = {},
): Promise<ResolvedList> {
  const resolved: ResolvedList = { found: [], ambiguous: [], unmatched: await notUnderstood(entries) };
  const wanted = byKey(entries);
  await takeNames(wanted, resolved, directory, { state, ...options });
  const geoids = [...wanted].flatMap(([key, { meaning }]) => (meaning.kind === "geoid" ? [key] : []));
  const refused = new Map<string, FormulaFailureKind>();
  for (const geoid of await geoidsToWithhold(geoids, directory, { maySend, ...options }))
    refused.set(geoid, "unresolved-jurisdiction");
  for (const geoid of notGeoids(wanted, geoids, directory)) refused.set(geoid, "not-a-geoid");
  const outcomes: Map<string, Ahj | Failure> = await directory.resolve(
    geoids.filter((geoid) => !refused.has(geoid)),
    options,
  );
  for (const [geoid, kind] of refused) outcomes.set(geoid, new Failure(kind));
  const ids = [...wanted.values()].flatMap(({ meaning }) => (meaning.kind === "ahj" ? [meaning.id] : []));
  const byId = await identifyAhjs(ids, { directory, details, denied: new Map() }, options);
  for (const id of ids) outcomes.set(`ahj:${id}`, byId.get(id) ?? new Failure("unresolved-jurisdiction"));
  take(outcomes, wanted, resolved, successorsOf(unknownOf(outcomes), directory.known()));
  return resolved;
}

const unknownOf = (outcomes: ReadonlyMap<string, Ahj | Failure>): string[] =>
  [...outcomes].flatMap(([key, outcome]) =>
    outcome instanceof Failure && outcome.kind === "unknown-jurisdiction" ? [key] : [],
  );

function take(
  outcomes: ReadonlyMap<string, Ahj | Failure>,
  wanted: ReadonlyMap<string, ListEntry>,
  { found, unmatched }: ResolvedList,
  successors: ReadonlyMap<string, Successors>,
): void {
  for (const [key, outcome] of outcomes) {
    const { given, meaning } = wanted.get(key) ?? { given: key, meaning: null };
    if (outcome instanceof Failure) {
      if (!unmatchedKinds.has(outcome.kind)) throw outcome;
      unmatched.push({ key, given, kind: outcome.kind, ...offersOf(successors.get(key)) });
    } else
      found.push({
        key,
        given,
        ahj: outcome,
        how: meaning && meaning.kind !== "none" ? meaning.how : "as-given",
      });
  }
}

function offersOf(successors: Successors | undefined): Partial<UnmatchedEntry> {
  if (!successors) return {};
  const { sentence, nextStep, geoids, isOneToOne } = successors;
  return { sentence: `${sentence} ${nextStep}`, offers: geoids, isRenamed: isOneToOne };
}

/** The entries that were not understood, each once. */
async function notUnderstood(entries: readonly ListEntry[]): Promise<UnmatchedEntry[]> {
  const first = new Map<string, { given: string; meaning: NotUnderstood }>();
  for (const { given, meaning } of entries)
    if (meaning.kind === "none" && !first.has(given)) first.set(given, { given, meaning });
  const all = [...first.values()];
  const nameOf = all.some(({ meaning }) => meaning.county !== undefined)
    ? (await import("./county-names")).countyName
    : () => undefined;
  return all.map(({ given, meaning }) => ({
    key: given,
    given,
    kind: "not-a-jurisdiction",
    why: meaning.why,
    sentence: sentenceOf(meaning, nameOf),
    ...offered(meaning.county ?? meaning.code),
  }));
}

const offered = (geoid: string | undefined) => (geoid === undefined ? {} : { offers: [geoid] });

async function takeNames(
  wanted: ReadonlyMap<string, ListEntry>,
  { found, ambiguous, unmatched }: ResolvedList,
  directory: Directory,
  { state, ...options }: Omit<ResolveListOptions, "maySend">,
): Promise<void> {
  const named = [...wanted].flatMap(([key, { given, meaning }]) =>
    meaning.kind === "name" ? [{ key, given, name: meaning.name }] : [],
  );
  if (named.length === 0) return;
  // Names come first: with the whole directory at hand, geoIDs cost nothing.
  const { ahjs } = await directory.load(undefined, options);
  const meanings = await nameMeanings(
    named.map(({ name }) => name),
    ahjs,
    state,
  );
  for (const { key, given, name } of named) {
    const meaning = meanings.get(name) ?? { candidates: [] };
    const certain = certainMeaning(meaning);
    if (certain) found.push({ key, given, ahj: certain, how: meaning.guess ? "name-spelled" : "name" });
    else if (meaning.candidates.length > 0) ambiguous.push({ key, name, ...meaning });
    else unmatched.push({ key, given, kind: "nothing-found", ...offersOf(successorsOfName(name)) });
  }
}

/** The geoIDs of a long list that the directory lacks, if the user doesn't want to send them. */
async function geoidsToWithhold(
  geoids: readonly string[],
  directory: Directory,
  { maySend, ...options }: Omit<ResolveListOptions, "state">,
): Promise<readonly string[]> {
  if (geoids.length <= mostSentUnseen) return [];
  await directory.readListsOf(geoids, options);
  const isFound = (geoid: string) => {
    const resolution = directory.resolved(geoid);
    return resolution !== undefined && !(resolution instanceof Failure);
  };
  const lacking = geoids.filter((geoid) => stateOfGeoid(geoid) !== undefined && !isFound(geoid));
  const found = geoids.filter(isFound).length;
  if (!maySend || lacking.length <= found) return [];
  return (await maySend({ found, lacking })) ? [] : lacking;
}

/**
 * Codes that have not the form of a geoID, in a list that has others. Only the whole directory could tell about them, which may take dozens
 * of requests for a typing mistake.
 */
function notGeoids(
  wanted: ReadonlyMap<string, ListEntry>,
  geoids: readonly string[],
  directory: Pick<Directory, "resolved">,
): string[] {
  const isOwn = (geoid: string) => {
    const meaning = wanted.get(geoid)?.meaning;
    return meaning?.kind === "geoid" && meaning.isOwn === true && !directory.resolved(geoid);
  };
  const others = geoids.filter(isOwn);
  return others.length < geoids.length ? others : [];
}

const unmatchedKinds = new Set<FailureKind>([
  "not-a-geoid",
  "unknown-jurisdiction",
  "outside-subscription",
  "unresolved-jurisdiction",
]);
