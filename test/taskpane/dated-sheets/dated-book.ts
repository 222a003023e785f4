import { expect } from "vitest";
import {
  type CompareControl,
  createCompareControl,
  type Side,
} from "../../../src/taskpane/dated-sheets/compare-control";
// Scripts that are loaded on demand would arrive in real time, but these tests use fake time, so they are loaded here.
import "../../../src/taskpane/dated-sheets/dated-work";
import "../../../src/taskpane/refresh/refresh-work";
import "../../../src/workbook/work-note/unfinished-work";
import {
  createSavedImportsControl,
  type DatedState,
} from "../../../src/taskpane/refresh/saved-imports-control";
import { pass } from "../../functions/excel";
import { fee, importedBook, type Sent } from "../../workbook/imports/imported-book";

/** The day of the played clock. */
export const values = "Values 2026-03-12";
/** The columns of a dated sheet, as the documents name them. */
export const columns = [
  ...["Import", "Jurisdiction", "AHJ ID", "Question", "Question ID", "Value", "Unit", "Standing"],
  ...["Reference", "Section", "Updated", "As of (UTC)"],
];

/** The answers that the service changes: what it says of the fee of an AHJ instead. Null for no value. */
export type Said = Map<number, { value: string; reference?: string; section?: string } | null>;

/** An Excel with an import, as `importedBook` has it, and the pane's imports. The service says `said` of fees. */
export async function datedBook(options: Parameters<typeof importedBook>[1] = {}, said: Said = new Map()) {
  /** The places and the question as the service describes them. */
  const ahjs = new Map<number, unknown>();
  let type: unknown;
  const change = (object: Sent) => {
    const { values: cells, ahj, id, items } = object as Sent & { ahj?: { id: number }; items?: Sent[] };
    if (id === fee && "unit_of_measure" in object) type = object;
    if (cells && ahj) {
      ahjs.set(ahj.id, ahj);
      if (said.has(ahj.id)) cells[fee] = said.get(ahj.id) ?? null;
    }
    // The dates of answers come with the answers once more.
    if (items && said.size > 0 && items.every((item) => "data_point_type" in item))
      object["items"] = [...said].flatMap(([at, answer]) =>
        answer
          ? [
              {
                ...{ id: at, ahj: ahjs.get(at), data_point_type: type, reference: null, section: null },
                ...{ ...answer, updated_at: "2026-03-01T00:00:00Z" },
              },
            ]
          : [],
      );
  };
  const { excel, dependencies } = await importedBook(change, options);
  const control = createSavedImportsControl(excel.app, dependencies);
  const compare = createCompareControl(excel.app, dependencies);
  const sheetNames = () => excel.spreadsheet.sheets().map(({ name }) => name);
  const ids = () => excel.values("Fees!G2:G5").map(([id]) => Number(id));
  return {
    ...{ excel, control, compare, said, sheetNames, ids },
    /** Waits until the pane does nothing any more. */
    rests,
    /** The table of a sheet as rows by its headers. */
    rowsOf(name: string, rows = 8, lastColumn = "L"): Record<string, unknown>[] {
      const [headers = [], ...body] = excel.values(`'${name}'!A1:${lastColumn}${rows + 1}`);
      return body.map((row) => Object.fromEntries(row.map((value, at) => [String(headers[at]), value])));
    },
    async keep(): Promise<DatedState> {
      control.keepValues();
      await rests();
      return control.getState().dated;
    },
    /** Refreshes the imports a minute later: what was fetched in the same moment would count as new. */
    async refresh(): Promise<void> {
      await pass(60_000);
      control.refreshPresent();
      await rests();
    },
    async keepAndRefresh(): Promise<DatedState> {
      await pass(60_000);
      control.refreshPresent({ keepsValues: true });
      await rests();
      return control.getState().dated;
    },
    /** Compares a dated sheet with another one, or with the workbook as it is. */
    async compared(before: string, now: string) {
      compare.look();
      await rests();
      const { sheets = [] } = compare.getState();
      const sideOf = (name: string): Side => {
        const sheet = sheets.find((each) => each.name === name);
        if (!sheet && name !== "now") throw new Error(`There is no dated sheet ${name}.`);
        return sheet ?? "now";
      };
      compare.compare({ before: sideOf(before), now: sideOf(now) });
      await rests();
      return resultOf(compare);
    },
  };

  async function rests() {
    for (let turn = 0; turn < 60; turn += 1) {
      await pass(1_000);
      const { compare: comparing, work } = compare.getState();
      const isBusy = [comparing, work].some(({ status }) => status === "running");
      if (!control.getState().isRefreshing && !isBusy) return;
    }
    throw new Error("The pane does not come to rest.");
  }
}

function resultOf(control: CompareControl) {
  const { compare } = control.getState();
  if (compare.status !== "done") {
    expect(compare).toMatchObject({ status: "done" });
    throw new Error("There is no result.");
  }
  return compare.result;
}
