import { readFile } from "node:fs/promises";
import type { Session } from "../../src/app";
import type { Ahj } from "../../src/engine/api/schemas";
import { ahjIdIn } from "../../src/engine/lookup/asked-names";
import type { BudgetedOptions } from "../../src/engine/lookup/request-budget";
import { textOfBytes } from "../../src/workbook/imports/files/text-of-bytes";
import { geoidOfPastedWord } from "../../src/engine/lookup/directory/geoid";
import { isCertainlyName } from "../../src/engine/lookup/search/jurisdiction-list";
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
  "unresolved-jurisdiction",
  "unknown-name",
  "ambiguous-jurisdiction",
]);

/** A word after `--where`, or an entry of a file that such a word names. */
interface Word {
  text: string;
  isListed: boolean;
  /** True for a file's first line if it names no jurisdiction. It is not looked up. */
  isHeading?: boolean;
}

/**
 * The words behind `--where`: states (`CA`), geoIDs (`06001`), `ahj:` and an id, names with their state
 * (`Alameda County, CA`), `all` of the subscription, or `@` and a file with geoIDs or such names, one per line. Fails with a CommandFailure:
 * "usage" for a word that is none of these, "file" for a file that can't be read.
 */
export async function wordsOf(words: readonly string[]): Promise<Word[]> {
  const all: Word[] = [];
  for (const word of words) {
    if (word.startsWith("@")) {
      all.push(...(await listedIn(word.slice(1))));
      continue;
    }
    const isSeveral = !isName(word);
    for (const text of isSeveral ? word.split(/[\s,;]+/).filter((each) => each !== "") : [word.trim()]) {
      if (!isAll(text) && !isState(text)) mustNameOne(text, "");
      all.push({ text, isListed: false });
    }
  }
  return all;
}

/**
 * The jurisdictions that words name. Fails with a CommandFailure "usage" for a word that names none, and if no entry of a file names one.
 * Other failures are a Failure.
 */
export async function jurisdictionsOf(
  wanted: readonly Word[],
  { lookup }: Session,
  options: BudgetedOptions = {},
): Promise<NamedJurisdictions> {
  const { directory } = lookup;
  if (wanted.length === 0) throw new CommandFailure("usage", "Name the jurisdictions with --where.");
  const { signal } = options;
  const names = [...new Set(wanted.flatMap(({ text }) => (isName(text) ? [text] : [])))];
  const called =
    names.length > 0 ? await lookup.ask({ names: names.map((name) => ({ name })) }, { signal }) : null;
  /** The geoID, or `ahj:` and the id, of what a word names. */
  const idOf = (text: string) => called?.names[names.indexOf(text)] ?? text;
  const allIds = wanted.flatMap(({ text }) => {
    const id = idOf(text);
    return id instanceof Failure ? [] : [id];
  });
  const resolved = await directory.resolve(allIds.filter(isDigits), options);
  const ids = [...new Set(allIds.flatMap((id) => ahjIdIn(id) ?? []))];
  const { ahjs: byId } = await lookup.ask({ ahjs: ids }, { signal });
  const found = new Map<number, Ahj>();
  const take = (ahjs: readonly Ahj[]) => ahjs.forEach((ahj) => found.set(ahj.id, ahj));
  const notFound: NamedJurisdictions["notFound"] = [];
  let missing = 0;
  for (const { text, isListed, isHeading } of wanted) {
    if (isHeading) {
      notFound.push({ entry: text, why: "It is taken for the list's heading." });
      continue;
    }
    if (isAll(text) || isState(text)) {
      const list = await directory.list(isAll(text) ? undefined : text.toUpperCase(), options);
      if (list.ahjs.length === 0)
        throw new CommandFailure(
          "usage",
          `No jurisdictions of ${text.toUpperCase()} are in your subscription.`,
        );
      take([...list.ahjs].sort(byStateAndName));
      missing += list.missing;
      continue;
    }
    const named = idOf(text);
    const id = named instanceof Failure ? undefined : ahjIdIn(named);
    const outcome =
      named instanceof Failure ? named : id === undefined ? resolved.get(named) : byId[ids.indexOf(id)];
    if (outcome === undefined) throw new Failure("unresolved-jurisdiction");
    if (!(outcome instanceof Failure)) take([outcome]);
    else if (!refusals.has(outcome.kind)) throw outcome;
    else if (isListed) notFound.push({ entry: text, why: sentenceOf(outcome) });
    else throw new CommandFailure("usage", `${text}: ${sentenceOf(outcome)}`);
  }
  const ahjs = [...found.values()];
  const [first] = notFound;
  if (ahjs.length === 0 && first)
    throw new CommandFailure("usage", `None of the list is found. The first: ${first.entry}: ${first.why}`);
  return { ahjs, within: scopeOf(wanted, ahjs), notFound, missing };
}

function scopeOf(words: readonly Word[], ahjs: readonly Ahj[]): FindScope {
  if (words.some(({ text }) => isAll(text))) return { kind: "all" };
  if (words.every(({ text }) => isState(text)))
    return { kind: "states", states: [...new Set(words.map(({ text }) => text.toUpperCase()))] };
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
const isDigits = (word: string) => /^\d+$/.test(word);

/** The entries of a file, one per line, without blank lines. A first line that can't name a jurisdiction is a heading. */
async function listedIn(path: string): Promise<Word[]> {
  let text: string | null;
  try {
    const bytes = await readFile(path);
    if (bytes.length > mostListBytes) throw new CommandFailure("file", `${path} is too large for a list.`);
    text = textOfBytes(bytes);
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure("file", `The list ${printableLine(path)} can't be read.`, { cause });
  }
  if (text === null)
    throw new CommandFailure("file", `The list ${printableLine(path)} is no text in UTF-8 or UTF-16.`);
  const entries: Word[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const entry = line.trim().replace(/^"(.*)"$/, "$1");
    if (entry === "") continue;
    const isHeading = entries.length === 0 && !isCertainlyName(entry) && !isState(entry) && !isAll(entry);
    if (!isHeading) mustNameOne(entry, `${printableLine(path)}, line ${index + 1}: `);
    entries.push({ text: entry, isListed: true, isHeading });
  }
  return entries;
}

/** Fails for what is neither a geoID, `ahj:` and an id nor a name with its state. */
function mustNameOne(word: string, place: string): void {
  if (ahjIdIn(word) !== undefined || isName(word)) return;
  const shown = printableLine(word, 60);
  if (!isDigits(word)) {
    const kinds =
      place === ""
        ? 'neither a state such as CA, a geoID such as 06001, a name in quotes with its state such as "Alameda County, CA", nor "all"'
        : "neither a geoID such as 06001 nor a name with its state such as Alameda County, CA";
    throw new CommandFailure("usage", `${place}"${shown}" is ${kinds}.`);
  }
  const whole = geoidOfPastedWord(word);
  if (whole !== null && whole !== word)
    throw new CommandFailure("usage", `${place}${shown} lacks its zero in front: write ${whole}.`);
}
