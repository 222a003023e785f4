import { readFile } from "node:fs/promises";
import type { Session } from "../../src/app";
import type { Ahj } from "../../src/engine/api/schemas";
import { ahjIdIn } from "../../src/engine/lookup/asked-names";
import type { BudgetedOptions } from "../../src/engine/lookup/request-budget";
import { geoidOfPastedWord } from "../../src/engine/lookup/directory/geoid";
import { byStateAndName } from "../../src/engine/lookup/directory/state-and-name";
import { Failure, type FailureKind } from "../../src/errors";
import type { FindScope } from "../../src/find/find-schema";
import { CommandFailure } from "../command-failure";
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
]);

/** A word after `--where`, or an entry of a file that such a word names. */
export interface Word {
  text: string;
  isListed: boolean;
}

/**
 * Reads the words after `--where`: states (`CA`), geoIDs (`06001`), `ahj:` and an id, `all` for the whole subscription, or `@` and a file
 * with geoIDs, one a line. Fails with a CommandFailure: "usage" for any other word, "file" for a file that can't be read.
 */
export async function wordsOf(words: readonly string[]): Promise<Word[]> {
  const all: Word[] = [];
  for (const word of words) {
    if (word.startsWith("@")) {
      for (const text of await listedIn(word.slice(1))) all.push({ text, isListed: true });
      continue;
    }
    for (const text of word.split(/[\s,;]+/).filter((each) => each !== "")) {
      if (!isAll(text) && !isState(text)) mustBeId(text, "");
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
  const resolved = await directory.resolve(
    wanted.flatMap(({ text }) => (isDigits(text) ? [text] : [])),
    options,
  );
  const ids = [...new Set(wanted.flatMap(({ text }) => ahjIdIn(text) ?? []))];
  const { ahjs: byId } = await lookup.ask({ ahjs: ids }, { signal: options.signal });
  const found = new Map<number, Ahj>();
  const take = (ahjs: readonly Ahj[]) => ahjs.forEach((ahj) => found.set(ahj.id, ahj));
  const notFound: NamedJurisdictions["notFound"] = [];
  let missing = 0;
  for (const { text, isListed } of wanted) {
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
    const id = ahjIdIn(text);
    const outcome = id === undefined ? resolved.get(text) : byId[ids.indexOf(id)];
    if (outcome === undefined) throw new Failure("unresolved-jurisdiction");
    if (!(outcome instanceof Failure)) take([outcome]);
    else if (!refusals.has(outcome.kind)) throw outcome;
    else if (isListed) notFound.push({ entry: text, why: outcome.message });
    else throw new CommandFailure("usage", `${text}: ${outcome.message}`);
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
const isDigits = (word: string) => /^\d+$/.test(word);

/** The entries of a file, one a line, without blank lines. */
async function listedIn(path: string): Promise<string[]> {
  let text: string;
  try {
    const bytes = await readFile(path);
    if (bytes.length > mostListBytes) throw new CommandFailure("file", `${path} is too large for a list.`);
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    throw new CommandFailure("file", `The list ${printableLine(path)} can't be read.`, { cause });
  }
  const entries: string[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const entry = line.trim().replace(/^"(.*)"$/, "$1");
    if (entry === "") continue;
    mustBeId(entry, `${printableLine(path)}, line ${index + 1}: `);
    entries.push(entry);
  }
  return entries;
}

/** Fails with a CommandFailure "usage" unless the word is a geoID or `ahj:` and an id. */
function mustBeId(word: string, place: string): void {
  if (ahjIdIn(word) !== undefined) return;
  const shown = printableLine(word, 60);
  if (!isDigits(word)) {
    const kinds =
      place === "" ? 'neither a state such as CA nor a geoID such as 06001, nor "all"' : "no geoID";
    throw new CommandFailure("usage", `${place}"${shown}" is ${kinds}.`);
  }
  const whole = geoidOfPastedWord(word);
  if (whole !== null && whole !== word)
    throw new CommandFailure("usage", `${place}${shown} lacks its zero in front: write ${whole}.`);
}
