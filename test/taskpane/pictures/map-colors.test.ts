import { describe, expect, it } from "vitest";
import { classColors, mapColors, opacitiesOf } from "../../../src/taskpane/pictures/map/map-colors";

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lower = 0, higher = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

const gray = (part: number) =>
  `#${Math.round(part * 255)
    .toString(16)
    .padStart(2, "0")
    .repeat(3)}`;

describe.each(["light", "dark"] as const)("the colors of a map in a %s pane", (theme) => {
  const { background, amounts, kinds } = mapColors[theme];

  it("stand out from the pane, each by 3 to 1", () => {
    for (const color of [...amounts, ...kinds])
      expect(contrast(color, background), color).toBeGreaterThanOrEqual(3);
  });

  it("go from the one end of the scale to the other, which differ by 3 to 1", () => {
    expect(contrast(amounts[0] ?? "", amounts.at(-1) ?? "")).toBeGreaterThanOrEqual(3);
    expect(classColors(theme, "amounts", 2)).toEqual([amounts[0], amounts[4]]);
    expect(classColors(theme, "amounts", 3)).toEqual([amounts[0], amounts[2], amounts[4]]);
    expect(classColors(theme, "amounts", 1)).toEqual([amounts[0]]);
    expect(classColors(theme, "kinds", 2)).toEqual([kinds[0], kinds[1]]);
  });
});

describe("a map in high contrast", () => {
  it("shows even the least of a text color by 3 to 1, white on black and black on white", () => {
    const [least = 0] = opacitiesOf(5);
    expect(contrast(gray(least), "#000000")).toBeGreaterThanOrEqual(3);
    expect(contrast(gray(1 - least), "#ffffff")).toBeGreaterThanOrEqual(3);
  });
});
