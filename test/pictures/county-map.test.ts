import { describe, expect, it } from "vitest";
import { countyMap } from "../../src/pictures/county-map";
import type { PicturedAnswer } from "../../src/pictures/pictured-answers";
import { answer, fee } from "./pictured";

/** Answers of one county each, in the order of their numbers. */
const counties = (shown: readonly (number | string)[]): PicturedAnswer[] =>
  shown.map((value, index) =>
    answer(value, { id: index + 1, geoid: String(48_001 + 2 * index), name: `County ${index + 1}` }),
  );

const shapesOf = (all: readonly PicturedAnswer[]) => new Set(all.map(({ ahj }) => ahj.geoid ?? ""));

describe("the map of counties", () => {
  it("colors amounts by quantiles: as many counties in each of five classes", () => {
    const all = counties([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const map = countyMap(fee, all, shapesOf(all));
    expect(map.classes).toEqual([
      { label: "$1 to $2", count: 2 },
      { label: "$3 to $4", count: 2 },
      { label: "$5 to $6", count: 2 },
      { label: "$7 to $8", count: 2 },
      { label: "$9 to $10", count: 2 },
    ]);
    expect(map.counties.map(({ look }) => look)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it("keeps equal amounts in one class", () => {
    const all = counties([5, 5, 5, 5, 5, 5, 1, 2, 3, 4, 9, 10]);
    // The fifths end at the 3rd, 5th, 8th, 10th and 12th of 1 2 3 4 5 5 5 5 5 5 9 10: at 3, 5, 5, 5 and 10.
    expect(countyMap(fee, all, shapesOf(all)).classes).toEqual([
      { label: "$1 to $3", count: 3 },
      { label: "$4 to $5", count: 7 },
      { label: "$9 to $10", count: 2 },
    ]);
  });

  it("colors the four most common kinds, and all others alike", () => {
    const all = counties(["a", "a", "a", "b", "b", "b", "c", "c", "d", "d", "e", "f"]);
    const map = countyMap(fee, all, shapesOf(all));
    expect(map.scale).toBe("kinds");
    expect(map.classes).toEqual([
      { label: "a", count: 3 },
      { label: "b", count: 3 },
      { label: "c", count: 2 },
      { label: "d", count: 2 },
      { label: "2 other answers", count: 2 },
    ]);
    expect(map.counties.map(({ look }) => look)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it("tells counties without a value, unknown ones and words among amounts apart", () => {
    const all = counties([7, 8, "varies", "no value", "not known"]);
    const map = countyMap(fee, all, shapesOf(all));
    expect(map.counties.map(({ look, text }) => [look, text])).toEqual([
      [0, "$7"],
      [1, "$8"],
      ["words", "varies"],
      ["no value", "no value"],
      ["not known", "not known"],
    ]);
    expect(map.looks).toEqual({ words: 1, "no value": 1, "not known": 1 });
  });

  it("counts cities inside a county and never shows one as the county", () => {
    const map = countyMap(
      fee,
      [
        answer("no value", { id: 1, geoid: "25021", name: "Norfolk County" }),
        answer(90, { id: 2, geoid: "2502150250", type: "city", name: "Quincy" }),
        answer(95, { id: 3, geoid: "2507000", type: "city", name: "Boston" }),
        answer(70, { id: 4, geoid: "25", type: "state", name: "Massachusetts" }),
        answer(60, { id: 5, geoid: null, type: "utility", name: "Eversource" }),
      ],
      new Set(["25021", "25025"]),
    );
    expect(map.counties.map(({ geoid, look, cities }) => [geoid, look, cities])).toEqual([
      ["25021", "no value", 1],
    ]);
    expect(map.classes).toEqual([]);
    expect(map.notDrawn).toEqual({ states: 1, cities: 2, others: 1 });
  });

  it("prefers the county to another body with the same geoID, and counts that body apart", () => {
    const all = [
      answer(1, { id: 1, geoid: "48001", type: "special district", name: "A district" }),
      answer(2, { id: 2, geoid: "48001", name: "The county" }),
    ];
    const map = countyMap(fee, all, new Set(["48001"]));
    expect(map.counties.map(({ ahj, text }) => [ahj.name, text])).toEqual([["The county", "$2"]]);
    expect(map.notDrawn.others).toBe(1);
  });

  it("lists counties that are newer than the shapes: of Connecticut and Alaska", () => {
    const all = [
      answer(10, { id: 1, geoid: "09110", name: "Capitol Planning Region", state_code: "CT" }),
      answer(20, { id: 2, geoid: "02063", name: "Chugach Census Area", state_code: "AK" }),
      answer(30, { id: 3, geoid: "02020", name: "Anchorage", state_code: "AK" }),
    ];
    const map = countyMap(fee, all, new Set(["09003", "02261", "02020"]));
    expect(map.withoutShape.map(({ ahj, text }) => [ahj.name, text])).toEqual([
      ["Capitol Planning Region", "$10"],
      ["Chugach Census Area", "$20"],
    ]);
    // The colors belong to the drawn counties only.
    expect(map.classes).toEqual([{ label: "$30", count: 1 }]);
  });
});
