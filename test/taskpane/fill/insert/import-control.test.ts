import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../../src/app";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import {
  createImportControl,
  type ImportControl,
  type ImportOrder,
  type ImportState,
} from "../../../../src/taskpane/fill/insert/import-control";
import { createLastChoice } from "../../../../src/settings/choices/last-choice";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

let excel: PlayedExcel;
let session: Session;
let control: ImportControl;
let ahjs: Ahj[];
let types: DataPointType[];
async function open(intercept?: (request: Request) => Response | undefined) {
  excel = openExcel({ intercept });
  session = await inTime(excel.app.session());
  control = createImportControl(excel.app, session);
  types = (await inTime(session.lookup.catalogue.types())).filter(({ id }) => [1003, 1056].includes(id));
  const found = await inTime(session.lookup.directory.resolve(["06001", "06037", "06059"]));
  ahjs = [...found.values()].filter((each): each is Ahj => "id" in each);
}
beforeEach(() => open());

const order = (changes: Partial<ImportOrder> = {}): ImportOrder => ({
  ...{ question: { kind: "matrix", ahjs, types }, form: plainForm, hasSources: false, sheetName: "Codes" },
  ...{ size: { rows: 4, columns: 7 }, parts: 1, unmatched: [], ...changes },
});
const state = () => control.getSnapshot();
/** Waits until the control rests in this status. */
const reaches = <Status extends ImportState["status"]>(status: Status) =>
  inTime(
    new Promise<Extract<ImportState, { status: Status }>>((resolve) => {
      const look = () => {
        const now = state();
        if (now.status !== status) return;
        stop();
        resolve(now as Extract<ImportState, { status: Status }>);
      };
      const stop = control.subscribe(look);
      look();
    }),
  );
const tables = () => excel.spreadsheet.tables().length;
const noService = () => new Response("{}", { status: 503 });

describe("an import", () => {
  it("is offered again: its jurisdictions and questions are noted once it is inserted", async () => {
    control.insertOnNewSheet(order());
    await reaches("done");
    const lastChoice = createLastChoice(excel.app.storage);
    await vi.waitFor(async () => {
      await lastChoice.read();
      expect(lastChoice.current()).toEqual({
        entries: ahjs.map(({ geoid }) => geoid),
        typeIds: types.map(({ id }) => id),
      });
    });
  });

  it("runs, shows its progress, and reports its result", async () => {
    const seen: ImportState["status"][] = [];
    control.subscribe(() => seen.push(state().status));
    control.insertOnNewSheet(order());
    expect(state()).toMatchObject({ status: "running", isPaused: false });
    expect(await reaches("done")).toMatchObject({ address: "Codes!A1:G4", report: { rows: 3 } });
    expect(new Set(seen)).toEqual(new Set(["running", "done"]));
  });

  it("is the only one: a button pressed while it runs does nothing", async () => {
    control.insertOnNewSheet(order());
    control.insertOnNewSheet(order({ sheetName: "Another" }));
    await reaches("done");
    expect(excel.spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1", "Codes"]);
  });

  it("asks before it overwrites, and goes on or leaves everything", async () => {
    excel.enter("B2", [["mine"]]);
    control.insertAtSelectedCell(order());
    expect(await reaches("in-the-way")).toMatchObject({ place: { filled: "Sheet1!B2" } });
    control.dismiss();
    expect(state().status).toBe("idle");
    expect(excel.values("A1:B2")).toEqual([
      ["", ""],
      ["", "mine"],
    ]);
    control.insertAtSelectedCell(order());
    await reaches("in-the-way");
    control.overwrite();
    expect(await reaches("done")).toMatchObject({ address: "Sheet1!A1:G4" });
  });

  it("waits while it is paused, and is cancelled without a trace", async () => {
    control.insertOnNewSheet(order());
    control.pause();
    expect(state()).toMatchObject({ status: "running", isPaused: true });
    control.goOn();
    expect(state()).toMatchObject({ status: "running", isPaused: false });
    control.cancel();
    expect((await reaches("failed")).failure.kind).toBe("cancelled");
    expect(tables()).toBe(0);
  });

  it("that failed is tried again for the rest", async () => {
    let isDown = true;
    await open((request) => (isDown && request.url.includes("matrix") ? noService() : undefined));
    control.insertOnNewSheet(order());
    const failed = await reaches("failed");
    expect(failed).toMatchObject({ failure: { kind: "service-error" }, partial: null });
    isDown = false;
    control.insertOnNewSheet(order());
    expect(await reaches("done")).toMatchObject({ report: { rows: 3 } });
  });

  it("that is too large for memory becomes several tables", async () => {
    control.insertOnNewSheet(order({ parts: 2 }));
    expect(await reaches("done")).toMatchObject({ address: "Codes!A1:G3 and 'Codes 2'!A1:G2" });
    expect(tables()).toBe(2);
  });

  it("ends when the pane is closed", async () => {
    control.insertOnNewSheet(order());
    control.end();
    await reaches("failed");
    expect(tables()).toBe(0);
  });
});
