import { gapFailure } from "../../api/paged-list";
import { addTo } from "../../../lists";
import { asFailure, Failure } from "../../../errors";
import type { Ahj } from "../../api/schemas";
import type { ExchangeOptions } from "../../transport/exchange";
import { createPlaces } from "../directory/places";
import type { Directory } from "../directory/directory";
import { certainMeaning, type NameMeaning, nameMeanings } from "./name-meanings";
import { isSurelyState, stateBehind, withoutCountry } from "./split-state";
import { successorsOfName } from "../lists/successors";
import { stateCodeOf } from "./state-names";

/** Called with a name's AHJ, or with the reason why it is not certain. `isOld`: the list of the day before says so. */
type Tell = (name: string, outcome: Ahj | Failure, isOld: boolean) => void;

/** A name as a list would have it, and the state to look in. */
interface Reading {
  name: string;
  state: string | undefined;
  /** True if the state stands after a comma. Otherwise it may belong to the name, as in "City of Oregon". */
  isStateSure: boolean;
}

/** If there are more states than this, the whole directory takes hardly more requests. */
const mostStatesAlone = 25;
const mostSuggested = 3;
/** The most characters of a name that a sentence in a cell has room for. */
const mostNameCharacters = 60;

/**
 * Tells the AHJ of each name, by the rules of lists of names (`nameMeanings`), or why it is not certain, with the jurisdictions that may
 * be meant. Reads the lists of the named states, and the whole directory if a name has no state. Only `cancelled` is thrown.
 */
export async function findNamed(
  names: readonly string[],
  directory: Pick<Directory, "list">,
  options: ExchangeOptions,
  tell: Tell,
): Promise<void> {
  const readings = names.map(readName);
  const states = new Set(readings.map(({ state }) => state));
  const byList = new Map<string | undefined, Reading[]>();
  for (const reading of readings)
    addTo(byList, states.size > mostStatesAlone ? undefined : reading.state, reading);
  const whole = byList.get(undefined) ?? [];
  byList.delete(undefined);
  const ofStates = await Promise.all(
    [...byList].map(([state, some]) => findInList(state, some, directory, options, tell)),
  );
  await findInList(undefined, [...whole, ...ofStates.flat()], directory, options, tell);
}

/** Returns the names that may still be found in the whole directory. */
async function findInList(
  state: string | undefined,
  readings: readonly Reading[],
  directory: Pick<Directory, "list">,
  options: ExchangeOptions,
  tell: Tell,
): Promise<Reading[]> {
  if (readings.length === 0) return [];
  try {
    const { ahjs, missing, isOld } = await directory.list(state, options);
    const meanings = await nameMeanings(
      readings.map(({ name }) => name),
      ahjs,
    );
    const { countyOf } = createPlaces(ahjs);
    const open: Reading[] = [];
    for (const reading of readings) {
      const { name } = reading;
      const meaning = meanings.get(name);
      const ahj = meaning && certainMeaning(meaning);
      if (ahj) tell(name, ahj, isOld);
      else if (state !== undefined && !reading.isStateSure) open.push(reading);
      else tell(name, refusal(name, meaning, missing, countyOf), isOld);
    }
    return open;
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (failure.kind === "cancelled") throw failure;
    for (const { name } of readings) tell(name, failure, false);
    return [];
  }
}

function readName(name: string): Reading {
  const plain = withoutCountry(name);
  const behind = stateBehind(plain);
  const bare = isSurelyState(plain) ? stateCodeOf(plain) : undefined;
  const isStateSure = behind?.isApart === true || bare !== undefined;
  return { name, state: behind?.state ?? bare, isStateSure };
}

function refusal(
  text: string,
  { candidates, guess }: NameMeaning = { candidates: [] },
  missing: number,
  countyOf: (ahj: Ahj) => string | undefined,
): Failure {
  if (candidates.length === 0 && missing > 0) return gapFailure(missing, "jurisdiction");
  const former = candidates.length === 0 ? successorsOfName(text) : undefined;
  if (former) return new Failure("unknown-name", { detail: former.sentence, nextStep: former.nextStep });
  if (candidates.length === 0) return new Failure("unknown-name");
  const more = candidates.length - mostSuggested;
  const shown = candidates.slice(0, mostSuggested).map((ahj) => suggestion(ahj, countyOf(ahj)));
  const all = [...shown, ...(more > 0 ? [`${more} more`] : [])].join("; ");
  return guess
    ? new Failure("unknown-name", { nextStep: `Did you mean ${all}?` })
    : new Failure("ambiguous-jurisdiction", { detail: `${all}.` });
}

/** `Alameda County, CA (06001)`. A city is named with its county, if that is known. */
function suggestion({ id, name, state_code, geoid }: Ahj, county: string | undefined): string {
  const place = [name.slice(0, mostNameCharacters), county, state_code].filter((part) => part !== undefined);
  return `${place.join(", ")} (${geoid ?? `ahj:${id}`})`;
}
