import { expect, it } from "vitest";
import { stateCodes } from "../../../../src/engine/lookup/directory/states";
import { stateCodeOf } from "../../../../src/engine/lookup/search/state-names";

it("every state has a name, and its code is known by either, in any case, with any blanks", () => {
  for (const code of stateCodes) expect(stateCodeOf(code)).toBe(code);
  expect(["california", " NEW  YORK ", "District of Columbia", "ca"].map(stateCodeOf)).toEqual([
    "CA",
    "NY",
    "DC",
    "CA",
  ]);
});

it("a part of a state's name is no state, nor is a word that objects have", () => {
  for (const text of ["Carolina", "Cali", "", "XX", "constructor"]) expect(stateCodeOf(text)).toBeUndefined();
});
