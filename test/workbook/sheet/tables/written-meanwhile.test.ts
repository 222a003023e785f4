import { inspectBeside } from "../../../../src/workbook/sheet/lists/beside-list";
import type { Contents } from "../../../../src/workbook/sheet/tables/target-place";
import {
  inspectTarget,
  type TableTarget,
  writeTable,
} from "../../../../src/workbook/sheet/tables/write-table";
import { describe, expect, it } from "vitest";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

const note = "Ann's note";
const planOf = (...headers: string[]) => ({
  columns: headers.map((header) => ({ header })),
  rows: [7, 8, 9].map((id) => [
    { value: id, numberFormat: "0" },
    ...headers.slice(1).map((header) => ({ value: `${header} $${id}`, numberFormat: "@" })),
  ]),
});
const size = { rows: 4, columns: 2 };

type Destination = Parameters<typeof writeTable>[2];

/** A place for a table of two columns in A1:B4 or B1:C4: its contents, and how the user chose it. */
interface Place {
  sheetName: string;
  /** The cells where a colleague, Ann, may type: in the table, its header, the user's own list, beside the table, below it. */
  cells: string[];
  choose(excel: PlayedExcel): Promise<Destination>;
  /** True if an older Excel writes here in another way. */
  hasOlderWay?: true;
}

const sheetOf = (excel: PlayedExcel) => excel.spreadsheet.sheets()[0]!.id;
const atA1 = (excel: PlayedExcel) => ({ kind: "cell" as const, sheetId: sheetOf(excel), row: 0, column: 0 });

async function asked(excel: PlayedExcel, target: TableTarget): Promise<Destination> {
  const { workbook } = excel.app;
  const { contents } = await inTime<{ contents: Contents }>(
    target.kind === "beside"
      ? inspectBeside(workbook, target, { together: 2, apart: 2 }, false).then(({ right: { contents } }) => ({
          contents,
        }))
      : inspectTarget(workbook, target, size),
  );
  return { ...target, mayOverwrite: size, contents };
}

async function besideList(excel: PlayedExcel, from: "new" | "inserted" | "table", isInTable: boolean) {
  if (isInTable) {
    const { workbook } = excel.app;
    await inTime(writeTable(workbook, planOf("geoID"), { ...atA1(excel), mayOverwrite: null }));
  } else excel.enter(from === "inserted" ? "A1" : "A2", [["'7"], ["'8"], ["'9"]]);
  excel.spreadsheet.select(sheetOf(excel), [
    { row: from === "inserted" ? 0 : 1, column: 0, rows: 3, columns: 1 },
  ]);
  const list = await inTime(excel.app.workbook.readListColumn());
  return { kind: "beside" as const, list, header: { from, text: "geoID" }, mayOverwrite: null };
}

const places: Record<string, Place> = {
  "a new sheet": {
    sheetName: "Fees",
    cells: ["B3", "A1", "E3"],
    choose: () => Promise.resolve({ kind: "new-sheet", name: "Fees" }),
  },
  "blank cells": {
    sheetName: "Sheet1",
    cells: ["B3", "A1"],
    choose: (excel) => Promise.resolve({ ...atA1(excel), mayOverwrite: null }),
  },
  "cells that were given up": {
    sheetName: "Sheet1",
    cells: ["B3", "A1"],
    choose(excel) {
      excel.enter("A1", [
        ["a", "b"],
        ["c", "d"],
        ["e", "f"],
      ]);
      return asked(excel, { ...atA1(excel), mayOverwrite: null });
    },
  },
  "the place of another import": {
    sheetName: "Sheet1",
    cells: ["B3", "A1", "C2"],
    async choose(excel) {
      const { workbook } = excel.app;
      const old = planOf("AHJ ID", "Fee", "Mine");
      const { tableId } = await inTime(writeTable(workbook, old, { ...atA1(excel), mayOverwrite: null }));
      const { rows, headers } = await inTime(workbook.describeTable(tableId));
      return asked(excel, { kind: "in-place", tableId, rows, headers, mayOverwrite: null });
    },
  },
  "the columns beside a list": {
    sheetName: "Sheet1",
    cells: ["A1", "B1", "B3"],
    choose: (excel) => besideList(excel, "new", false),
  },
  "the columns beside a list that gets a header": {
    sheetName: "Sheet1",
    cells: ["A2", "B1", "B2"],
    choose: (excel) => besideList(excel, "inserted", false),
  },
  "the columns beside a list in a table": {
    sheetName: "Sheet1",
    cells: ["A3", "B1", "B3"],
    hasOlderWay: true,
    choose: (excel) => besideList(excel, "table", true),
  },
};

