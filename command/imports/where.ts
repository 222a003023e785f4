import { readFile } from "node:fs/promises";
import type { Session } from "../../src/app";
import type { Ahj } from "../../src/engine/api/schemas";
import type { AhjName } from "../../src/engine/lookup/wants";
import type { ExchangeOptions } from "../../src/engine/transport/exchange";
import { countyName } from "../../src/engine/lookup/lists/county-names";
import { sentenceOf as reasonOf } from "../../src/engine/lookup/jurisdiction-argument";
import { type Correction, correctionsOf } from "../../src/engine/lookup/lists/list-summary";
import { withFirstName } from "../../src/engine/lookup/lists/first-name";
import { keyOf, type ListEntry, type ReadList } from "../../src/engine/lookup/lists/list-entries";
import { readListText } from "../../src/engine/lookup/lists/read-list";
import type { FoundEntry } from "../../src/engine/lookup/lists/resolve-list";
import { textOfList } from "../../src/engine/lookup/lists/text-of-list";
import { kindOfWord, kindWords, ofKinds } from "../../src/engine/lookup/directory/kind-words";
import { stateCodeOf } from "../../src/engine/lookup/search/state-names";
import { byStateAndName } from "../../src/engine/lookup/directory/state-and-name";
import { Failure, type FailureKind } from "../../src/errors";
import type { FindScope } from "../../src/find/find-schema";
import { CommandFailure } from "../command-failure";
import { sentenceOf } from "../failure-exit";
import { printableLine } from "../output/printable";

/** The jurisdictions that the user's words name. */
export interface NamedJurisdictions {
  /** Each jurisdiction once: words keep their order, lists are sorted by state and name. */
  ahjs: Ahj[];
  /** The same jurisdictions, in a form that can be looked up again. */
  within: FindScope;
  /** Entries of a file that name no jurisdiction that the key may see, and the reasons. */
  notFound: { entry: string; why: string }[];
  /** The entries that were understood with a correction, such as a zero put back, by kind. */
  corrections: Correction[];
  /** The number of jurisdictions that the service counts and does not list. */
  missing: number;
}

/** The largest list that is read. Thirty thousand geoIDs take a tenth of it. */
const mostListBytes = 5_000_000;

/** Failures that are the service's answer about a jurisdiction. Any other failure means that the service could not be asked. */
const refusals = new Set<FailureKind>([
  "unknown-jurisdiction",
  "outside-subscription",
  "not-a-geoid",
  "not-a-jurisdiction",
  "unresolved-jurisdiction",
  "unknown-name",
  "ambiguous-jurisdiction",
]);

/** The meaning of a word after `--where`: all jurisdictions, those of a state or of a kind, or the entries of a list. */
export type Word =
  | { kind: "all" }
  | { kind: "kind"; type: string }
  | { kind: "state"; state: string }
  | { kind: "list"; list: ReadList; isOfFile: boolean };

/**
 * The words behind `--where`: states (`CA`, `California`), kinds of jurisdictions of the states (`counties`), geoIDs (`06001`), `ahj:` and an
 * id, names (`Alameda County, CA`), `all` of the subscription, or `@` and a file with a list, which is read as the pane reads a pasted one.
 * Fails with a CommandFailure: "usage" for a word that is none of these, "file" for a file that can't be read.
 */
export async function wordsOf(words: readonly string[]): Promise<Word[]> {
  const all: Word[] = [];
  for (const word of words) {
    if (word.startsWith("@")) all.push(await listedIn(word.slice(1)));
    else for (const text of isWhole(word) ? [word] : partsOfWord(word)) all.push(await typedWord(text));
  }
  const areKinds = all.some(({ kind }) => kind === "kind");
  if (areKinds && all.some(({ kind }) => kind === "list"))
    throw new CommandFailure("usage", "Beside kinds, such as counties, --where takes states or all.");
  return all;
}

const partsOfWord = (word: string) => word.split(/[\s,;]+/).filter((part) => part !== "");

async function typedWord(text: string): Promise<Word> {
  if (isAll(text)) return { kind: "all" };
  const type = kindOfWord(text);
  if (type !== undefined) return { kind: "kind", type };
  const state = isState(text) ? text.toUpperCase() : stateCodeOf(text);
  if (state !== undefined) return { kind: "state", state };
  const list = await readListText(text);
  for (const { given, meaning } of list.entries) {
    const shown = printableLine(given, 60);
    if (meaning.kind === "none")
      throw new CommandFailure("usage", `"${shown}": ${reasonOf(meaning, countyName)}`);
    const isCode = meaning.kind === "ahj" || (meaning.kind === "geoid" && meaning.isOwn !== true);
    if (isCode || meaning.kind === "name") continue;
    const kinds =
      'neither a state such as CA, a geoID such as 06001, a name in quotes such as "Alameda County, CA", nor "all"';
    throw new CommandFailure("usage", `"${shown}" is ${kinds}.`);
  }
  return { kind: "list", list, isOfFile: false };
}

/**
 * The jurisdictions that words name. Fails with a CommandFailure "usage" for a word that names none, and if no entry of a file names one.
 * Other failures are a Failure.
 */
