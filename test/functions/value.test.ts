import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type App, startApp } from "../../src/app";
import { value } from "../../src/functions/functions";
import { connectionStorageKey, storedForm } from "../../src/settings/connection";
import { formulaValue } from "../../src/sheet/cell-value";
import { memoryStorage } from "../memory-storage";
import { baseUrl, type Interception, recordedService } from "../recorded-service";

/** Excel's error as the functions' runtime knows it. */
class ExcelError extends Error {
  constructor(
    readonly code: string,
    override readonly message: string,
  ) {
    super(message);
  }
}

function start(key: string | null, intercept?: Interception): { app: App; requests: string[] } {
  const { fetch, requests } = recordedService(intercept ? { intercept } : {});
  const storage = memoryStorage(key === null ? {} : { [connectionStorageKey]: storedForm({ baseUrl, key }) });
  const app = startApp({
    fetch,
    storage,
  });
  return { app, requests };
}

function call(geoid: unknown, typeId: unknown) {
  const invocation = {} as CustomFunctions.CancelableInvocation;
  const settled = value([[geoid]], [[typeId]], null, null, invocation).catch((error: unknown) => error);
  return { settled, cancel: () => invocation.onCanceled?.() };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("CustomFunctions", {
    Error: ExcelError,
    ErrorCode: { notAvailable: "#N/A", invalidValue: "#VALUE!" },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function result(geoid: unknown, typeId: unknown): Promise<unknown> {
  const { settled } = call(geoid, typeId);
  await vi.advanceTimersByTimeAsync(10_000);
  return settled;
}

describe("=REGDATA.VALUE", () => {
  it("gives a number or a boolean where it is certain, else the text as published", async () => {
    const { app } = start("demo-national");
    const { client } = await app.session();
    const { data: ahj } = await client.resolveGeoid({ geoid: "06001" });
    const { data: all } = await client.listTypes({ page: 1, page_size: 500 });
    const { data } = await client.matrix({
      ahj_ids: [ahj.id],
      data_point_type_ids: all.items.map(({ id }) => id),
    });
    const kinds = new Set<string>();
    for (const type of data.data_point_types) {
      const raw = data.rows[0]?.values[type.id]?.value;
      if (!raw) continue;
      const shown = await result("06001", type.id);
      expect(shown).toBe(formulaValue(raw, type.unit_of_measure));
      kinds.add(typeof shown);
    }
    expect(kinds).toEqual(new Set(["number", "boolean", "string"]));
  });

  it("gives a number its lost zero back, and takes a type id as text", async () => {
    start("demo-national");
    expect(await result(6001, "1003")).toBe(await result("06001", 1003));
  });

  it.each([
    ["", 1003],
    [null, 1003],
    [0, 1003],
    ["06001", ""],
    ["06001", null],
    ["06001", 0],
  ])("of a blank cell is blank and costs nothing: %j, %j", async (geoid, typeId) => {
    const { requests } = start("demo-national");
    expect(await result(geoid, typeId)).toBe("");
    expect(requests).toEqual([]);
  });

  it.each([
    ["Alameda County", 1003, /"Alameda County" is not a geoID/],
    [true, 1003, /TRUE is not a geoID/],
    ["06001", 1.5, /1\.5 is not a type id/],
    ["06001", true, /TRUE is not a type id/],
  ])("of %j, %j is #VALUE! and says why", async (geoid, typeId, sentence) => {
    const { requests } = start("demo-national");
    expect(await result(geoid, typeId)).toMatchObject({
      code: "#VALUE!",
      message: expect.stringMatching(sentence) as string,
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ["demo-west", "48201", 1003, /outside your subscription/],
    ["demo-national", "99999", 1003, /no jurisdiction with this geoID/],
    ["demo-national", "06001", 999_999, /no such data point type/],
    ["not-a-key", "06001", 1003, /does not accept this API key/],
    [null, "06001", 1003, /Connect in the RegData pane/],
  ])("with key %s of %s, %i is #N/A and says what to do", async (key, geoid, typeId, sentence) => {
    start(key);
    expect(await result(geoid, typeId)).toMatchObject({
      code: "#N/A",
      message: expect.stringMatching(sentence) as string,
    });
  });

  it("never shows the key in a message", async () => {
    start("marked-key-4711", () => Promise.reject(new TypeError("no network for marked-key-4711")));
    const error = (await result("06001", 1003)) as Error;
    expect(error.message).toMatch(/can't be reached/);
    expect(error.message).not.toContain("4711");
  });

  it("that Excel cancels asks nothing more", async () => {
    const { app, requests } = start("demo-national");
    await app.session();
    const { settled, cancel } = call("06001", 1003);
    await vi.advanceTimersByTimeAsync(0);
    cancel();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await settled).toMatchObject({ code: "#N/A" });
    expect(requests).toEqual([]);
  });

  it("asks with the new key after the user has connected anew, and never shows the old one's answers", async () => {
    const { app } = start("demo-national");
    expect(await result("48201", 1001)).not.toBeInstanceOf(Error);
    await app.connect(baseUrl, "demo-west");
    expect(await result("48201", 1001)).toMatchObject({
      message: expect.stringMatching(/outside/) as string,
    });
    await app.forget();
    expect(await result("06001", 1003)).toMatchObject({
      message: expect.stringMatching(/not connected/) as string,
    });
  });
});

describe("connecting", () => {
  it("checks the key with one request", async () => {
    const { app, requests } = start(null);
    await app.connect(` ${baseUrl}/v1/ `, " demo-national ");
    expect(app.currentSession()?.credentials).toEqual({ baseUrl, key: "demo-national" });
    expect(requests).toEqual(["GET /v1/ahjs?page=1&page_size=1"]);
  });

  it("keeps nothing when the key or the address is refused", async () => {
    const { app } = start(null);
    await expect(app.connect(baseUrl, "wrong")).rejects.toMatchObject({ kind: "wrong-key" });
    await expect(app.connect("http://example.com", "demo-national")).rejects.toThrow(/Only https/);
    await expect(app.session()).rejects.toMatchObject({ kind: "no-key" });
  });
});
