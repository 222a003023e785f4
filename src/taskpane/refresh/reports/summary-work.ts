import type { KeptLookup } from "../../../app";
import { finishInTurns } from "../../../async/in-turns";
import type { RefreshReport } from "../../../workbook/imports/refresh/plan-refresh";
import { createImportBook, type KeptImport } from "../../../workbook/imports/saved/import-book";
import { readToSummarize } from "../../../workbook/imports/summary/read-import";
import { answersOfImport } from "../../../workbook/imports/summary/shown-answers";
import { summarizeByState } from "../../../workbook/imports/summary/state-summary";
import { planMissing } from "../../../workbook/imports/summary/missing-sheet";
import { chartOfQuestion, type ChartSubject } from "../../../workbook/imports/summary/question-chart";
import { planSummarySheet } from "../../../workbook/imports/summary/summary-sheet";
import { chartTable } from "../../../workbook/sheet/drawing/chart-plan";
import { addChart } from "../../../workbook/sheet/drawing/charts";
import { insertPicture, type PicturePlan } from "../../../workbook/sheet/drawing/pictures";
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
  /** Makes an Excel chart of a question beside a small table, on a new sheet. Returns the table's address; null if there is nothing to draw. */
  insertChart(typeId: number, subject: ChartSubject): Promise<string | null>;
  /** Puts a picture of a map on a new sheet. Returns the sheet's name. */
  insertMap(question: string, picture: Pick<PicturePlan, "base64" | "altText" | "width">): Promise<string>;
  /** The questions that have a column of their own, by type id; true if the column is colored by its numbers. */
  colored(): Promise<Map<number, boolean>>;
  setColored(typeId: number, isOn: boolean): Promise<void>;
}

/** `reportOf` returns the report of the last refresh, if one has run since the pane was opened. */
export function createSummaryWork(
  { workbook, unfinished }: Pick<PaneApp, "workbook" | "unfinished">,
  { lookup }: { lookup: Pick<KeptLookup, "directory"> },
  { saved }: Pick<KeptImport, "saved">,
  reportOf: () => RefreshReport | undefined,
): SummaryWork {
  const tables = createImportTables(workbook);
  const book = createImportBook(workbook);
  const read = () => readToSummarize(saved, { tables, book, directory: lookup.directory });

  async function answers() {
    const { table, facts } = await read();
    const notRefreshed = new Set(reportOf()?.notRefreshed.map(({ ahjId }) => ahjId));
    return answersOfImport(saved, table, { ...facts, notRefreshed });
  }
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
      const { table, facts } = await read();
      const plan = await finishInTurns(planMissing(saved, table, { ...facts, report: reportOf() }));
      if (plan.rows.length === 0) return null;
      return (await writeSheetNoted(unfinished, workbook, plan, { name: "Missing" })).address;
    },

    async insertChart(typeId, subject) {
      const question = saved.types.find(({ id }) => id === typeId);
      const chart = question && chartOfQuestion(question, (await answers()).answersTo(question), subject);
      if (!chart) return null;
      const written = await writeSheetNoted(unfinished, workbook, chartTable(chart), {
        name: question.name,
        onWritten: ({ tableId }, within) => addChart(within, tableId, chart),
      });
      return written.address;
    },

    insertMap: (question, picture) =>
      insertPicture(workbook, {
        ...picture,
        sheetName: "Map",
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
