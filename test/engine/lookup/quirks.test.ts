import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../src/errors";
import { runImport } from "../../../src/workbook/imports/run/run-import";
import type { FoundAnswer } from "../../../src/engine/lookup/answers/kept-answers";
import type { Ahj } from "../../../src/engine/api/schemas";
import { readAtlas } from "../../../reference-service/geography/atlas";
import { createGeography } from "../../../reference-service/geography/geography";
import { type QuirkName, quirkNames } from "../../../reference-service/quirks/quirks";
import { limitsOf } from "../../reference-service/limits";
import { askOne, connected } from "../../recorded-service";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const { states, counties } = readAtlas();
/** As many jurisdictions as fill a few pages of the subscription's list. */
const geography = createGeography({
  states: states.filter(({ postalCode }) => ["AZ", "CA", "TX"].includes(postalCode)),
  counties: counties.filter(({ geoid }) => /^0[46]/.test(geoid) || geoid.startsWith("480")),
});

const { ahjs: nation } = await connected("demo-national", { geography }).lookup.directory.load();
const geoids = (state: string, count: number) =>
  nation.flatMap((ahj) => (ahj.state_code === state && ahj.geoid ? [ahj.geoid] : [])).slice(0, count);

/** Entitled geoIDs of two states, foreign ones and invented ones. */
const asked = [...geoids("CA", 90), ...geoids("AZ", 30), ...geoids("TX", 4), "06ZZZ", "99999", "4899999"];
const typeIds = [1001, 1003, 1019, 1030, 1034, 1045, 1049, 999_999];

/** Everything that a sheet would show of formulas, one of them dated, of a matrix and of a collection. Timers run by themselves. */
async function sheetAgainst(quirks: readonly QuirkName[], key = "demo-west"): Promise<string> {
  // So few requests a minute that the limit is reached on the way, and resets soon enough for cells to wait for it.
  const { lookup, client } = connected(key, { geography, quirks, limits: limitsOf({ minute: 12 }) });

  async function fill() {
    for (let request = 0; request < 4; request += 1) await client.listUnits({});
    await new Promise((resolve) => setTimeout(resolve, 45_000));
    const formulas = asked.flatMap((geoid) =>
      typeIds.map((typeId) => askOne(lookup, geoid, typeId).then(cellText, failureKind)),
    );
    const cells = await Promise.all(formulas);
    const dated = await askOne(lookup, "06001", 1003, { dated: true });
    const resolutions = await lookup.directory.resolve(asked);
    const ahjs = asked.flatMap((geoid) => {
      const found = resolutions.get(geoid);
      return found && !(found instanceof Failure) ? [found] : [];
    });
    const types = (await lookup.catalogue.types()).slice(0, 60);
    const matrix = await runImport({ kind: "matrix", ahjs, types }, { client, lookup });
    const zoning = (await lookup.catalogue.collections()).find(({ name }) => name === "Zoning");
    if (!zoning) throw new Error("no collection");
    const collection = await runImport(
      { kind: "collection", ahjs: ahjs.slice(0, 30), collection: zoning },
      { client, lookup },
    );
    return JSON.stringify([
      cells,
      Date.parse(dated.cell.updatedAt ?? ""),
      dated.cell.value,
      matrix,
      collection,
    ]);
  }

  let isDone = false;
  const filled = fill().finally(() => (isDone = true));
  // Scripts that are loaded on demand arrive in real time.
  while (!isDone) {
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return filled;
}

const cellText = ({ cell: { value, reference, section }, type, ahj }: FoundAnswer & { ahj: Ahj }) => [
  [value, reference, section],
  type.name,
  ahj.id,
];
const failureKind = (failure: Failure) => failure.kind;

/** Each quirk gets another three of these six numbers. */
const threeOfSix = Array.from({ length: 2 ** 6 }, (_, bits) =>
  [0, 1, 2, 3, 4, 5].filter((bit) => bits & (1 << bit)),
).filter((bits) => bits.length === 3);

/** Six sets of quirks: for any two quirks, one of these sets has the first without the second. The set of all quirks has both. */
const halves = [0, 1, 2, 3, 4, 5].map((half) =>
  quirkNames.filter((_, index) => threeOfSix[index]?.includes(half)),
);

describe("the same engine against every lawful reading of docs/interface.md", () => {
  let plain = "";
  beforeAll(async () => {
    plain = await sheetAgainst([]);
  });

  it("is compared over a sheet that shows something", () => {
    expect(plain.length).toBeGreaterThan(100_000);
    expect(plain).toContain("outside-subscription");
    expect(plain).toContain("unknown-jurisdiction");
    expect(plain).toContain("no-value");
    expect(plain).not.toContain("rate-limited");
  });

  it("is compared over answers that may differ", async () => {
    expect((await sheetAgainst([], "demo-national")) === plain).toBe(false);
  });

  it.each(quirkNames)("gives the same answers with %s", async (quirk) => {
    expect((await sheetAgainst([quirk])) === plain).toBe(true);
  });

  it.each(halves.map((quirks) => [quirks.join(" and "), quirks] as const))(
    "gives the same answers with %s",
    async (_, quirks) => {
      expect((await sheetAgainst(quirks)) === plain).toBe(true);
    },
  );

  it("gives the same answers with all readings at once", async () => {
    expect((await sheetAgainst(quirkNames)) === plain).toBe(true);
  });
});
