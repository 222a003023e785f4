import fc from "fast-check";
import { expect, it } from "vitest";
import { certainMeaning, nameMeanings } from "../../../../src/engine/lookup/search/name-meanings";
import { stateName } from "../../../../src/engine/lookup/search/state-names";
import { nationalAhjs } from "../../../nation";

/** The sample's counties and states have their real names; its cities are invented. */
const nation = (await nationalAhjs()).filter(({ type }) => type === "county" || type === "state");
const counties = nation.filter(({ type }) => type === "county");

/** Some traditional abbreviations; other states have their code. */
const abbreviations: Record<string, string> = {
  ...{ CA: "Calif.", FL: "Fla.", NM: "N. Mex.", NY: "N.Y.", VA: "Va.", WV: "W. Va.", MO: "Mo.", TX: "Tex." },
  ...{ PR: "P.R.", LA: "La.", MD: "Md.", MN: "Minn.", WI: "Wis.", KS: "Kans.", DC: "D.C.", ND: "N. Dak." },
};

const letters: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize("NFD"),
  (name) => name.normalize("NFD").replace(/\p{M}/gu, ""),
];
const signs: ((name: string) => string)[] = [
  (name) => name,
  (name) => `  ${name.replaceAll(" ", "   ")} `,
  (name) => name.replaceAll(".", ""),
  (name) => name.replaceAll("-", " "),
  (name) => name.replaceAll("'", "’"),
  (name) => name.replaceAll("'", "ʻ"),
  (name) => name.replace(/^St\. /, "Saint "),
  (name) => name.replace(/^(.+) (County|Parish|Borough|city)$/, "$2 of $1"),
  (name) => name.replace(/^(De|La|Mc)(?=[A-Z])/, "$1 "),
];
const withState: ((name: string, code: string) => string)[] = [
  (name, code) => `${name}, ${code}`,
  (name, code) => `${name} ${code}`,
  (name, code) => `${name},${stateName(code)}`,
  (name, code) => `${name} ${stateName(code)}`,
  (name, code) => `${name}, ${abbreviations[code] ?? code}`,
  (name, code) => `${name} ${abbreviations[code] ?? code}`,
  (name, code) => `${name}, ${stateName(code)}, USA`,
  (name, code) => `${name} (${code})`,
];

it("every mechanical spelling of a county is the county for sure, or one of the candidates", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          county: fc.constantFrom(...counties),
          asLetters: fc.constantFrom(...letters),
          asSigns: fc.constantFrom(...signs),
          asState: fc.constantFrom(...withState),
        }),
        { minLength: 300, maxLength: 600 },
      ),
      async (asked) => {
        const names = asked.map(({ county, asLetters, asSigns, asState }) =>
          asLetters(asState(asSigns(county.name), county.state_code)),
        );
        const meanings = await nameMeanings(names, nation);
        for (const [at, name] of names.entries()) {
          const meaning = meanings.get(name);
          const county = asked[at]?.county;
          expect(meaning?.candidates, name).toContain(county);
          const [, other] = meaning?.candidates ?? [];
          if (!other) expect(meaning && certainMeaning(meaning), name).toBe(county);
        }
      },
    ),
    { numRuns: 10 },
  );
});

/** The letters of a name, which a sure match must have in common with the jurisdiction. */
const bare = (name: string) =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replace(/\bsaint\b/g, "st")
    .replace(/[^a-z]/g, "");

it("a county with one letter changed is never another one for sure", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          county: fc.constantFrom(...counties),
          at: fc.nat(12),
          letter: fc.constantFrom(..."aeinorst?ñÃ\uFFFD"),
          isExtra: fc.boolean(),
        }),
        { minLength: 100, maxLength: 200 },
      ),
      async (asked) => {
        const names = asked.map(
          ({ county: { name, state_code }, at, letter, isExtra }) =>
            `${name.slice(0, at)}${letter}${name.slice(isExtra ? at : at + 1)}, ${state_code}`,
        );
        const meanings = await nameMeanings(names, nation);
        for (const name of names) {
          const meaning = meanings.get(name);
          const sure = meaning && certainMeaning(meaning);
          if (sure) expect(bare(`${sure.name}, ${sure.state_code}`), name).toBe(bare(name));
        }
      },
    ),
    { numRuns: 5 },
  );
});
