import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { unitWords } from "../../../../src/taskpane/cell/facts/unit-words";
import { formulaValue, importCell } from "../../../../src/workbook/sheet/values/cell-value";
import { shownInCell, withoutUnit } from "../../../../src/workbook/sheet/values/shown-number";
import { unitLabel, withUnit } from "../../../../src/workbook/sheet/values/units";

const root = resolve(import.meta.dirname, "../../../..");

describe("money", () => {
  it("is recognized by the list of currencies alone: no other file spells a sign or a code", () => {
    // Templates choose questions whose answers are in US dollars.
    const others = ["src", "command"]
      .flatMap((folder) =>
        readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" }).map(
          (file) => `${folder}/${file.replaceAll("\\", "/")}`,
        ),
      )
      .filter((file) => /\.tsx?$/.test(file) && !/values\/units\.ts$|workbook\/templates\//.test(file));
    expect(others.length).toBeGreaterThan(500);
    const spells = (file: string) => {
      // Comments begin their lines.
      const code = readFileSync(resolve(root, file), "utf8").replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, "");
      return /\bUSD\b|\bdollars\b|\\\$ \?|"\\\$"/i.test(code);
    };
    expect(others.filter(spells)).toEqual([]);
  });

  it("is a number in its own currency, and text in a currency that the unit does not name", () => {
    expect(formulaValue("$1,250.50", "USD")).toBe(1_250.5);
    expect(formulaValue("USD 1,250.50", "USD")).toBe(1_250.5);
    expect(formulaValue("€1,250.50", "USD")).toBe("€1,250.50");
    expect(formulaValue("$5", "days")).toBe("$5");
  });

  it("keeps its sign in cells, headers and sentences", () => {
    const cell = importCell("$0.12/kWh", "USD per kWh");
    expect(cell).toEqual({ value: 0.12, numberFormat: '"$"#,##0.00"/kWh"' });
    expect(shownInCell(cell.value, cell.numberFormat)).toBe("$0.12/kWh");
    expect(withoutUnit(cell.numberFormat, "USD per kWh")).toBe("#,##0.00");
    expect(withoutUnit(cell.numberFormat, "days")).toBe(cell.numberFormat);
    expect(unitLabel("USD per kWh")).toBe("$ per kWh");
    expect(withUnit("0.12", "USD per kWh")).toBe("$0.12 per kWh");
    expect(unitWords("USD per kWh")).toBe("US dollars per kWh");
  });
});
