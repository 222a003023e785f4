import { readFile } from "node:fs/promises";
import type { Session } from "../../src/app";
import type { Ahj } from "../../src/engine/api/schemas";
import { ahjIdIn } from "../../src/engine/lookup/asked-names";
import type { ExchangeOptions } from "../../src/engine/transport/exchange";
import { countyName } from "../../src/engine/lookup/lists/county-names";
import { sentenceOf as reasonOf } from "../../src/engine/lookup/jurisdiction-argument";
import { type Correction, correctionsOf } from "../../src/engine/lookup/lists/list-summary";
import { keyOf, type ListEntry, type ReadList } from "../../src/engine/lookup/lists/list-entries";
import { readListText } from "../../src/engine/lookup/lists/read-list";
import type { FoundEntry } from "../../src/engine/lookup/lists/resolve-list";
import { textOfList } from "../../src/engine/lookup/lists/text-of-list";
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

/** The meaning of a word after `--where`: all jurisdictions, those of a state, or the entries of a list. */
export type Word =
  | { kind: "all" }
  | { kind: "state"; state: string }
  | { kind: "list"; list: ReadList; isOfFile: boolean };

/**
 * The words behind `--where`: states (`CA`), geoIDs (`06001`), `ahj:` and an id, names with their state (`Alameda County, CA`), `all` of the
 * subscription, or `@` and a file with a list, which is read as the pane reads a pasted one. Fails with a CommandFailure: "usage" for a word
 * that is none of these, "file" for a file that can't be read.
 */
export async function wordsOf(words: readonly string[]): Promise<Word[]> {
  const all: Word[] = [];
  for (const word of words) {
    if (word.startsWith("@")) all.push(await listedIn(word.slice(1)));
    else for (const text of isName(word) ? [word] : partsOfWord(word)) all.push(await typedWord(text));
  }
  return all;
}

const partsOfWord = (word: string) => word.split(/[\s,;]+/).filter((part) => part !== "");

async function typedWord(text: string): Promise<Word> {
  if (isAll(text)) return { kind: "all" };
  if (isState(text)) return { kind: "state", state: text.toUpperCase() };
  const list = await readListText(text);
  for (const { given, meaning } of list.entries) {
    const shown = printableLine(given, 60);
    if (meaning.kind === "none")
      throw new CommandFailure("usage", `"${shown}": ${reasonOf(meaning, countyName)}`);
    const isCode = meaning.kind === "ahj" || (meaning.kind === "geoid" && meaning.isOwn !== true);
    if (isCode || isName(text)) continue;
    const kinds =
      'neither a state such as CA, a geoID such as 06001, a name in quotes with its state such as "Alameda County, CA", nor "all"';
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
  const entries = wanted.flatMap((word) => (word.kind === "list" ? word.list.entries : []));
  const outcomeOf = await outcomesOf(entries, lookup, options);
  const found = new Map<number, Ahj>();
  const named = new Map<string, FoundEntry>();
  const take = (ahjs: readonly Ahj[]) => ahjs.forEach((ahj) => found.set(ahj.id, ahj));
  const notFound: NamedJurisdictions["notFound"] = [];
  let missing = 0;
  for (const word of wanted) {
    if (word.kind !== "list") {
      const state = word.kind === "state" ? word.state : undefined;
      const list = await lookup.directory.list(state, options);
      if (list.ahjs.length === 0)
        throw new CommandFailure("usage", `No jurisdictions of ${state ?? "ALL"} are in your subscription.`);
      take([...list.ahjs].sort(byStateAndName));
      missing += list.missing;
      continue;
    }
    for (const heading of word.list.headings)
      notFound.push({ entry: heading, why: "It is taken for the list's heading." });
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
  const { signal } = options;
  const names = new Map<string, string>();
  const geoids = new Set<string>();
  const ids = new Set<number>();
  for (const { meaning } of entries) {
    if (meaning.kind === "name") names.set(keyOf(meaning) ?? "", meaning.name);
    if (meaning.kind === "geoid") geoids.add(meaning.geoid);
    if (meaning.kind === "ahj") ids.add(meaning.id);
  }
  const called =
    names.size > 0 ? await ask({ names: [...names.values()].map((name) => ({ name })) }, { signal }) : null;
  /** The geoID of each name, or `ahj:` and the id, or the reason why it has none. */
  const codes = new Map([...names.keys()].map((key, at) => [key, called?.names[at]]));
  for (const code of codes.values()) {
    if (code === undefined || code instanceof Failure) continue;
    const id = ahjIdIn(code);
    if (id === undefined) geoids.add(code);
    else ids.add(id);
  }
  const resolved = await directory.resolve(geoids, options);
  const idList = [...ids];
  const { ahjs } = await ask({ ahjs: idList }, { signal });
  const byId = new Map(idList.map((id, at) => [`ahj:${id}`, ahjs[at]]));
  return (key) => {
    const code = codes.get(key) ?? key;
    return code instanceof Failure ? code : (byId.get(code) ?? resolved.get(code));
  };
}

function scopeOf(words: readonly Word[], ahjs: readonly Ahj[]): FindScope {
  if (words.some(({ kind }) => kind === "all")) return { kind: "all" };
  const states = words.flatMap((word) => (word.kind === "state" ? [word.state] : []));
  if (states.length === words.length) return { kind: "states", states: [...new Set(states)] };
  return { kind: "chosen", ahjIds: ahjs.map(({ id }) => id) };
}

const isAll = (word: string) => /^all$/i.test(word);
const isState = (word: string) => /^[a-z]{2}$/i.test(word);
/** Neither `CA, NV` nor `06001, CA`: what stands before the state is more than these. */
function isName(word: string): boolean {
  const [, front = "", state = ""] = /^([^@]*\p{L}[^@]*),([^,]+)$/u.exec(word) ?? [];
  const isList = front.split(/[\s,;]+/).every((part) => part === "" || isState(part) || isAll(part));
  return !isList && ahjIdIn(front) === undefined && stateCodeOf(state.trim()) !== undefined;
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
