import { describe, expect, it } from "vitest";
import { boxOf, type CountyOutlines, middleOf } from "../../src/pictures/county-outlines";
import { countyMap, countiesInWords, legendOf } from "../../src/pictures/county-map";
import { partsOf, statesOf } from "../../src/pictures/map-parts";
import { answer, fee } from "./pictured";

const county = (id: number, geoid: string, name: string, state_code: string) =>
  answer(id, { id, geoid, name, state_code });
const [douglasNv, douglasOr, clark, kern] = [
  county(1, "32005", "Douglas County", "NV"),
  county(2, "41019", "Douglas County", "OR"),
  county(3, "32003", "Clark County", "NV"),
  county(4, "06029", "Kern County", "CA"),
];
const statesIn = (...answers: Parameters<typeof countyMap>[1][number][]) =>
  statesOf(countyMap(fee, answers, new Set(answers.map(({ ahj }) => ahj.geoid ?? ""))));
const namesOf = (...answers: Parameters<typeof statesIn>) => {
  const { parts, first } = partsOf(statesIn(...answers));
  return { parts: parts.map(({ name }) => name), first: first.name };
};

describe("the parts of a map", () => {
  it("are its states by name, each with its counties by name", () => {
    const states = statesIn(douglasNv, douglasOr, clark);
    expect(states.map(({ name, counties }) => [name, counties.map(({ ahj }) => ahj.name)])).toEqual([
      ["NV", ["Clark County", "Douglas County"]],
      ["OR", ["Douglas County"]],
    ]);
  });

  it("begin with the whole country if there are three states or more", () => {
    expect(namesOf(douglasNv, douglasOr, kern)).toEqual({ parts: ["All", "CA", "NV", "OR"], first: "All" });
  });

  it("begin with one state or two if there are no others, and include the whole country, too", () => {
    expect(namesOf(clark, douglasNv)).toEqual({ parts: ["All", "NV"], first: "NV" });
    expect(namesOf(clark, douglasOr)).toEqual({
      parts: ["All", "NV and OR", "NV", "OR"],
      first: "NV and OR",
    });
  });

  it("of two states are as large as both together", () => {
    const outlines: CountyOutlines = {
      ...{ counties: [], stateBorders: "", whole: { x: 0, y: 0, width: 100, height: 60 } },
      boxes: new Map([
        ["32", { x: 10, y: 20, width: 10, height: 15 }],
        ["41", { x: 5, y: 10, width: 12, height: 8 }],
      ]),
    };
    expect(boxOf(outlines, ["32", "41"])).toEqual({ x: 5, y: 10, width: 15, height: 25 });
    expect(boxOf(outlines, [])).toEqual(outlines.whole);
  });
});

it("a county's name stands in the middle of its largest area", () => {
  // A square of 4 from (10, 20) on, and an island of 1 far away.
  const path = "M100,100l1,0,0,1,-1,0ZM10,20l4,0,0,4,-4,0,0,-4Z";
  expect(middleOf({ geoid: "06001", path })).toEqual({ x: 12, y: 22 });
});

describe("the legend of a map", () => {
  it("counts counties, and other jurisdictions apart from them", () => {
    const answers = ["a", "a", "b", "b", "c", "c", "d", "d", "e", "f", "f"].map((text, index) =>
      answer(text, { id: index, geoid: String(48_001 + 2 * index) }),
    );
    const map = countyMap(fee, answers, new Set(answers.map(({ ahj }) => ahj.geoid ?? "")));
    const legend = legendOf(map).map(({ label, count }) => `${label}: ${countiesInWords(count)}`);
    expect(legend[0]).toBe("a: 2 counties");
    expect(legend.at(-1)).toBe("2 other answers: 3 counties");
  });
});
