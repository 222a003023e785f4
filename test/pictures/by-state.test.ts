import { describe, expect, it } from "vitest";
import { stateTable } from "../../src/pictures/by-state";
import type { PicturedAnswer } from "../../src/pictures/pictured-answers";
import { importCell } from "../../src/workbook/sheet/values/cell-value";
import { answer, fee } from "./pictured";

let ids = 0;
/** The next jurisdiction of a state. */
const inState = (state_code: string) => ({ id: (ids += 1), state_code });

/** Each state with its counts, and its median or else its most common value. */
const told = (all: readonly PicturedAnswer[]) =>
  stateTable(fee, all).rows.map(({ state, jurisdictions, values, share, amounts, median, commonest }) => [
    ...[state, jurisdictions, values, share, amounts],
    (median ?? commonest)?.text ?? null,
  ]);

describe("the table by state", () => {
  it("has the median, the share with a value and the count of each state, with bars of a common length", () => {
    const all = [
      answer(300, inState("TX")),
      answer(100, inState("TX")),
      answer(200, inState("TX")),
      answer("no value", inState("TX")),
      answer(50, inState("CA")),
      answer("not known", inState("NV")),
      answer(10, inState("")),
    ];
    expect(told(all)).toEqual([
      ["CA", 1, 1, 1, 1, "$50"],
      ["NV", 1, 0, 0, 0, null],
      ["TX", 4, 3, 3 / 4, 3, "$200"],
      ["", 1, 1, 1, 1, "$10"],
    ]);
    const { of, rows } = stateTable(fee, all);
    expect(of).toBe("amounts");
    expect(rows.map(({ median }) => median?.length)).toEqual([1 / 4, undefined, 1, 1 / 20]);
  });

  it("has the mean of two middle amounts as median, and all medians in one format", () => {
    const texas = [100, 200, 275, 900].map((value) => answer(value, inState("TX")));
    const nevada = [50].map((value) => answer(value, inState("NV")));
    expect(told([...texas, ...nevada]).map((row) => row.at(-1))).toEqual(["$50.00", "$237.50"]);
    const { rows, numberFormat } = stateTable(fee, [...texas, ...nevada]);
    expect([numberFormat, rows[1]?.median?.value]).toEqual(["#,##0.00", 237.5]);
  });

  it("takes the same day for no days, as a find does", () => {
    const days = { id: 1030, name: "Review Time", unit_of_measure: "days" };
    const all = ["Same day", "4", "8"].map((text) => answer(importCell(text, "days"), inState("TX")));
    expect(stateTable(days, all).rows.map(({ amounts, median }) => [amounts, median?.text])).toEqual([
      [3, "4 days"],
    ]);
  });

  it("has the most common kind if the values are texts", () => {
    const all = ["NEC 2020", "NEC 2017", "NEC 2020"].map((text) => answer(text, inState("OH")));
    expect(told(all)).toEqual([["OH", 3, 3, 1, 0, "NEC 2020"]]);
    const { of, rows } = stateTable(fee, all);
    expect([of, rows[0]?.median, rows[0]?.commonest?.share]).toEqual(["kinds", null, 2 / 3]);
  });

  it("has no median of a state whose answers are mostly texts, and none at all if most answers are texts", () => {
    const oregon = [200, "See fee schedule", "See fee schedule"].map((value) => answer(value, inState("OR")));
    const nevada = [70, 90, 80].map((value) => answer(value, inState("NV")));
    expect(told([...oregon, ...nevada])).toEqual([
      ["NV", 3, 3, 1, 3, "$80"],
      ["OR", 3, 3, 1, 1, "See fee schedule"],
    ]);
    expect(
      stateTable(fee, [...oregon, ...oregon, ...oregon, ...oregon, ...nevada]).rows.map(
        ({ median }) => median,
      ),
    ).toEqual([null, null]);
  });

  it("shows all amounts in one format", () => {
    const cells = ["$0", "$300.00", "$150"].map((text) => importCell(text, "USD"));
    const all = cells.map((shown, index) => answer(shown, inState(["CA", "NV", "OR"][index] ?? "")));
    expect(told(all).map((row) => row.at(-1))).toEqual(["$0.00", "$300.00", "$150.00"]);
  });
});
