import fc from "fast-check";
import { expect, it } from "vitest";
import { keyOf } from "../../../../src/engine/lookup/lists/list-entries";
import { readListCells, readListText } from "../../../../src/engine/lookup/lists/read-list";
import { connected } from "../../../recorded-service";

const { ahjs } = await connected("demo-national").lookup.directory.load();
const geoids = ahjs.flatMap(({ geoid }) => geoid ?? []);
const counties = geoids.filter(({ length }) => length === 5);
const places = geoids.filter(({ length }) => length === 7);
const levels: Record<number, string> = { 2: "040", 5: "050", 7: "160", 10: "060" };

const anyGeoid = fc.constantFrom(...geoids);
const withoutZero = (geoid: string) => geoid.replace(/^0/, "");
const spellings: ((geoid: string) => string)[] = [
  (geoid) => geoid,
  withoutZero,
  (geoid) => `${levels[geoid.length]}0000US${geoid}`,
  (geoid) => `${levels[geoid.length]}00US${geoid}`,
  (geoid) => `${levels[geoid.length]}0000us${geoid}`,
  (geoid) => `US${geoid}`,
  (geoid) => `FIPS ${geoid}`,
  (geoid) => `="${geoid}"`,
  (geoid) => `${withoutZero(geoid)}.0`,
  (geoid) => `\u200b${geoid}\ufeff`,
  (geoid) => `‘${geoid}`,
];
/** A geoID in one of its lawful spellings. A state's code alone, without its zero, may be anything beside other codes. */
const spelled = fc
  .tuple(anyGeoid, fc.constantFrom(...spellings))
  .map(([geoid, spell]) => ({ geoid, text: geoid.length === 2 ? geoid : spell(geoid) }));
const separator = fc.constantFrom("\n", "\r\n", "\r", ", ", ",\n", ";", ";\n", " ", "\t", "\n\n");

const asked = (list: Awaited<ReturnType<typeof readListText>>) =>
  [...new Set(list.entries.map(({ meaning }) => keyOf(meaning)))].sort();
const unique = (all: readonly string[]) => [...new Set(all)].sort();

it("geoIDs in any spelling, order and separator are the ones that are asked", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spelled, { minLength: 1, maxLength: 30 }), separator, async (entries, sign) => {
      const list = await readListText(entries.map(({ text }) => text).join(sign));
      expect(asked(list)).toEqual(unique(entries.map(({ geoid }) => geoid)));
    }),
    { numRuns: 300 },
  );
});

it("so are numbers of cells, whatever zeros they have lost", async () => {
  const some = fc.array(anyGeoid, { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(some, async (own) => {
      const list = await readListCells(own.map((geoid) => [Number(geoid)]));
      expect(asked(list)).toEqual(unique(own));
    }),
    { numRuns: 200 },
  );
});

it("counties and places in columns of their own, in any order of columns, are the ones that are asked", async () => {
  const kinds = [
    { all: counties, part: "COUNTYFP", heading: "STATEFP" },
    { all: places, part: "PLACEFP", heading: "STATEFP" },
    { all: counties, part: "County FIPS", heading: "State FIPS" },
  ];
  const table = fc.constantFrom(...kinds).chain(({ all, part, heading }) =>
    fc.record({
      own: fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 20 }),
      headings: fc.shuffledSubarray([heading, part, "NAME", "POP"], { minLength: 4 }),
      sign: fc.constantFrom("\t", ",", ";"),
      keepsZeros: fc.boolean(),
      part: fc.constant(part),
      heading: fc.constant(heading),
    }),
  );
  await fc.assert(
    fc.asyncProperty(table, async ({ own, headings, sign, keepsZeros, part, heading }) => {
      const zeros = (digits: string) => (keepsZeros ? digits : String(Number(digits)));
      const row = (geoid: string) => {
        const cells: Record<string, string> = {
          [heading]: zeros(geoid.slice(0, 2)),
          [part]: zeros(geoid.slice(2)),
          NAME: "Somewhere",
          POP: "1643700",
        };
        return headings.map((each) => cells[each]).join(sign);
      };
      const list = await readListText([headings.join(sign), ...own.map(row)].join("\n"));
      expect(asked(list)).toEqual(unique(own));
    }),
    { numRuns: 200 },
  );
});

it("codes of other levels are never asked, however many there are beside geoIDs", async () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
  const county = fc.constantFrom(...counties);
  const other = fc.oneof(
    fc
      .tuple(fc.constantFrom("860", "970", "950", "960", "795", "610", "620", "400", "310", "500"), digits(5))
      .map(([level, area]) => `${level}0000US${area}`),
    fc.tuple(county, digits(6)).map(([own, tract]) => own + tract),
    fc.tuple(county, digits(7)).map(([own, group]) => own + group),
    fc.tuple(county, digits(6)).map(([own, tract]) => `1400000US${own}${tract}`),
    fc.tuple(county, digits(10)).map(([own, block]) => own + block),
    fc.constantFrom("3.4E+09", "6.001E+03", "#N/A", "94501-1234", "99999", "06002"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(other, { minLength: 1, maxLength: 20 }), anyGeoid, async (others, geoid) => {
      const list = await readListText([...others, geoid].join("\n"));
      expect(asked(list).filter((key) => key !== null)).toEqual([geoid]);
    }),
    { numRuns: 300 },
  );
});
