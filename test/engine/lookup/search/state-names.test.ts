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

it.each([
  ["AL", "Ala."],
  ["AZ", "Ariz."],
  ["AR", "Ark."],
  ["CA", "Calif.", "Cal.", "CALIF", "State of California", "CA."],
  ["CO", "Colo."],
  ["CT", "Conn."],
  ["DE", "Del."],
  ["DC", "D.C.", "D. C.", "D C"],
  ["FL", "Fla."],
  ["GA", "Ga."],
  ["IL", "Ill."],
  ["IN", "Ind."],
  ["KS", "Kan.", "Kans."],
  ["KY", "Ky.", "Commonwealth of Kentucky"],
  ["MA", "Mass."],
  ["MI", "Mich."],
  ["MS", "Miss."],
  ["MO", "Mo."],
  ["MT", "Mont."],
  ["NE", "Neb.", "Nebr."],
  ["NV", "Nev."],
  ["NH", "N.H."],
  ["NM", "N.M.", "N. Mex.", "N.Mex.", "N Mex"],
  ["NY", "N.Y.", "n. y.", "State of  New York"],
  ["NC", "N.C."],
  ["ND", "N. Dak.", "N.D."],
  ["OK", "Okla."],
  ["OR", "Ore.", "Oreg."],
  ["PA", "Pa.", "Penn.", "Penna."],
  ["RI", "R.I."],
  ["SD", "S. Dak."],
  ["TN", "Tenn."],
  ["TX", "Tex."],
  ["VT", "Vt."],
  ["WA", "Wash."],
  ["WV", "W.Va.", "W. Va.", "W Va"],
  ["WI", "Wis.", "Wisc."],
  ["WY", "Wyo."],
  ["PR", "P.R."],
  ["VI", "V.I.", "U.S. Virgin Islands", "United States Virgin Islands"],
  ["MP", "CNMI", "Commonwealth of the Northern Mariana Islands"],
])("%s has traditional abbreviations and forms of its name", (code, ...texts) => {
  for (const text of texts) expect(stateCodeOf(text), text).toBe(code);
});

it("a short word that means something else is no state", () => {
  for (const text of ["Co.", "N", "C A", "wa sh", "State of", "Virgin", "St.", "N. Ana", "."])
    expect(stateCodeOf(text), text).toBeUndefined();
});
