import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CountyAtlas, countyShapes } from "../../deployment/county-shapes";
import { type Box, countyOutlines } from "../../src/pictures/county-outlines";

const read = () =>
  JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve("us-atlas/counties-10m.json")), "utf8"),
  ) as CountyAtlas;

const outlines = countyOutlines(countyShapes(read()));
const pathOf = (geoid: string) => outlines.counties.find((county) => county.geoid === geoid)?.path;

/** The places of a path's corners. */
function placesOf(path = ""): Set<string> {
  const places = new Set<string>();
  for (const [, x, y, steps = ""] of path.matchAll(/M(\d+),(\d+)l([-,\d]+)/g)) {
    let [right, down] = [Number(x), Number(y)];
    const numbers = steps.split(",").map(Number);
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      right += numbers[at] ?? 0;
      down += numbers[at + 1] ?? 0;
      places.add(`${right},${down}`);
    }
  }
  return places;
}

const isWithin = (inner: Box | undefined, outer: Box) =>
  inner !== undefined &&
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

describe("the counties' shapes", () => {
  it("are those of the atlas's 3,231 counties, but for one that is a line there: Falls Church in Virginia", () => {
    expect(outlines.counties).toHaveLength(3_230);
    expect(pathOf("51610")).toBeUndefined();
    const flat = outlines.counties.filter(({ path }) => placesOf(path).size < 3);
    expect(flat).toEqual([]);
  });

  it("are those of 2017: Connecticut has counties, and Alaska has Valdez-Cordova", () => {
    expect([pathOf("09003"), pathOf("02261")].map((path) => path !== undefined)).toEqual([true, true]);
    expect([pathOf("09110"), pathOf("02063")]).toEqual([undefined, undefined]);
  });

  it("have Alaska, Hawaii, Puerto Rico and the other islands in the picture, each beside the others", () => {
    const boxes = [...outlines.boxes.values()];
    expect(boxes).toHaveLength(56);
    expect(boxes.every((box) => isWithin(box, outlines.whole))).toBe(true);
    for (const state of ["02", "15", "72", "60", "66", "69", "78"]) {
      const box = outlines.boxes.get(state);
      expect(Math.max(box?.width ?? 0, box?.height ?? 0), state).toBeGreaterThan(outlines.whole.width / 50);
    }
  });

  it("share their borders: what one county has, its neighbor has in the same places", () => {
    // Cumberland and York in Maine.
    const [one, other] = [placesOf(pathOf("23005")), placesOf(pathOf("23031"))];
    const shared = [...one].filter((place) => other.has(place));
    expect(shared.length).toBeGreaterThan(1);
  });
});

describe("county outlines", () => {
  it("are read from differences, along an arc and against it", () => {
    // Two squares side by side, of 2 units each; they share the arc from 2,0 to 2,2.
    const { counties, stateBorders, boxes } = countyOutlines({
      ...{ width: 4, height: 2, geoids: ["01001", "02001"] },
      polygons: [[[[0, 1]]], [[[-2, 3]]]],
      arcs: [
        [2, 0, 0, 2],
        [0, 0, -2, 0, 0, -2, 2, 0],
        [0, 0, 2, 0, 0, 2, -2, 0],
      ],
    });
    expect(counties).toEqual([
      { geoid: "01001", path: "M2,0l0,2,-2,0,0,-2,2,0Z" },
      { geoid: "02001", path: "M2,2l0,-2,2,0,0,2,-2,0Z" },
    ]);
    expect(boxes.get("02")).toEqual({ x: 2, y: 0, width: 2, height: 2 });
    expect(stateBorders).toBe("M2,0l0,2M2,2l-2,0,0,-2,2,0M2,0l2,0,0,2,-2,0");
  });
});
