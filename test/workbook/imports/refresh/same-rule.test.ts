import { describe, expect, it } from "vitest";
import { ruleChanges } from "../../../../src/workbook/imports/refresh/change-lists";
import { planChanges } from "../../../../src/workbook/imports/refresh/changes-sheet";
import { datesOf } from "../../../../src/workbook/imports/refresh/same-rule";
import type { ValueChange } from "../../../../src/workbook/imports/refresh/compare-answers";
import { noNews } from "./no-news";

const fee = { id: 10, name: "Re-Inspection Fee", unit_of_measure: "USD" };
const statutes = (value: string, updatedAt = "2026-11-02T00:00:00Z") => ({
  ...{ value, reference: "State Statutes", section: "1.30", updatedAt },
});
const arizona = { id: 1, name: "Arizona", state_code: "AZ", geoid: "04" };
const apache = { id: 2, name: "Apache County", state_code: "AZ", geoid: "04001" };
const cochise = { id: 3, name: "Cochise County", state_code: "AZ", geoid: "04003" };
const bisbee = { id: 4, name: "Bisbee", state_code: "AZ", geoid: "0406260", county: "Cochise County" };
const clark = { id: 5, name: "Clark County", state_code: "NV", geoid: "32003" };

function change(ahj: ValueChange["ahj"], given: Partial<ValueChange> = {}): ValueChange {
  const place = { row: ahj.id, header: fee.name };
  return { ahj, type: fee, place, before: statutes("$60"), after: statutes("$65"), ...given };
}

const placesOf = (changes: readonly ValueChange[]) => ruleChanges(changes).map(({ places }) => places);

describe("the changes of one rule", () => {
  it("are one line, named by the state whose rule it is", () => {
    expect(placesOf([change(apache), change(cochise), change(arizona)])).toEqual([
      "Arizona, and 2 places that follow it",
    ]);
    expect(placesOf([change(apache), change(arizona)])).toEqual(["Arizona, and 1 place that follows it"]);
    expect(placesOf([change(arizona)])).toEqual(["Arizona, AZ"]);
  });

  it("are named by a county if all others are in it, and otherwise by the first place", () => {
    expect(placesOf([change(bisbee), change(cochise)])).toEqual([
      "Cochise County, AZ, and 1 place that follows it",
    ]);
    expect(placesOf([change(cochise), change(bisbee), change(apache)])).toEqual([
      "Apache County, AZ, and 2 more",
    ]);
  });

  it("are apart if state, question, answers or citation differ, and none is left out", () => {
    const others = [
      change(clark),
      change(cochise, { before: statutes("$55") }),
      change(cochise, { after: statutes("$70") }),
      change(cochise, { after: { ...statutes("$65"), section: "1.31" } }),
      change(cochise, { type: { ...fee, id: 11 } }),
      change(cochise, { before: null }),
      // Cells that describe a jurisdiction hold no rule.
      change(cochise, { type: null }),
      change(apache, { type: null }),
    ];
    const all = [change(arizona), ...others, change(apache)];
    const rules = ruleChanges(all);
    expect(rules).toHaveLength(9);
    expect(new Set(rules.flatMap(({ own, others: more }) => [own, ...more]))).toEqual(new Set(all));
  });

  it("tell the days of all their answers", () => {
    const [rule] = ruleChanges([
      change(arizona, { after: statutes("$65", "2026-11-03T10:00:00Z") }),
      change(apache, { after: statutes("$65", "2026-10-30T08:00:00Z") }),
    ]);
    expect(rule && datesOf(rule)).toBe("2026-10-30 to 2026-11-03");
  });

  it("are one row of the sheet of changes, which names all places with their cells", () => {
    const report = { ...noNews, changes: [change(apache), change(arizona), change(cochise)] };
    const { columns, rows } = planChanges(report, ["Fees!F4", "Fees!F2", undefined]);
    const [row, ...more] = rows.map((cells) =>
      Object.fromEntries(cells.map(({ value }, index) => [columns[index]?.header, value])),
    );
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      Cell: "Fees!F2",
      Jurisdiction: "Arizona, and 2 places that follow it",
      "Also for": "Apache County, AZ (F4); Cochise County, AZ",
      ...{ Question: "Re-Inspection Fee", Change: "changed", Before: "$60", Now: "$65" },
    });
    expect(rows[0]?.[0]?.documentReference).toBe("Fees!F2");
  });

  it("get further rows in the sheet of changes if a cell can't name all places", () => {
    const counties = Array.from({ length: 3_000 }, (_, index) =>
      change({ ...apache, id: index, name: `County ${index}` }),
    );
    const { columns, rows } = planChanges({ ...noNews, changes: [change(arizona), ...counties] }, []);
    const also = columns.findIndex(({ header }) => header === "Also for");
    const names = rows.flatMap((cells) => String(cells[also]?.value).split("; "));
    expect(names).toEqual(counties.map(({ ahj }) => `${ahj.name}, AZ`));
    expect(rows.length).toBeGreaterThan(1);
  });
});