export async function jurisdictionsOf(
  wanted: readonly Word[],
  { lookup }: Session,
  options: ExchangeOptions = {},
): Promise<NamedJurisdictions> {
  if (wanted.length === 0) throw new CommandFailure("usage", "Name the jurisdictions with --where.");
  const words = await Promise.all(
    wanted.map(async (word) =>
      word.kind === "list" ? { ...word, list: await withFirstName(word.list, lookup.directory) } : word,
    ),
  );
  const entries = words.flatMap((word) => (word.kind === "list" ? word.list.entries : []));
  const outcomeOf = await outcomesOf(entries, lookup, options);
  const found = new Map<number, Ahj>();
  const named = new Map<string, FoundEntry>();
  const take = (ahjs: readonly Ahj[]) => ahjs.forEach((ahj) => found.set(ahj.id, ahj));
  const notFound: NamedJurisdictions["notFound"] = [];
  let missing = 0;
  const kinds = kindsOf(wanted);
  const areKindsAlone = wanted.every(({ kind }) => kind === "kind");
  for (const word of areKindsAlone ? [{ kind: "all" } as const] : words) {
    if (word.kind === "kind") continue;
    if (word.kind !== "list") {
      const state = word.kind === "state" ? word.state : undefined;
      const list = await lookup.directory.list(state, options);
      const ahjs = ofKinds(list.ahjs, kinds);
      if (ahjs.length === 0) {
        const what = kinds.length > 0 ? kinds.map(kindWords).join(" or ") : "jurisdictions";
        throw new CommandFailure("usage", `No ${what} of ${state ?? "ALL"} are in your subscription.`);
      }
      take([...ahjs].sort(byStateAndName));
      missing += list.missing;
      continue;
    }
    for (const heading of word.list.headings) notFound.push({ entry: heading, why: headingWords });
    for (const { given, meaning } of word.list.entries) {
      const key = keyOf(meaning);
      const outcome = key === null ? undefined : outcomeOf(key);
      if (meaning.kind === "none") notFound.push({ entry: given, why: reasonOf(meaning, countyName) });
      else if (key === null || outcome === undefined) throw new Failure("unresolved-jurisdiction");
      else if (!(outcome instanceof Failure)) {
        take([outcome]);
        named.set(key, { key, given, ahj: outcome, how: meaning.how });
      } else if (!refusals.has(outcome.kind)) throw outcome;
      else if (word.isOfFile) notFound.push({ entry: given, why: sentenceOf(outcome) });
      else throw new CommandFailure("usage", `${given}: ${sentenceOf(outcome)}`);
    }
  }
  const ahjs = [...found.values()];
  const [first] = notFound;
  if (ahjs.length === 0 && first)
    throw new CommandFailure("usage", `None of the list is found. The first: ${first.entry}: ${first.why}`);
  const corrections = correctionsOf([...named.values()]);
  return { ahjs, within: scopeOf(wanted, ahjs), notFound, corrections, missing };
}

/** Looks entries up. Only the lists of named states are read for names, or the whole directory if a name has no state. */
async function outcomesOf(
  entries: readonly ListEntry[],
  { ask, directory }: Session["lookup"],
  options: ExchangeOptions,
): Promise<(key: string) => Ahj | Failure | undefined> {
  const names = new Map<string, AhjName>();
  for (const { meaning } of entries) {
    const key = keyOf(meaning);
    if (key === null || meaning.kind === "none") continue;
    names.set(
      key,
      meaning.kind === "name" ? meaning.name : meaning.kind === "ahj" ? meaning.id : meaning.geoid,
    );
  }
  const all = [...new Set(names.values())];
  const resolved = await directory.resolve(
    all.filter((name) => typeof name === "string"),
    options,
  );
  const ids = all.filter((name) => typeof name === "number");
  const { ahjs } = await ask({ ahjs: ids }, { signal: options.signal });
  const byId = new Map(ids.map((id, at) => [id, ahjs[at]]));
  return (key) => {
    const name = names.get(key) ?? key;
    return typeof name === "number" ? byId.get(name) : resolved.get(name);
  };
}

const headingWords =
  'It is taken for the list\'s heading. If it is a place, write its state, too, as in "Chicago, IL".';

function scopeOf(words: readonly Word[], ahjs: readonly Ahj[]): FindScope {
  const types = kindsOf(words);
  const kinds = types.length > 0 ? { kinds: types } : {};
  const others = words.filter(({ kind }) => kind !== "kind");
  if (others.length === 0 || others.some(({ kind }) => kind === "all")) return { kind: "all", ...kinds };
  const states = others.flatMap((word) => (word.kind === "state" ? [word.state] : []));
  if (states.length === others.length) return { kind: "states", states: [...new Set(states)], ...kinds };
  return { kind: "chosen", ahjIds: ahjs.map(({ id }) => id) };
}

const kindsOf = (words: readonly Word[]) =>
  words.flatMap((word) => (word.kind === "kind" ? [word.type] : []));

const isAll = (word: string) => /^all$/i.test(word);
const isState = (word: string) => /^[a-z]{2}$/i.test(word);
/** True for a name such as `St Louis, MO` or `New York`, which no blank cuts. `CA, NV` and `06001 CA` are lists. */
function isWhole(word: string): boolean {
  if (stateCodeOf(word) !== undefined) return true;
  const isOfList = (part: string) =>
    isState(part) || isAll(part) || /\d/.test(part) || kindOfWord(part) !== undefined;
  return !partsOfWord(word).every(isOfList) && !/^ahj\s*:/i.test(word);
}

/** The list in a file, as the pane reads a pasted one. */
async function listedIn(path: string): Promise<Word> {
  let text: string | null;
  try {
    const bytes = await readFile(path);
    if (bytes.length > mostListBytes) throw new CommandFailure("file", `${path} is too large for a list.`);
    text = textOfList(bytes);
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure("file", `The list ${printableLine(path)} can't be read.`, { cause });
  }
  if (text === null) {
    const kinds = "UTF-8, UTF-16 or Windows-1252";
    throw new CommandFailure("file", `The list ${printableLine(path)} is no text in ${kinds}.`);
  }
  return { kind: "list", list: await readListText(text), isOfFile: true };
}
