import { expect, it } from "vitest";
import { Failure } from "../../../../src/errors";
import { findNamed } from "../../../../src/engine/lookup/search/find-named";
import { inStateBeside } from "../../../../src/engine/lookup/search/name-in-state";
import { connected } from "../../../recorded-service";

/** The geoID that each name gives, or what its message says, and the states whose lists were read. */
async function found(...names: string[]) {
  const { lookup, requests } = connected("demo-national");
  const outcomes: (string | null)[] = [];
  await findNamed(names, lookup.directory, {}, (name, outcome) => {
    outcomes[names.indexOf(name)] =
      outcome instanceof Failure ? (outcome.nextStep ?? outcome.detail ?? outcome.kind) : outcome.geoid;
  });
  const states = new Set(requests.map((request) => /state_code=(\w+)/.exec(request)?.[1] ?? "all"));
  return { outcomes, states: [...states].sort() };
}

it.each([
  ["Orange County, Calif.", undefined, "06059", ["CA", "all"]],
  ["De Kalb County, Georgia, USA", undefined, "13089", ["GA", "all"]],
  ["Orange County (Fla.)", undefined, "12095", ["FL", "all"]],
  ["Hawaiʻi County, HI", undefined, "15001", ["HI", "all"]],
  ["CA", undefined, "06", ["CA", "all"]],
  ["N. Mex.", undefined, "35", ["NM", "all"]],
  ["California, Orange County", undefined, "06059", ["all"]],
  ["California, Orange County", "CA", "06059", ["CA", "all"]],
  ["Orange County", "Calif.", "06059", ["CA", "all"]],
  ["Orange County, Florida, United States", "Fla.", "12095", ["FL", "all"]],
  ["Orange County", "State of California", "06059", ["CA", "all"]],
])("%s with state %s is %s, from the lists that tell it", async (name, state, geoid, states) => {
  const inState = inStateBeside(name, state ?? "");
  expect(await found(String(inState))).toEqual({ outcomes: [geoid], states });
});

it.each([
  ["Brooklyn, NY", "Did you mean Kings County, NY (36047); New York, NY (3651000)?"],
  ["DoÃ±a Ana County, NM", "Did you mean Doña Ana County, NM (35013)?"],
  ["Alameda Co., CA", "Did you mean Alameda County, CA (06001)?"],
  ["New York, NY", "Did you mean New York, NY (36); New York, NY (3651000); New York County, NY (36061)?"],
  ["CA Orange County", "Did you mean Orange County, CA (06059)?"],
])("%s is no sure name, and its message asks: %s", async (name, message) => {
  expect((await found(name)).outcomes).toEqual([message]);
});

it("a text that is too long for a name is looked at no further, however it ends", async () => {
  const name = `Alameda County${" ".repeat(30_000)}x, `.repeat(3);
  expect((await found(`${name}, CA`)).outcomes).toEqual(["unknown-name"]);
});
