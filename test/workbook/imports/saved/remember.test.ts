import { beforeEach, describe, expect, it } from "vitest";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { openDigests } from "../../../../src/workbook/imports/saved/cell-digests";
import type {
  ImportAnswers,
  ImportOrder,
  ImportQuestion,
  OrderedList,
  PlannedImport,
} from "../../../../src/workbook/imports/run/import-types";
import { rememberImport } from "../../../../src/workbook/imports/saved/remember";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import { createSnapshots } from "../../../../src/workbook/imports/saved/snapshots";
import { plainForm, planTable } from "../../../../src/workbook/sheet/layout/table-plan";
import { ahj, fee, published, rule } from "../played-import";
import { toldBy } from "../last-run";

const ahjs = [ahj(1, "Alpha"), ahj(2, "Beta")];
const values = { "1 10": published("$30"), "2 20": published("as adopted", { section: null }) };
const answers = {
  ahjs,
  types: [fee, rule].map((type) => ({ ...type, description: "…", data_type: "text", category_ids: [] })),
  of: (ahjId: number, typeId: number) => values[`${ahjId} ${typeId}` as keyof typeof values] ?? null,
};
const table = planTable(answers, plainForm);
const ordered = {
  question: { kind: "matrix" },
  form: plainForm,
  sheetName: "Fees",
} as unknown as ImportOrder;
const planned = {
  ...{ table, answers, report: { values: 2 }, rows: ahjs.map((ahj) => ({ ahj, type: null })) },
} as unknown as PlannedImport;

let written: SavedImport[] = [];
let updated: [id: string, change: Partial<SavedImport>][] = [];
let isThere = true;
beforeEach(() => ([written, updated, isThere] = [[], [], true]));
const { documents } = openCache(createDisk({}), "one");
const remember = (order: Partial<ImportOrder> = {}, data: Partial<PlannedImport> = {}, importId = "new") => {
  const book = {
    write: (saved: SavedImport) => Promise.resolve(void written.push(saved)),
    update: (id: string, change: Partial<SavedImport>) => {
      updated.push([id, change]);
      return Promise.resolve(isThere);
    },
  };
  return rememberImport(
    { ...ordered, ...order },
    { ...planned, ...data },
    { tableId: "{9}", importId },
    { book, service: "https://service.test", documents },
  );
};
const expected = {
  ...{ name: "Fees", tableId: "{9}", service: "https://service.test", collection: null, form: plainForm },
  columns: table.columns,
  types: [fee, rule],
  lastRun: { atMs: expect.any(Number) as number, rows: 2, values: 2, notRefreshed: 0 },
  digests: expect.objectContaining({ stateId: expect.any(String) as string }) as object,
};

describe("an import that stands in the sheet", () => {
  it("is remembered as a new one, with this device's knowledge of its values", async () => {
    const startMs = Date.now();
    await remember();
    await remember({}, {}, "another");
    expect(updated).toEqual([]);
    const ids = ["new", "another"];
    expect(written).toEqual(ids.map((id) => ({ ...expected, id })));
    expect(written[0]?.lastRun.atMs).toBeGreaterThanOrEqual(startMs);
    const run = await createSnapshots(documents).read(ids[0] ?? "");
    const known = Object.entries(values).map(([key, { fetchedAtMs: _, ...rest }]) => [key, rest] as const);
    expect(run && toldBy(run)).toEqual({ "1 20": null, "2 10": null, ...Object.fromEntries(known) });
  });

  it.each(["wide", "long"] as const)("knows its cells again by what they show: %s", async (layout) => {
    const form = { ...plainForm, layout };
    // A table with a row per answer has none for a blank one.
    const rows = ahjs.map((ahj, at) => ({ ahj, type: layout === "long" ? [fee, rule][at]! : null }));
    await remember({ form }, { table: planTable(answers, form), rows });
    const digests = openDigests(written[0]?.digests ?? null);
    const isAsWritten = (ahjId: number, typeId: number, shown: unknown) =>
      digests.isAsWritten({ ahjId, typeId, part: "value" }, shown);
    expect(isAsWritten(1, 10, 30)).toBe(true);
    expect(isAsWritten(1, 10, 31)).toBe(false);
    expect(isAsWritten(2, 20, "as adopted")).toBe(true);
    expect(isAsWritten(2, 20, "")).toBe(false);
    const [blank, typed] = layout === "wide" ? [true, false] : [undefined, undefined];
    expect(isAsWritten(1, 20, "")).toBe(blank);
    expect(isAsWritten(1, 20, "typed")).toBe(typed);
    expect(digests.isSettled()).toBe(true);
  });

  it("that has a row for each answer is as old as its oldest answer, since later ones are to get rows", async () => {
    const form = { ...plainForm, layout: "long" as const };
    const older = published("$30", { fetchedAtMs: 3 });
    const of = (ahjId: number, typeId: number) =>
      ahjId === 1 && typeId === 10 ? older : answers.of(ahjId, typeId);
    const rows = ahjs.map((ahj, at) => ({ ahj, type: [fee, rule][at]! }));
    const mixed = { ...answers, of } as unknown as ImportAnswers;
    await remember({ form }, { table: planTable(answers, form), rows, answers: mixed });
    expect(written[0]?.lastRun.asOfMs).toBe(3);
  });

  it("keeps the id of its collection, and beside which columns it stands", async () => {
    const collection = { id: "fees", name: "All fees", data_point_type_ids: [10, 20], category_ids: [] };
    const question = { kind: "collection", ahjs: [], collection } as unknown as ImportQuestion;
    const together = {
      ...{ address: "Sheet1!B2:D2", column: 1, columns: 3, rows: [["NV", "Clark County", 4]] },
      above: ["State", "Our list", ""],
    };
    const list = { column: 2, table: null, together };
    const beside = { header: { from: "above", text: "Our list" }, list } as unknown as OrderedList;
    await remember({ question, beside });
    expect(written).toMatchObject([
      {
        ...{ ...expected, collection: { id: "fees", name: "All fees" } },
        ...{ listHeader: "Our list", listBeside: ["State"] },
      },
    ]);
  });

  it.each([true, false])(
    "replaces another one from now on, under its name: kept by the workbook %s",
    async (isKept) => {
      isThere = isKept;
      const saved = { id: "one", name: "My fees", tableId: "{1}", listHeader: "Our list" } as SavedImport;
      const replaces = {
        kept: { saved, partId: "part 0", place: null },
      } as unknown as ImportOrder["replaces"];
      await remember({ replaces }, {}, "one");
      const now = { ...expected, id: "one", name: "My fees" };
      expect(updated).toEqual([["one", now]]);
      expect(written).toEqual(isKept ? [] : [now]);
    },
  );
});
