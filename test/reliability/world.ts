import { vi } from "vitest";
import type { Disk } from "../../src/engine/cache/store";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import type { UserStorage } from "../../src/settings/connection";
import { plainForm } from "../../src/workbook/sheet/layout/table-plan";
import { type ExcelOptions, openExcel, type PlayedExcel, type SavedFile } from "../excel/open-excel";
import { answering } from "../functions/excel";
import type { Interception } from "../recorded-service";
import { memoryDisk } from "./memory-disk";
import { chosen, givenUp, imported, typeIds } from "./operations";
import { inTime } from "./play";

/** Two days after the workbook was last used: every kept answer is old by then. */
const today = new Date("2026-03-14T12:00:00Z");

export interface World {
  excel: PlayedExcel;
  /** Lets the clock run until the work has ended. */
  inTime<Result>(work: Promise<Result>): Promise<Result>;
  /** The number of requests to the workbook so far. */
  workbookRequests(): number;
}

export interface WorldOptions {
  intercept?: Interception;
  /** Called before each request to the workbook with the number of earlier ones. */
  onRequest?: (requestsBefore: number, excel: PlayedExcel) => void;
  storage?: UserStorage;
  openDisk?: (onFailure: () => void) => Disk;
  /** A later state of the workbook. */
  file?: SavedFile;
  deliver?: ExcelOptions["deliver"];
}

/** Opens a workbook that was used two days ago, when the service gave other answers. */
export async function openWorld({ onRequest, openDisk, ...options }: WorldOptions = {}): Promise<World> {
  const { file, disk } = await (making ??= makeFile());
  vi.setSystemTime(today);
  return worldOf({
    ...options,
    onRequest,
    file: options.file ?? file,
    openDisk: openDisk ?? (() => memoryDisk(structuredClone(disk))),
  });
}

async function worldOf({ onRequest, ...options }: WorldOptions): Promise<World> {
  let isOpen = false;
  let workbookRequests = 0;
  let answers = 0;
  const excel: PlayedExcel = openExcel({
    ...options,
    excelApi: "1.13",
    onRequest() {
      if (!isOpen) return;
      const requestsBefore = workbookRequests;
      workbookRequests += 1;
      onRequest?.(requestsBefore, excel);
    },
    async intercept(request) {
      const answer = await options.intercept?.(request);
      answers += 1;
      return answer;
    },
  });
  // The add-in looks once at the start if the workbook is on hold.
  await inTime(excel.app.hold.look(), () => 0);
  isOpen = true;
  const activity = () => excel.requests.length + workbookRequests + answers;
  return {
    excel,
    inTime: (work) => inTime(work, activity),
    workbookRequests: () => workbookRequests,
  };
}

/** The records that the device has kept since that time. */
export async function keptDisk(): Promise<Map<string, unknown>> {
  return structuredClone((await (making ??= makeFile())).disk);
}

let making: Promise<{ file: SavedFile; disk: Map<string, unknown> }> | undefined;

/** The service's answers about codes at that time. */
const asItWasThen = answering(
  /POST \/v1\/reports\/matrix/,
  ({ rows }: { rows: { values: Record<string, Sent> }[] }) => {
    for (const { values } of rows) {
      for (const typeId of typeIds) {
        const cell = values[typeId];
        if (cell?.value) cell.value = `${cell.value}, as it was`;
      }
    }
  },
);
type Sent = { value?: string | null } | null;

async function makeFile() {
  const disk = memoryDisk();
  const { excel, inTime } = await worldOf({ intercept: asItWasThen, openDisk: () => disk });
  const { spreadsheet, enter, app } = excel;
  for (const name of ["Formula", "Spill", "Formulas", givenUp.sheet]) spreadsheet.addSheet(name);
  // The user's own cells, of every kind that a cell can be.
  const own = [
    ["'007", "Notes", 12.5, true],
    ["=A1", "=B1", "4-12-7", "50%"],
    ["'=no formula", "", "x", "'50%"],
  ];
  enter("Sheet1!B2", own);
  const rows = Array.from({ length: 12 }, (_, row) => own[row % own.length]!.map((cell) => cell));
  enter(`${givenUp.sheet}!A1`, rows);
  const lists = [
    ["", 1003, 1005],
    ["'06059", "", ""],
    ["'06073", "", ""],
    ["'06071", "", ""],
  ];
  enter("Spill!A1", lists);
  enter("Formulas!A2", [["'06001"], ["'06013"], ["'06037"]]);
  enter("Formulas!B1", [[1003, 1005]]);
  enter("Formulas!A1", [['=REGDATA.VALUE("06001", 1003)']]);
  enter("Formulas!E1", [["=REGDATA.MATRIX(A2:A4, B1:C1)"]]);
  await inTime(spreadsheet.idle());

  const session = await inTime(app.session());
  const { kept, types } = await chosen();
  const order = {
    question: { kind: "matrix" as const, ahjs: kept, types },
    form: plainForm,
    hasSources: false,
    sheetName: imported,
  };
  const place = { kind: "new-sheet" as const, name: imported };
  const outcome = await inTime(placeImport(order, place, { workbook: app.workbook, session }, {}));
  if (outcome.status === "failed" || outcome.notRemembered)
    throw new Error("The workbook could not be made.");
  // The user's own cells beside the import.
  enter(`${imported}!J2`, own);
  await inTime(spreadsheet.idle());
  excel.close();
  return { file: excel.save(), disk: disk.copy() };
}
