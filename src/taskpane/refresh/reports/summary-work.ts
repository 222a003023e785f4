import type { Session } from "../../../app";
import { finishInTurns } from "../../../async/in-turns";
import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import { answersOfImport } from "../../../workbook/imports/summary/shown-answers";
import { summarizeByState } from "../../../workbook/imports/summary/state-summary";
import { planMissing } from "../../../workbook/imports/summary/missing-sheet";
import { chartOfQuestion } from "../../../workbook/imports/summary/question-chart";
import { planSummarySheet } from "../../../workbook/imports/summary/summary-sheet";
import { chartTable } from "../../../workbook/sheet/drawing/chart-plan";
import { addChart } from "../../../workbook/sheet/drawing/charts";
import { insertPicture } from "../../../workbook/sheet/drawing/pictures";
import { readColorScales, setColorScale } from "../../../workbook/sheet/drawing/color-scale";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import { writeSheetNoted } from "../../../workbook/work-note/noted-tables";
import type { PaneApp } from "../../pane-app";

/** Puts the contents of an import's table into the workbook in other forms. The service is not asked. All functions fail with a Failure. */
export interface SummaryWork {
  /** Writes the summary by state on a new sheet. Returns its address. */
  writeSummary(): Promise<string>;
  /** Writes a list of missing values on a new sheet. Returns its address; null if nothing is missing. */
  writeMissing(): Promise<string | null>;
  /** Makes an Excel chart of a question beside a small table, on a new sheet. Returns the table's address; null if there are no values. */
  insertChart(typeId: number): Promise<string | null>;
  /** Puts a picture of a map on a new sheet. Returns the sheet's name. */
  insertMap(question: string, picture: { base64: string; altText: string }): Promise<string>;
  /** The questions that have a column of their own, by type id; true if the column is colored by its numbers. */
  colored(): Promise<Map<number, boolean>>;
  setColored(typeId: number, isOn: boolean): Promise<void>;
}

/** `reportOf` returns the report of the last refresh, if one has run since the pane was opened. */
export function createSummaryWork(
  { workbook, unfinished }: Pick<PaneApp, "workbook" | "unfinished">,
  { lookup }: Pick<Session, "lookup">,
  { saved }: Pick<KeptImport, "saved">,
  reportOf: () => RefreshReport | undefined,
): SummaryWork {
  const tables = createImportTables(workbook);
  const known = (ahjId: number) => lookup.directory.byId(ahjId) ?? lookup.directory.formerById(ahjId);

  async function readTable() {
    // A table beside a list does not hold the states of its jurisdictions, but this device may have stored them.
    if (saved.listHeader) await lookup.directory.recall();
    const headers = saved.columns.map(({ header }) => header);
    return tables.read(saved.tableId, [...headers, saved.listHeader ?? ""]);
  }
  const answers = async () =>
    answersOfImport(saved, await readTable(), { notRefreshed: new Set(), known });
  const headerOf = (typeId: number) =>
    saved.columns.find(
      ({ content }) => content.of === "answer" && content.part === "value" && content.typeId === typeId,
    )?.header;

  return {
    async writeSummary() {
      const plan = planSummarySheet(
        await finishInTurns(summarizeByState(saved.types, await answers())),
      );
      return (await writeSheetNoted(unfinished, workbook, plan, { name: "Summary" })).address;
    },

    async writeMissing() {
      const facts = { known, report: reportOf() };
      const plan = await finishInTurns(planMissing(saved, await readTable(), facts));
      if (plan.rows.length === 0) return null;
      return (await writeSheetNoted(unfinished, workbook, plan, { name: "Missing" })).address;
    },

    async insertChart(typeId) {
      const question = saved.types.find(({ id }) => id === typeId);
      const chart = question && chartOfQuestion(question, (await answers()).answersTo(question));
      if (!chart) return null;
      const written = await writeSheetNoted(unfinished, workbook, chartTable(chart), {
        name: question.name,
        onWritten: ({ tableId }, within) => addChart(within, tableId, chart),
      });
      return written.address;
    },

    insertMap: (question, { base64, altText }) =>
      insertPicture(workbook, {
        base64, altText, sheetName: "Map",
        lines: [
          question,
          `${saved.name}, ${new Date(saved.lastRun.atMs).toISOString().slice(0, 10)}`,
          "Each county by its own answer; cities inside are not shown.",
        ],
      }),

    async colored() {
      const headers = saved.types.flatMap(({ id }) => headerOf(id) ?? []);
      const found = await readColorScales(workbook, saved.tableId, headers);
      return new Map(
        saved.types.flatMap(({ id }) => {
          const header = headerOf(id);
          return header === undefined ? [] : [[id, found.has(header)] as const];
        }),
      );
    },

    async setColored(typeId, isOn) {
      await setColorScale(workbook, saved.tableId, headerOf(typeId) ?? "", isOn);
    },
  };
}
