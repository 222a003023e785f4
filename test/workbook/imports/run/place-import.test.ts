import { SheetFailure } from "../../../../src/sheet-failure";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import { Failure } from "../../../../src/errors";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { placeImport } from "../../../../src/workbook/imports/run/place-import";
import { readImport } from "../../../../src/workbook/imports/run/run-import";
import { sourcesColumns } from "../../../../src/workbook/imports/sources/sources-sheet";
import { noteText } from "../../../../src/workbook/sheet/layout/note-text";
import { plainForm, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import type { Workbook } from "../../../../src/workbook/sheet/workbook";
import type { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import type {
  ImportEnd,
  ImportOrder,
  ImportProgress,
  ImportSession,
} from "../../../../src/workbook/imports/run/import-types";

playExcel();

let excel: PlayedExcel;
let session: ImportSession;
let types: DataPointType[];
let ahjs: Ahj[];
async function open(intercept?: (request: Request) => Response | undefined) {
  excel = openExcel({ intercept });
  session = await inTime(excel.app.session());
  types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => [1003, 1056].includes(id));
  const found = await inTime(session.lookup.directory.resolve(["06001", "06037", "06059"]));
  ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
  excel.requests.length = 0;
}
beforeEach(() => open());

const order = (changes: Partial<ImportOrder> = {}): ImportOrder => ({
  question: { kind: "matrix", ahjs, types },
  form: plainForm,
  hasSources: false,
  sheetName: "Codes",
  ...changes,
});
const newSheet = { kind: "new-sheet" as const, name: "Codes" };
type Options = Parameters<typeof placeImport>[3];
const place = (
  changes?: Partial<ImportOrder>,
  options: Options = {},
  parts: Partial<Parameters<typeof placeImport>[2]> = {},
) =>
  inTime(placeImport(order(changes), newSheet, { workbook: excel.app.workbook, session, ...parts }, options));
const sheetNames = () => excel.spreadsheet.sheets().map(({ name }) => name);
const remembered = async () => (await inTime(createImportBook(excel.app.workbook).list())).imports;

const failingAfter =
  (rows: number, thrown: unknown = new Error("no room")): typeof writeTable =>
  (_, __, ___, { onProgress } = {}) => {
    onProgress?.(rows);
    return Promise.reject(thrown as Error);
  };
const failed = (placed: ImportEnd) => {
  if (placed.status !== "failed") throw new Error("it did not fail");
  return placed;
};

describe("an import", () => {
  it("is written, reported, and remembered with its question", async () => {
    const placed = await place();
    expect(placed).toMatchObject({
      ...{ status: "done", address: "Codes!A1:G4", sourcesAddress: null, notRemembered: null },
      report: { rows: 3, leftOut: [] },
    });
    const [kept, ...others] = await remembered();
    expect(others).toEqual([]);
    expect(kept?.saved).toMatchObject({
      name: "Codes",
      form: plainForm,
      service: session.credentials.baseUrl,
    });
  });

  it("has its sources on a sheet of their own if they are wanted", async () => {
    expect(await place({ hasSources: true })).toMatchObject({ sourcesAddress: "Sources!A1:I7" });
    expect(sheetNames()).toEqual(["Sheet1", "Codes", "Sources"]);
    expect(excel.values("Sources!G1:G2")).toEqual([["Updated (UTC)"], [expect.any(Number)]]);
  });

  it("is cancelled before it asks", async () => {
    const placed = failed(await place({}, { signal: AbortSignal.abort() }));
    expect(placed.failure.kind).toBe("cancelled");
    expect(excel.requests).toEqual([]);
  });

  it("writes nothing if nothing came that a table could show", async () => {
    const [first, ...rest] = excel.spreadsheet.sheets();
    const outside = { ...ahjs[0]!, id: 999_999_999, geoid: "99999" };
    const placed = await place({ question: { kind: "matrix", ahjs: [outside], types } });
    expect(placed).toMatchObject({
      ...{ status: "done", address: null, sourcesAddress: null, notRemembered: null },
      report: { rows: 0, leftOut: [{ ahj: { id: outside.id } }] },
    });
    expect(excel.spreadsheet.sheets()).toEqual([first, ...rest]);
    expect(await remembered()).toEqual([]);
  });

  it("asks nothing if the answers that had come before are to be written", async () => {
    const kept = await inTime(readImport(order().question, session, { isDated: false }));
    excel.requests.length = 0;
    const writeKept = placeImport(order(), newSheet, { workbook: excel.app.workbook, session }, { kept });
    expect(await inTime(writeKept)).toMatchObject({ status: "done", address: "Codes!A1:G4" });
    expect(excel.requests).toEqual([]);
  });

  it("stands all the same if the workbook can't remember it, and says why", async () => {
    const writePart = () => Promise.reject(new SheetFailure("sheet-refused"));
    const within: Workbook["within"] = (context) => ({ ...excel.app.workbook.within(context), writePart });
    const workbook = { ...excel.app.workbook, within };
    const placed = await place({}, {}, { workbook });
    expect(placed).toMatchObject({ status: "done", notRemembered: { kind: "sheet-refused" } });
    expect(excel.values("Codes!A1")).toEqual([["Name"]]);
  });
});

describe("the progress of writing an import", () => {
  const progressOf = async (changes: Partial<ImportOrder>) => {
    const told: ImportProgress[] = [];
    await place(changes, { onProgress: (progress) => told.push(progress) });
    return told.filter(({ phase }) => phase === "writing");
  };

  it("counts cells and jurisdictions", async () => {
    expect(await progressOf({})).toEqual([
      { phase: "writing", done: 21, total: 21, ahjs: { done: 3, total: 3 } },
    ]);
  });

  it("counts the cells of the sources, too, and no jurisdictions beyond the table's", async () => {
    const values = 6;
    const total = 21 + values * sourcesColumns;
    expect(await progressOf({ hasSources: true })).toEqual([
      { phase: "writing", done: 21, total, ahjs: { done: 3, total: 3 } },
      { phase: "writing", done: total, total, ahjs: { done: 3, total: 3 } },
    ]);
  });

  it("counts no jurisdictions of a long table, whose rows are values", async () => {
    const [progress] = await progressOf({ form: { ...plainForm, layout: "long" } });
    expect(progress).toMatchObject({ phase: "writing", ahjs: undefined });
  });
});

describe("the notes of an import", () => {
  const notesOf = async (changes: Partial<ImportOrder>) => {
    const write = vi.fn<typeof writeTable>(() => Promise.reject(new Error("enough")));
    await place(changes, {}, { write });
    return write.mock.calls[0]?.[3]?.notes;
  };
  const withNotes: TableForm = { ...plainForm, hasNotes: true };
  /** A replaced import of two rows, with a column of the user's own between its two. */
  const replaced = (form: TableForm) => {
    const columns = [
      { header: "AHJ", content: { of: "ahj", field: "name" } },
      { header: "Fee", content: { of: "answer", part: "value", typeId: 1 } },
    ];
    const headers = ["AHJ", "Mine", "Fee"];
    return {
      kept: { saved: { form, columns } },
      headers,
      rows: 3,
      columns: 3,
    } as unknown as ImportOrder["replaces"];
  };

  it("are written for each value if they are wanted", async () => {
    const { answers } = await inTime(readImport(order().question, session, { isDated: false }));
    const expected = ahjs.flatMap((ahj, row) =>
      types.map((type, index) => ({ row, column: 4 + index, text: noteText(answers.of(ahj.id, type.id)!) })),
    );
    expect(expected.some(({ text }) => text !== null)).toBe(true);
    expect(await notesOf({ form: withNotes })).toEqual(expected);
  });

  it("are left alone if nobody wants or had any", async () => {
    expect(await notesOf({})).toBeUndefined();
    expect(await notesOf({ replaces: replaced(plainForm) })).toBeUndefined();
  });

  it("of the replaced import go, and those in the user's own columns stay", async () => {
    const gone = [0, 1].map((row) => ({ row, column: 2, text: null, isGivenUp: true }));
    expect(await notesOf({ replaces: replaced(withNotes) })).toEqual(gone);
    const both = await notesOf({ form: withNotes, replaces: replaced(withNotes) });
    expect(both).toHaveLength(gone.length + 6);
    expect(both).toEqual(expect.arrayContaining(gone));
  });
});

describe("an import that fails", () => {
  it("offers the answers that had been written, for whole jurisdictions", async () => {
    const { failure, data } = failed(await place({}, {}, { write: failingAfter(2) }));
    expect(failure).toMatchObject({ kind: "internal" });
    expect(data?.answers.ahjs.map(({ id }) => id)).toEqual(ahjs.slice(0, 2).map(({ id }) => id));
    expect(failed(await place({}, {}, { write: failingAfter(0) })).data).toBeNull();
  });

  it("beside a list offers all answers that came, since its rows are the list's", async () => {
    const list = {
      sheetId: "s",
      address: "A2",
      row: 1,
      column: 0,
      values: ["06001"],
      above: "",
    };
    const beside = {
      list: { ...list, table: null },
      header: { from: "above" as const, text: "geoID" },
      ahjs,
    };
    const { data } = failed(await place({ beside }, {}, { write: failingAfter(0) }));
    expect(data?.answers.ahjs).toHaveLength(3);
  });

  it("offers the kept answers of a matrix if the service stops answering", async () => {
    let isGone = false;
    await open(() => (isGone ? new Response(null, { status: 500 }) : undefined));
    await inTime(readImport({ kind: "matrix", ahjs: ahjs.slice(0, 1), types }, session, { isDated: false }));
    isGone = true;
    const { failure, data } = failed(await place());
    expect(failure.kind).toBe("service-error");
    expect(data?.answers.ahjs.map(({ id }) => id)).toEqual([ahjs[0]?.id]);
    expect(sheetNames()).toEqual(["Sheet1"]);
  });

  it("offers nothing once the key is refused, or is gone", async () => {
    for (const kind of ["wrong-key", "no-rights"] as const)
      expect(failed(await place({}, {}, { write: failingAfter(2, new Failure(kind)) }))).toMatchObject({
        ...{ failure: { kind }, data: null },
      });
    session = { ...session, closed: AbortSignal.abort() };
    expect(failed(await place({}, {}, { write: failingAfter(2) })).data).toBeNull();
  });
});