const plan = planOf("AHJ ID", "Code");

describe.each(Object.entries(places))(
  "while a table is written to %s",
  (_, { sheetName, cells, choose, hasOlderWay }) => {
    // An older Excel adds columns to a table where a newer one resizes it.
    const versions = ["1.13", ...(hasOlderWay ? ["1.9"] : [])];
    it.each(
      versions.flatMap((version) => ["not refused", "refused"].map((next) => [next, version] as const)),
    )(
      "a note that is typed there before any request stays, the next request being %s: ExcelApi %s",
      async (next, excelApi) => {
        let typed = 0;
        for (const address of cells) {
          for (let at = 0; at < 40; at += 1) {
            let request = -Infinity;
            let hasTyped = false;
            const excel: PlayedExcel = openExcel({
              excelApi,
              onRequest() {
                request += 1;
                if (request !== at || !excel.spreadsheet.sheets().some(({ name }) => name === sheetName))
                  return;
                hasTyped = true;
                excel.enter(`${sheetName}!${address}`, [[note]]);
                if (next === "refused") excel.fail(7000, 1, "workbook", 1);
              },
            });
            const destination = await choose(excel);
            request = -1;
            const outcome = await inTime(writeTable(excel.app.workbook, plan, destination)).then(
              () => "written",
              (failure: { kind?: string; detail?: string }) => `${failure.kind} ${failure.detail}`,
            );
            if (request < at) break;
            if (!hasTyped) continue;
            typed += 1;
            const told = `${address} before request ${at}: ${outcome}`;
            const isThere = excel.spreadsheet.sheets().some(({ name }) => name === sheetName);
            expect(isThere, told).toBe(true);
            const all = excel.values(`${sheetName}!A1:F21`).flat();
            expect(all.filter((value) => value === note).length, told).toBe(1);
            if (outcome === "written") continue;
            const ours = all.filter((value) => /^(?:AHJ ID|Code)( \$\d)?$/.test(String(value)));
            // The replaced import has this header, too.
            const isOld = destination.kind === "in-place" && address !== "A1";
            if (!outcome.includes("could not be taken back"))
              expect(ours, told).toEqual(isOld ? ["AHJ ID"] : []);
          }
        }
        expect(typed).toBeGreaterThan(10);
      },
    );
  },
);

describe("a table that is written where somebody types again and again", () => {
  it("overwrites none of the texts in the end, or names it, whichever requests they are typed before", async () => {
    for (let from = 0; from < 24; from += 1) {
      for (let to = from; to < from + 16; to += 1) {
        let request = -Infinity;
        let last: string | undefined;
        const excel: PlayedExcel = openExcel({
          onRequest() {
            request += 1;
            if (request < from || request > to) return;
            last = `typed ${request}`;
            excel.enter("B3", [[last]]);
          },
        });
        excel.enter("A1", [
          ["a", "b"],
          ["c", "d"],
          ["e", "f"],
        ]);
        const destination = await asked(excel, { ...atA1(excel), mayOverwrite: size });
        request = -1;
        const outcome = await inTime(
          writeTable(excel.app.workbook, planOf("AHJ ID", "Code"), destination),
        ).then(
          () => "written",
          (failure: Error) => failure.message,
        );
        request = Infinity;
        const all = excel.values("A1:F21").flat();
        const isKept = last === undefined || all.includes(last) || outcome.includes(last);
        expect(isKept, `requests ${from} to ${to}: ${outcome}`).toBe(true);
      }
    }
  });
});
