import { describe, expect, it } from "vitest";
import { histogramOf, placeIn } from "../../src/pictures/histogram";
import { sortAnswers } from "../../src/pictures/pictured-answers";
import { serialOfMs } from "../../src/workbook/sheet/values/serial-date";
import { answers, fee } from "./pictured";

const drawn = (values: readonly number[], numberFormat?: string, unit = "USD") =>
  histogramOf(sortAnswers({ unit_of_measure: unit }, answers(values, numberFormat)), unit);

const binsOf = (...given: Parameters<typeof drawn>) =>
  drawn(...given)?.bins.map(({ label, count }) => [label, count]);

const day = (text: string) => serialOfMs(Date.parse(`${text}T00:00:00Z`));

describe("a histogram", () => {
  it("has bins of one round width, which begin at its multiples, in the words of the cells", () => {
    // For eight values Sturges's rule gives 4 bins, but five is the minimum; from 30 to 430, five bins have the round width 100.
    expect(binsOf([30, 110, 199, 200, 250, 280, 320, 430])).toEqual([
      ["$0 to $99", 1],
      ["$100 to $199", 2],
      ["$200 to $299", 3],
      ["$300 to $399", 1],
      ["$400 to $499", 1],
    ]);
    expect(drawn([30, 110, 199, 200, 250, 280, 320, 430])?.ends).toEqual({ from: "$0", to: "$500" });
  });

  it("counts a value on the border of two bins with the upper one, of tenths too", () => {
    expect(binsOf([0.1, 0.2, 0.3, 0.4, 0.5], '"$"0.0')).toEqual([
      ["$0.1", 1],
      ["$0.2", 1],
      ["$0.3", 1],
      ["$0.4", 1],
      ["$0.5", 1],
    ]);
  });

  it("has no border between whole numbers", () => {
    expect(binsOf([1, 1, 2, 3], "0", "days")).toEqual([
      ["1 day", 2],
      ["2 days", 1],
      ["3 days", 1],
    ]);
  });

  it("names the smallest and the largest amount that fits into each bin, of cents too", () => {
    expect(binsOf([30.5, 110, 199.99, 200, 250, 280, 320, 430], '"$"0.00')).toEqual([
      ["$0.00 to $99.99", 1],
      ["$100.00 to $199.99", 2],
      ["$200.00 to $299.99", 3],
      ["$300.00 to $399.99", 1],
      ["$400.00 to $499.99", 1],
    ]);
    expect(drawn([30.5, 110, 199.99, 430], '"$"0.00')?.ends).toEqual({ from: "$0", to: "$500" });
  });

  it("shows percentages as such", () => {
    expect(binsOf([0.05, 0.06, 0.075, 0.08], "0.0%", "percent")).toEqual([
      ["5.0% to 5.9%", 1],
      ["6.0% to 6.9%", 1],
      ["7.0% to 7.9%", 1],
      ["8.0% to 8.9%", 1],
    ]);
  });

  it("puts an outlier into an open bin, so that no amount is out of sight", () => {
    // The quartiles of the nine are 20 and 70: only 9,000 lies beyond 70 + 3 * 50 = 220.
    expect(binsOf([10, 20, 20, 30, 40, 50, 70, 80, 9_000])).toEqual([
      ["$0 to $19", 1],
      ["$20 to $39", 3],
      ["$40 to $59", 2],
      ["$60 to $79", 1],
      ["$80 to $99", 1],
      ["$100 or more", 1],
    ]);
    expect(binsOf([-9_000, 20, 20, 30, 40, 50, 70, 80, 90])?.[0]).toEqual(["less than $20", 1]);
  });

  it("has one bin if all amounts are the same", () => {
    expect(binsOf([120, 120, 120])).toEqual([["$120", 3]]);
    expect(drawn([])).toBeNull();
  });

  it("has bins below zero", () => {
    expect(binsOf([-15, -5, 0, 5, 15])).toEqual([
      ["$-20 to $-11", 1],
      ["$-10 to $-1", 1],
      ["$0 to $9", 2],
      ["$10 to $19", 1],
    ]);
  });

  it("has days in bins of a calendar: months from their first, years from January", () => {
    const ofMonths = ["2026-01-05", "2026-01-31", "2026-02-01", "2026-04-30"].map(day);
    expect(binsOf(ofMonths, "yyyy-mm-dd", "date")).toEqual([
      ["2026-01-01 to 2026-01-31", 2],
      ["2026-02-01 to 2026-02-28", 1],
      ["2026-03-01 to 2026-03-31", 0],
      ["2026-04-01 to 2026-04-30", 1],
    ]);
    const ofYears = ["2021-12-31", "2022-01-01", "2024-06-30", "2025-01-01"].map(day);
    expect(binsOf(ofYears, "yyyy-mm-dd", "date")).toEqual([
      ["2021-01-01 to 2021-12-31", 1],
      ["2022-01-01 to 2022-12-31", 1],
      ["2023-01-01 to 2023-12-31", 0],
      ["2024-01-01 to 2024-12-31", 1],
      ["2025-01-01 to 2025-12-31", 1],
    ]);
    expect(binsOf(["2026-03-02", "2026-03-04"].map(day), "yyyy-mm-dd", "date")).toEqual([
      ["2026-03-02", 1],
      ["2026-03-03", 0],
      ["2026-03-04", 1],
    ]);
  });

  it("shows amounts of one unit only: the most common unit", () => {
    const mixed = [...answers([10, 20, 30]), ...answers([7], '0" working days"')];
    const sorted = sortAnswers(fee, mixed);
    expect(sorted.amounts.map(({ text }) => text)).toEqual(["$10", "$20", "$30"]);
    expect(sorted.texts.map(({ text }) => text)).toEqual(["7 working days"]);
  });

  it("knows where an amount lies among its bins", () => {
    const histogram = drawn([30, 110, 199, 200, 250, 280, 320, 430]);
    expect(histogram && placeIn(histogram, 250)).toEqual({ bin: 2, part: 0.5 });
    expect(histogram && placeIn(histogram, 400)).toEqual({ bin: 4, part: 0 });
  });
});
