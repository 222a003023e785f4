import { beforeAll, describe, expect, it } from "vitest";
import type { DataPointValue } from "../../../src/engine/api/schemas";
import { allItems, asking } from "../asking";

let points: DataPointValue[];

const valuesIn = (unit: string) =>
  points.filter(({ data_point_type }) => data_point_type.unit_of_measure === unit).map(({ value }) => value!);

beforeAll(async () => {
  points = await allItems<DataPointValue>(asking("demo-national"), "/v1/data-points", {
    state_code: "NV,DE,HI,NJ,WA",
  });
});

describe("Sample values", () => {
  it("a boolean type gets boolean wordings", () => {
    const wordings = new Set(valuesIn("boolean"));
    const known = [
      "Yes",
      "No",
      "Y",
      "N",
      "TRUE",
      "FALSE",
      "Required",
      "Not required",
      "Conditional",
      "N/A",
      "Unknown",
      "See Notes",
      "Yes with conditions: systems over 10 kW only",
    ];
    expect([...wordings].sort()).toEqual(known.sort());
  });

  it("Required and Not required answer only questions of that kind", () => {
    const wrong = points.filter(
      ({ value, data_point_type }) =>
        /^(Not r|R)equired$/.test(value!) && !data_point_type.name.includes("Required"),
    );
    expect(wrong).toEqual([]);
  });

  it("USD gets money, with and without cents, ranges, rules, rates and pointers", () => {
    const texts = valuesIn("USD");
    for (const form of [
      /^\$\d{1,3}(,\d{3})*$/,
      /^\$[\d,]+\.\d\d$/,
      /^\d+$/,
      /^\$0$/,
      /^\$[\d,]+ - \$[\d,]+$/,
      /\(max \$[\d,]+\)$/,
      /^Minimum \$/,
      /; \$\d+ electrical$/,
      /per sq ft$/,
      /of valuation$/,
      /^Actual cost$/,
      /^See fee schedule$/,
      /^Varies$/,
      /^\(\$/,
    ]) {
      expect(texts.filter((text) => form.test(text)).length, String(form)).toBeGreaterThan(0);
    }
    const ofMoney = /\$|^[\d,.]+$|^USD |valuation|^(Actual cost|See fee schedule|Varies)$/;
    expect(texts.filter((text) => !ofMoney.test(text))).toEqual([]);
  });

  it.each([
    ["USD per kWh", /\$|^\d|^Avoided cost rate$/],
    ["feet", /\d|^Same as|^Minimum/],
    ["inches", /\d/],
    ["psf", /\d|^Site-specific$/],
    ["mph", /\d/],
    ["kW", /\d|^No limit$/],
    ["percent", /\d/],
    ["business days", /\d/],
    ["days", /\d|^(Same day|Instant \(automated\)|Varies)$/],
    ["years", /\d|^Life of the system$/],
    ["date", /^20\d\d-\d\d-\d\d$|20\d\d$|^\d+\/\d+\/\d\d$|^Not announced$/],
    ["url", /example\.(gov|org)|^Not online$/],
    ["code edition", /\d{4}|[A-Z]{3}|^None adopted$/],
  ])("a value fits its type's unit: %s", (unit, form) => {
    const texts = valuesIn(unit);
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => !form.test(text))).toEqual([]);
  });

  it("one of a unit is in the singular", () => {
    const units = "acres|feet|inches|hours|days|months|years|cubic yards";
    const wrong = new RegExp(`(?<![\\d.,]|- )1 (business |working )?(${units})`);
    expect(points.map(({ value }) => value!).filter((value) => wrong.test(value))).toEqual([]);
    for (const singular of [/\b1 acre\b/, /\b1 foot\b/, /\b1 day\b/, /\b1 inch\b/, /\b1 year\b/]) {
      expect(
        points.some(({ value }) => singular.test(value!)),
        String(singular),
      ).toBe(true);
    }
  });

  it("no rate is zero", async () => {
    const ahj_ids = Array.from({ length: 56 }, (_, at) => 10_001 + at).join();
    const rates = await allItems<DataPointValue>(asking("demo-national"), "/v1/data-points", {
      ahj_ids,
      data_point_type_ids: "1052,1292,1296,1297,1301",
    });
    expect(rates.length).toBeGreaterThan(40);
    expect(rates.filter(({ value }) => /\$0(\.0+)?(?![\d.])/.test(value!))).toEqual([]);
  });

  it.each([
    [/lot area/, /Lot Coverage/],
    [/case study|Site-specific/, /Snow Load/],
    [/Table|IRC Section/, /Ridge|Eave|Valley/],
    [/electrical$|over 25 kW|above 10 kW$/, /^(Residential|Commercial|Electrical).*Permit Fee$/],
    [/on top of the building permit/, /Surcharge|(Permit|Review) Fee$/],
    [/feet side, /, /Setback to Property Line/],
    [/accessory structure setback/, /Side Setback|Rear Setback|Storage Setback/],
    [/^Minimum /, /^(?!Maximum|.*(Limit|Rebate))/],
    [/^(Up to|No limit)/, /Maximum|Limit|Cap$|Base Size|Exemption|Allowed/],
    [/docket/, /Approval Timeline/],
    [/Instant|^Same day/, /Review Time$/],
    [/corrections are needed/, /^Number of Inspections/],
    [/8AM/, /Hours|Contact/],
    [/Apply here/, /Submission|Request|Permit Type/],
    [/^\+1|^@/, /Telephone|E-mail|Hours|Contact|Submission|Request|Mailing|Official/],
    [/complete application/, /Level|Report Time|Study/],
    [/from installation|Life of the system/, /Warranty|Grandfathering|Exemption/],
  ])("a wording answers its question: %s", (wording, question) => {
    const worded = points.filter(({ value }) => wording.test(value!));
    expect(worded.length).toBeGreaterThan(0);
    const names = worded.map(({ data_point_type }) => data_point_type.name);
    expect([...new Set(names)].filter((name) => !question.test(name))).toEqual([]);
  });

  it.each([
    ["Plan Review Fee as Share of Permit Fee", /% of the permit fee$/],
    ["Valuation Fee Rate", /% of valuation$/],
    ["EV-Ready Share, Commercial Parking", /% of spaces$/],
    ["Maximum System Size Rule", /% of past annual use$/],
    ["Financial Assurance Amount", /% of removal cost$/],
  ])("a share says of what: %s", (name, form) => {
    const texts = points.filter(({ data_point_type }) => data_point_type.name === name);
    expect(texts.some(({ value }) => form.test(value!))).toBe(true);
  });

  it("numbers vary by type within what is plausible", () => {
    const numbers = (typeId: number) =>
      points
        .filter(({ data_point_type }) => data_point_type.id === typeId)
        .map(({ value }) => Number(/^([\d.]+)/.exec(value!)?.[1]))
        .filter(Number.isFinite);
    expect(new Set(numbers(1030)).size).toBeGreaterThan(5);
    expect(Math.max(...numbers(1091))).toBeLessThanOrEqual(260);
    expect(Math.min(...numbers(1091))).toBeGreaterThanOrEqual(95);
    expect(Math.max(...numbers(1108))).toBeLessThanOrEqual(8);
  });

  it.each(["=", "+", "-", "@"])("some texts begin with %s", (sign) => {
    expect(points.filter(({ value }) => value!.startsWith(sign)).length).toBeGreaterThan(0);
  });

  it("some texts have several lines, and some are longer than 255 characters", () => {
    expect(points.some(({ value }) => value!.includes("\n"))).toBe(true);
    expect(points.some(({ value }) => value!.length > 255)).toBe(true);
  });

  it("citations are missing, have no section, or section numbers that look like dates or decimals", () => {
    const found = (test: (point: DataPointValue) => boolean) => points.filter(test).length;
    expect(found(({ reference, section }) => reference === null && section === null)).toBeGreaterThan(0);
    expect(found(({ reference, section }) => reference !== null && section === null)).toBeGreaterThan(0);
    expect(found(({ section }) => /^\d-1\d-\d$/.test(section ?? ""))).toBeGreaterThan(0);
    expect(found(({ section }) => /^\d+\.\d0$/.test(section ?? ""))).toBeGreaterThan(0);
    expect(found(({ reference }) => reference?.startsWith("https://") ?? false)).toBeGreaterThan(0);
  });

  it("without a citation both its fields are null: there is no section alone and no empty text", () => {
    expect(points.filter(({ reference, section }) => reference === null && section !== null)).toEqual([]);
    expect(points.filter(({ reference, section }) => reference === "" || section === "")).toEqual([]);
  });

  it("no wording is left unfilled", () => {
    expect(
      points.filter((point) =>
        /[{}#]|undefined|NaN/.test(`${point.value} ${point.reference} ${point.section}`),
      ),
    ).toEqual([]);
  });
});
