import { Failure } from "../../../errors";
import { isPlaceName } from "../directory/geoid";
import { stateOfGeoid } from "../directory/states";
import type { AhjName } from "../wants";
import { isSurelyState, stateBehind, stateInFront, withoutCountry } from "./split-state";
import { stateCodeOf } from "./state-names";

/**
 * A jurisdiction in the state that stands beside it, by its code or name; "" is none. Fails with `invalid-argument` if that is no state, or
 * not the state of the geoID.
 *
 *     inStateBeside("Orange County", "Calif.") // "Orange County, CA"
 */
export function inStateBeside(name: AhjName, given: string): AhjName | Failure {
  if (given === "" || typeof name === "number") return name;
  const state = stateCodeOf(given);
  if (state === undefined)
    return new Failure("invalid-argument", { detail: `"${given.slice(0, 50)}" is not a state, such as CA.` });
  if (isPlaceName(name)) return nameWithState(name, state);
  const own = stateOfGeoid(name);
  if (own === undefined || own === state) return name;
  return new Failure("invalid-argument", { detail: `${name} lies in ${own}, not in ${state}.` });
}

function nameWithState(name: string, state: string): string {
  const plain = withoutCountry(name);
  if (isSurelyState(plain) && stateCodeOf(plain) === state) return name;
  const own = stateBehind(plain) ?? stateInFront(plain);
  // In "City of Oregon", the state's name is the city's.
  const hasState = own?.state === state && !/\sof$/i.test(own.rest);
  return `${hasState ? own.rest : name}, ${state}`;
}
