import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import type { CellValue } from "../../../workbench/spreadsheet";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const { namespace } = config;
const signal = new AbortController().signal;
const formula = (name: string) => `=REGDATA.AHJS("${name}")`;

/** A workbook whose function AHJS gives a result of any size: its rows are told by their numbers, and by the time of the calculation. */
function open(size: { rows: number; columns: number }, options: ExcelOptions = {}) {
  const excel = openExcel({ excelApi: "1.16", ...options });
  const shown = { text: "result" };
  const rows = () =>
    Array.from({ length: size.rows }, (_, row) =>
      Array.from({ length: size.columns }, (__, column): CellValue =>
        column === 0 ? `0${row}` : column === 1 ? row : shown.text,
      ),
    );
  excel.spreadsheet.registerFunctions(
    [
      {
        ...{ id: "AHJS", name: "REGDATA.AHJS", description: "", usesDataTypes: false },
        parameters: [{ name: "name", description: "", dimensionality: "scalar", optional: false }],
      },
    ],
    {
      call: (calls) => excel.spreadsheet.settle(calls.map(({ id }) => ({ id, result: rows() }))),
      cancel() {},
    },
  );
  return { ...excel, shown, rows };
}

const found = ({ app }: PlayedExcel) =>
  inTime(app.workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
const freeze = async (excel: PlayedExcel) =>
  inTime(
    freezeFormulas(await found(excel), excel.app.workbook, {
      ...{ canSeeDataTypes: false, signal },
      onProgress() {},
    }),
  );
const unfreeze = ({ app }: PlayedExcel) =>
  inTime(
    unfreezeFormulas("workbook", app.workbook, { ...{ signal, namespace, calls: app }, onProgress() {} }),
  );
const parts = async ({ app }: PlayedExcel) =>
  (await inTime(app.workbook.readParts("urn:regdata:frozen"))).length;

const held = (excel: PlayedExcel, address: string, expected: readonly CellValue[][]) => {
  const cells = excel.cells(address);
  const other = cells.findIndex((row, at) =>
    row.some(({ value }, across) => value !== expected[at]?.[across]),
  );
  const formulas = cells.flat().filter((cell) => cell.formula !== cell.value);
  return { rows: cells.length, other, formulas: formulas.length };
};

describe("a long result", () => {
  it.each([
    [1, 3],
    [100, 3],
    [5_000, 3],
    [10_000, 3],
    [30_000, 1],
  ])(
    "of %i rows and %i columns is frozen and brought back whole, beside another on its sheet",
    async (rows, columns) => {
      const excel = open({ rows, columns });
      excel.enter("A1", [[formula("a")]]);
      excel.enter("E1", [[formula("b")]]);
      await inTime(excel.spreadsheet.idle());
      const areas = ["A", "E"].map(
        (at) => `${at}1:${String.fromCharCode(at.charCodeAt(0) + columns - 1)}${rows}`,
      );
      const expected = excel.rows();
      for (const area of areas) expect(held(excel, area, expected)).toEqual({ rows, other: -1, formulas: 1 });
      const done = await freeze(excel);
      expect([done.formulas.length, done.left]).toEqual([2, []]);
      for (const area of areas) expect(held(excel, area, expected)).toEqual({ rows, other: -1, formulas: 0 });
      const back = await unfreeze(excel);
      expect([back.back.length, back.left, back.changes?.length]).toEqual([2, [], 0]);
      await inTime(excel.spreadsheet.idle());
      for (const area of areas) expect(held(excel, area, expected)).toEqual({ rows, other: -1, formulas: 1 });
      expect(await parts(excel)).toBe(0);
      expect(excel.problems).toEqual([]);
    },
    240_000,
  );
});
