import type { ChangedAhj } from "./compare-answers";

/** A jurisdiction's name with county and state, to tell it from others of the same name: "Bibb County, AL", "Union, Polk County, IA". */
export function placeName({ name, county, state_code: state }: ChangedAhj): string {
  // The service names a county as its own county.
  const place = county === undefined || county === name ? name : `${name}, ${county}`;
  // The name may already end with the state.
  return state === "" || place.toUpperCase().endsWith(`, ${state.toUpperCase()}`)
    ? place
    : `${place}, ${state}`;
}
