import { gapFailure } from "../../api/paged-list";
import { addTo } from "../../../lists";
import { asFailure, Failure } from "../../../errors";
import type { Ahj } from "../../api/schemas";
import type { ExchangeOptions } from "../../transport/exchange";
import { createPlaces } from "../directory/places";
import type { Directory } from "../directory/directory";
import { certainMeaning, type NameMeaning, nameMeanings } from "./name-meanings";
import { isSurelyState, stateBehind, stateInFront, withoutCountry } from "./split-state";
import { successorsOfName } from "../lists/successors";
import { stateCodeOf } from "./state-names";

/** A jurisdiction by its name, which may end in its state. */
export interface AskedName {
  name: string;
  /** The state's code or name. */
  state?: string | undefined;
}

type Tell = (asked: AskedName, outcome: string | Failure) => void;

/** A name as a list would have it, and the state to look in. */
interface Reading {
  asked: AskedName;
  text: string;
  state: string | undefined;
  /** True if the state was given or stands after a comma. Otherwise it may belong to the name, as in "City of Oregon". */
  isStateSure: boolean;
}

/** If there are more states than this, the whole directory takes hardly more requests. */
const mostStatesAlone = 25;
const mostSuggested = 3;
/** The most characters of a name that a sentence in a cell has room for. */
const mostNameCharacters = 60;

/**
 * Tells the geoID of each name, by the rules of lists of names (`nameMeanings`), or why it is not certain, with the jurisdictions that may
 * be meant. Reads the lists of the named states, and the whole directory if a name has no state. Only `cancelled` is thrown.
 */
export async function findNamed(
  names: Iterable<AskedName>,
  directory: Pick<Directory, "list" | "resolve">,
  options: ExchangeOptions,
  tell: Tell,
): Promise<void> {
  const readings: Reading[] = [];
  for (const asked of names) {
    const reading = readName(asked);
    if (reading instanceof Failure) tell(asked, reading);
    else readings.push(reading);
  }
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
  directory: Pick<Directory, "list" | "resolve">,
  options: ExchangeOptions,
  tell: Tell,
): Promise<Reading[]> {
  if (readings.length === 0) return [];
  try {
    const { ahjs, missing } = await directory.list(state, options);
    const texts = [...new Set(readings.map(({ text }) => text))];
    const meanings = await nameMeanings(texts, ahjs);
    const found = new Map([...meanings].map(([text, meaning]) => [text, certainMeaning(meaning)]));
    const nameOf = await namesByGeoid([...found.values()], directory, options);
    const { countyOf } = createPlaces(ahjs);
    const open: Reading[] = [];
    for (const reading of readings) {
      const ahj = found.get(reading.text);
      if (ahj) tell(reading.asked, nameOf(ahj));
      else if (state !== undefined && !reading.isStateSure) open.push(reading);
      else tell(reading.asked, refusal(reading.text, meanings.get(reading.text), missing, countyOf));
    }
    return open;
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (failure.kind === "cancelled") throw failure;
    for (const { asked } of readings) tell(asked, failure);
    return [];
  }
}

function readName(asked: AskedName): Reading | Failure {
  const { name: text, state: given } = asked;
  const plain = withoutCountry(text);
  const behind = stateBehind(plain);
  const bare = isSurelyState(plain) ? stateCodeOf(plain) : undefined;
  if (given === undefined) {
    const isStateSure = behind?.isApart === true || bare !== undefined;
    return { asked, text, state: behind?.state ?? bare, isStateSure };
  }
  const state = stateCodeOf(given);
  if (state === undefined)
    return new Failure("invalid-argument", { detail: `"${given.slice(0, 50)}" is not a state, such as CA.` });
  const own = behind?.state ?? bare ?? stateInFront(plain)?.state;
  return { asked, text: own === state ? text : `${text}, ${state}`, state, isStateSure: true };
}

/** The form in which formulas name an AHJ: its geoID if that is known to stand for it, otherwise `ahj:` and its id. */
async function namesByGeoid(
  ahjs: readonly (Ahj | undefined)[],
  directory: Pick<Directory, "resolve">,
  options: ExchangeOptions,
): Promise<(ahj: Ahj) => string> {
  const geoids = ahjs.flatMap((ahj) => ahj?.geoid ?? []);
  const resolutions = await directory.resolve(geoids, { ...options, keptOnly: true });
  return ({ id, geoid }) => {
    const resolution = geoid === null ? undefined : resolutions.get(geoid);
    const isIts = resolution && !(resolution instanceof Failure) && resolution.id === id;
    return geoid !== null && isIts ? geoid : `ahj:${id}`;
  };
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
