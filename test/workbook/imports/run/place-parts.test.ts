import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { config } from "../../../../src/config";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import { Failure } from "../../../../src/errors";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import { placeImport } from "../../../../src/workbook/imports/run/place-import";
import { placeInParts } from "../../../../src/workbook/imports/run/place-parts";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { playConfig } from "../../../play-config";
import type { ImportEnd, ImportSession } from "../../../../src/workbook/imports/run/import-types";

playConfig({
  cachedBytes: 20_000,
  heldBytes: 5_000,
  concurrentRequests: 1,
  answersAPart: 100,
  mostMatrixCells: 1_000,
  matrixCells: 1_000,
});

playExcel();

const answers = 6;
let excel: PlayedExcel;
let session: ImportSession;
let types: DataPointType[];
let ahjs: Ahj[];
beforeEach(async () => {
  excel = openExcel();
  session = await inTime(excel.app.session());
  types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => [1003, 1056].includes(id));
  const found = await inTime(session.lookup.directory.resolve(["06001", "06037", "06059"]));
  ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
  excel.requests.length = 0;
});

afterEach(() => vi.restoreAllMocks());

const orderIn = (parts: number) => ({
  ...{ question: { kind: "matrix" as const, ahjs, types }, form: plainForm, hasSources: false, parts },
  sheetName: "Codes",
});
type Order = ReturnType<typeof orderIn>;

function placeIn(parts: number, place?: (order: Order) => Promise<ImportEnd> | undefined) {
  const sheet = { kind: "new-sheet" as const, name: "Codes" };
  const dependencies = { workbook: excel.app.workbook, session };
  return inTime(
    placeInParts(orderIn(parts), (order) => place?.(order) ?? placeImport(order, sheet, dependencies, {})),
  );
}
const remembered = async () => (await inTime(createImportBook(excel.app.workbook).list())).imports;

describe("an import in parts", () => {
  it("has one table for each part, each remembered on its own, and one report", async () => {
    expect(await placeIn(2)).toMatchObject({
      ...{ status: "done", address: "Codes!A1:G3 and 'Codes 2'!A1:G2" },
      report: { rows: 3, values: answers, leftOut: [], notRead: [] },
    });
    expect(excel.values("Codes!A2:A3").flat()).toEqual(ahjs.slice(0, 2).map(({ name }) => name));
    expect(excel.values("'Codes 2'!A2").flat()).toEqual(ahjs.slice(2).map(({ name }) => name));
    expect(new Set((await remembered()).map(({ saved }) => saved.lastRun.rows))).toEqual(new Set([2, 1]));
  });

  it("has no more parts than jurisdictions", async () => {
    expect(await placeIn(1_000)).toMatchObject({ status: "done", report: { rows: 3 } });
    expect(excel.spreadsheet.sheets()).toHaveLength(1 + 3);
  });

  it("reports the parts that had been placed when a part fails, and names all that lacks", async () => {
    const failure = new Failure("unreachable");
    const outcome = await placeIn(3, ({ question }) =>
      question.ahjs[0] === ahjs[1]
        ? Promise.resolve({
            status: "failed",
            failure,
            data: null,
            left: { question, parts: 1 },
            placed: null,
          })
        : undefined,
    );
    expect(outcome).toMatchObject({
      ...{ status: "failed", failure, data: null },
      left: { question: { ahjs: [ahjs[1], ahjs[2]] }, parts: 2 },
      placed: { address: "Codes!A1:G2", report: { rows: 1, notRead: [ahjs[1], ahjs[2]] } },
    });
    expect(await remembered()).toHaveLength(1);
  });
});

describe("memory for an import", () => {
  it("is filled with one part after the other, by the size of expected answers as long as few have come", () => {
    const mostBytes = config.cachedBytes + config.heldBytes;
    const fitting = Math.floor(mostBytes / config.expectedAnswerBytes);
    expect([0, fitting, fitting + 1, 3 * fitting].map(session.lookup.answers.batchesFor)).toEqual([
      1, 1, 2, 3,
    ]);
  });

  it("takes no more than it may: the answers until then can be kept", async () => {
    const hold = session.lookup.answers.hold();
    const { ahjs: some } = await inTime(session.lookup.directory.list("CA"));
    const every = (await inTime(session.lookup.catalogue.types())).slice(0, 10);
    const question = { kind: "matrix" as const, ahjs: some, types: every };
    const sheet = { kind: "new-sheet" as const, name: "Codes" };
    const dependencies = { workbook: excel.app.workbook, session };
    const placed = await inTime(placeImport({ ...orderIn(1), question }, sheet, dependencies, { hold }));
    if (placed.status !== "failed") throw new Error("it did not fail");
    expect(placed.failure.kind).toBe("memory-full");
    expect(placed.data?.report.rows).toBeGreaterThan(0);
    expect(placed.data?.report.notRead.length).toBeGreaterThan(0);
    expect(excel.spreadsheet.sheets()).toHaveLength(1);
    hold.release();
    expect(session.lookup.answers.isFull()).toBe(false);
  });
});
