import { describe, expect, it } from "vitest";
import * as functions from "../../src/functions/functions";
import {
  call,
  column,
  invalidValue,
  notAvailable,
  pass,
  playExcel,
  result,
  row,
  rowsOf,
  settled,
  start,
} from "./excel";

playExcel();

const text = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
const number = (basicValue: number) => ({
  type: "Double",
  basicType: "Double",
  basicValue,
  numberFormat: "0",
});
const entity = (shown: string) => ({
  type: "Entity",
  basicType: "Error",
  basicValue: "#VALUE!",
  text: shown,
});
const error = (basicValue: string) => ({ type: "Error", basicType: "Error", basicValue });

describe("an argument that is a data type", () => {
  it.each([
    ["a text with properties", text("06001")],
    ["a number with a format, whose zero is given back", number(6001)],
    ["an entity, by its text", entity("06001")],
  ])("counts as its plain value: %s", async (_what, geoid) => {
    start();
    const plain = await result("VALUE", "06001", 1003);
    expect(plain).toMatch(/^NEC /);
    expect(await result("VALUE", geoid, number(1003))).toBe(plain);
    expect(await result("VALUE", geoid, 1003, text("value"))).toBe(plain);
  });

  it("counts as its plain value in a range, beside plain values", async () => {
    start();
    const plain = await rowsOf("VALUE", column("06001", "06037"), row(1003, 1057));
    expect(await rowsOf("VALUE", column(entity("06001"), "06037"), row(number(1003), 1057))).toEqual(plain);
  });

  it("is a date to CHANGED, as VALUE's own dates are", async () => {
    start({ excelApi: 1.19 });
    const updated = await result("VALUE", "06001", 1003, "updated_at");
    expect(updated).toMatchObject({ type: "Double" });
    expect(await result("CHANGED", "06001", 1003, updated)).toBe(false);
  });

  it("counts as blank if it is an empty value", async () => {
    start();
    expect(await result("VALUE", { type: "Empty", basicType: "Empty", basicValue: "" }, 1003)).toBe("");
  });

  it.each(["#N/A", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"])(
    "that is the error %s gives that error",
    async (shown) => {
      const { requests } = start();
      expect(await result("VALUE", error(shown), 1003)).toMatchObject({ code: shown });
      expect(await result("VALUE", column("06001", error(shown)), 1003)).toMatchObject({ code: shown });
      expect(requests).toEqual([]);
    },
  );

  it("that is an error which no function can give is named", async () => {
    start();
    expect(await result("VALUE", error("#SPILL!"), 1003)).toEqual(invalidValue(/shows #SPILL! itself/));
    expect(await result("VALUE", { odd: 1 }, 1003)).toEqual(invalidValue(/can't be read/));
  });
});

describe("a result", () => {
  it("is plain if custom functions know no data types, whatever ExcelApi the host has", async () => {
    start({ excelApi: 1.2, hasDataTypes: false, preferences: { citedNumbers: true } });
    expect(await result("CARD", "06001", 1057)).toBe(110);
    expect(await result("VALUE", "06001", 1057)).toBe(110);
    expect(await result("VALUE", "06001", 1057, "updated_at")).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe("a functions.json from before an argument was added", () => {
  it("still brings answers, and its calls can be cancelled", async () => {
    start();
    const before = functions.value as (...args: unknown[]) => Promise<unknown>;
    const invocation: Partial<CustomFunctions.CancelableInvocation> = {};
    const answered = before([["06001"]], [[1003]], invocation);
    await pass(5_000);
    expect(await answered).toEqual([[await result("VALUE", "06001", 1003)]]);
    const cancelled = before([["06037"]], [[1003]], "value", invocation);
    invocation.onCanceled?.();
    await pass(5_000);
    expect(await cancelled).toEqual([[notAvailable(/^Canceled/)]]);
  });

  it("has its calls answered together with all others", async () => {
    const { requests } = start();
    await settled([call("VALUE", "06001", 1003), call("VALUE", entity("06001"), 1003)]);
    expect(requests.filter((request) => request.includes("matrix"))).toHaveLength(1);
  });
});
