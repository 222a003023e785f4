import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { createKeptAhjs } from "../../../../src/engine/lookup/directory/kept-ahjs";
import { device } from "../device";

const ahj = (id: number, geoid: string | null, state_code = "CA"): Ahj => ({
  ...{ id, name: `AHJ ${id}`, type: geoid?.length === 5 ? "county" : "city", state_code, geoid },
});
const alameda = ahj(1, "06001");
const berkeley = ahj(2, "0606000");
const travis = ahj(3, "48453", "TX");
const utility = ahj(4, null, "TX");
const foreign = ahj(5, "X123", "CA");
const listOf = (ahjs: readonly Ahj[]) => ({ ahjs, fetchedAtMs: Date.now() });
const all = [travis, alameda, utility, berkeley, foreign];

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 2, 12), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("the whole list of AHJs on disk", () => {
  it("is the one that was written, with its time", async () => {
    const documents = device();
    const fetchedAtMs = Date.now() - 1_000;
    createKeptAhjs(documents).writeWhole({ ahjs: all, fetchedAtMs });
    const whole = await createKeptAhjs(documents).readWhole();
    expect(whole?.fetchedAtMs).toBe(fetchedAtMs);
    expect(whole?.ahjs.toSorted((one, other) => one.id - other.id)).toEqual(
      all.toSorted((one, other) => one.id - other.id),
    );
    expect(whole).not.toHaveProperty("isPartial");
  });

  it("gives a state's AHJs by their geoIDs, without reading those of others, and says that the rest is missing", async () => {
    const documents = device();
    createKeptAhjs(documents).writeWhole(listOf(all));
    documents.read.mockClear();
    const kept = createKeptAhjs(documents);
    expect(await kept.readState("CA")).toEqual({
      ...{ fetchedAtMs: Date.now(), isPartial: true, ahjs: [alameda, berkeley] },
    });
    expect(documents.read.mock.calls.flatMap(([names]) => [...names])).not.toContain("ahjs whole TX");
    expect(await kept.readState("TX")).toMatchObject({ isPartial: true, ahjs: [travis] });
    expect(await kept.readState("NV")).toMatchObject({ isPartial: true, ahjs: [] });
  });

  it("is none if a part is of another time, lost or damaged; a state's own list is there all the same", async () => {
    for (const spoil of [
      (documents: ReturnType<typeof device>) => {
        const part = documents.kept.get("ahjs whole CA")!;
        documents.kept.set("ahjs whole CA", { ...part, fetchedAtMs: part.fetchedAtMs + 1 });
      },
      (documents: ReturnType<typeof device>) => void documents.kept.delete("ahjs whole CA"),
      (documents: ReturnType<typeof device>) =>
        void documents.kept.set("ahjs whole CA", { fetchedAtMs: Date.now(), content: [["1"]] }),
      (documents: ReturnType<typeof device>) =>
        void documents.kept.set("ahjs whole", { fetchedAtMs: Date.now(), content: "CA" }),
    ]) {
      const documents = device();
      const kept = createKeptAhjs(documents);
      kept.writeWhole(listOf(all));
      spoil(documents);
      expect(await kept.readWhole()).toBeUndefined();
      expect(await kept.readState("CA")).toBeUndefined();
      kept.writeState("CA", listOf([berkeley, utility]));
      expect(await kept.readState("CA")).toEqual({ fetchedAtMs: Date.now(), ahjs: [berkeley, utility] });
    }
  });

  it("of nobody is nobody, and nothing is found that was never written", async () => {
    const kept = createKeptAhjs(device());
    expect(await kept.readWhole()).toBeUndefined();
    expect(await kept.readState("CA")).toBeUndefined();
    kept.writeWhole(listOf([]));
    expect(await kept.readWhole()).toEqual({ fetchedAtMs: Date.now(), ahjs: [] });
  });
});

describe("the kept meaning of a geoID", () => {
  it("is its AHJ, or why there is none", async () => {
    const documents = device();
    const kept = createKeptAhjs(documents);
    kept.writeGeoid("06001", alameda);
    kept.writeGeoid("99999", "unknown-jurisdiction");
    kept.writeGeoid("48453", "outside-subscription");
    const fetchedAtMs = Date.now();
    expect(await kept.readGeoids(["99999", "06001", "06003", "48453"])).toEqual(
      new Map([
        ["99999", { fetchedAtMs, resolution: "unknown-jurisdiction" }],
        ["06001", { fetchedAtMs, resolution: alameda }],
        ["48453", { fetchedAtMs, resolution: "outside-subscription" }],
      ]),
    );
  });

  it("is nothing if it is damaged", async () => {
    const kept = createKeptAhjs(device({ "geoid 06001": "no-rights", "geoid 06003": { id: 1 } }));
    expect(await kept.readGeoids(["06001", "06003"])).toEqual(new Map());
  });
});
