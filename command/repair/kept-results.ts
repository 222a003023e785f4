import type { App, Session } from "../../src/app";
import { asFailure, Failure } from "../../src/errors";
import { type Planned, plannedRows } from "../../src/functions/answer-plan";
import type { Call } from "../../src/functions/call";
import { card, changed } from "../../src/functions/dated-answers";
import { matrix } from "../../src/functions/matrix";
import { value } from "../../src/functions/value-and-citation";
import { useDateSystem } from "../../src/workbook/sheet/date-system";
import { type FormulaArgument, formulaCalls } from "../../src/workbook/formula-text/formula-call";
import { sheetNameIn } from "../../src/workbook/sheet/layout/cell-address";
import { groupBy } from "../../src/lists";
import { type Rect, rectOf, type SheetFile, type WorkbookFile } from "../../xlsx/workbook-file";
import type { Mending } from "./stuck-formulas";

type Argument = unknown;

/** The functions that return answers of jurisdictions, with their arguments in Excel's order. */
const functions: Record<string, (call: Call, args: Argument[]) => Planned | Promise<Planned>> = {
  VALUE: (call, [geoid, typeId, field, ifMissing]) => value(call, { geoid, typeId, field, ifMissing }),
  CITATION: (call, [geoid, typeId]) => value(call, { geoid, typeId, field: "citation", ifMissing: "" }),
  MATRIX: (call, [geoids, typeIds, headers, field]) => matrix(call, { geoids, typeIds, headers, field }),
  CARD: (call, [geoid, typeId]) => card(call, { geoid, typeId }),
  CHANGED: (call, [geoid, typeId, since]) => changed(call, { geoid, typeId, since }),
};

/**
 * Gives each mending the result of its formula from the stored answers, without a request. This works for a formula that is a single call
 * of the add-in's function, with constants and cells as its arguments and one cell as its result.
 */
export async function addKeptResults(
  file: WorkbookFile,
  mendings: readonly Mending[],
  namespace: string,
  { app, session }: { app: Pick<App, "preferences" | "answerAgeMs">; session: Pick<Session, "lookup"> },
): Promise<void> {
  const { lookup } = session;
  const call: Call = {
    // Data types are off, because a file holds only plain values.
    app: {
      preferences: app.preferences,
      answerAgeMs: app.answerAgeMs,
      hasExcelApi: () => false,
      hasDataTypes: () => false,
      learnDates: () => Promise.resolve(useDateSystem(file.uses1904)),
    },
    read: () => Promise.reject(new Failure("not-asked")),
  };
  const readings = mendings.map((mending) => ({ mending, reading: readingOf(mending, namespace) }));
  const valuesAt = cellsOf(
    file,
    readings.flatMap(({ mending, reading }) =>
      (reading?.args ?? []).flatMap(({ cells }) => (cells ? { ...cells, from: mending.call.sheet } : [])),
    ),
  );
  await Promise.all(
    readings.map(async ({ mending, reading }) => {
      if (!reading) return;
      const args = reading.args.map(({ cells, value: given }) =>
        cells ? valuesAt(cells, mending.call.sheet) : given,
      );
      if (args.includes(undefined)) return;
      try {
        const rows = await plannedRows(reading.run(call, args), async (plan) =>
          plan.resultOf(await lookup.ask(plan.wants(), { keptOnly: true }).catch(asFailure)),
        );
        const [[only] = []] = rows;
        const isOneCell = rows.length === 1 && rows[0]?.length === 1;
        const isPlain = typeof only === "string" || typeof only === "number" || typeof only === "boolean";
        // A blank result comes from blank arguments, which Excel may pass as zeros, so it is not stored.
        if (isOneCell && isPlain && only !== "") mending.kept = only;
      } catch {
        // The function refused its arguments, or no answer is stored: Excel calculates the cell.
      }
    }),
  );
}

interface CellsNamed {
  /** Null for the formula's own sheet. */
  sheetName: string | null;
  rect: Rect;
}

interface Reading {
  run: (typeof functions)[string];
  args: { value?: Argument; cells?: CellsNamed }[];
}

/** Undefined if the formula's result can't be told without calculating. */
function readingOf({ formula }: Mending, namespace: string): Reading | undefined {
  const calls = formulaCalls(`=${formula}`, namespace);
  const [call] = calls;
  const run = call && Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
  if (!call?.isWhole || calls.length > 1 || !run) return undefined;
  const args: Reading["args"] = [];
  for (const argument of call.args) {
    const read = argumentOf(argument);
    if (!read) return undefined;
    args.push(read);
  }
  return { run, args };
}

function argumentOf(argument: FormulaArgument): Reading["args"][number] | undefined {
  switch (argument.kind) {
    case "omitted":
      return { value: null };
    case "value":
      return { value: argument.value };
    case "cells": {
      const cut = argument.address.lastIndexOf("!");
      const name = argument.address.slice(0, Math.max(0, cut));
      const rect = rectOf(argument.address.slice(cut + 1));
      if (!rect || name.includes("[") || rect.rows * rect.columns > mostCells) return undefined;
      return { cells: { sheetName: cut < 0 ? null : sheetNameIn(argument.address), rect } };
    }
    case "other":
      return undefined;
  }
}

/** A range with more cells is not read: a result of one cell comes from few arguments. */
const mostCells = 1_000;

/**
 * Returns a reader for the values of cells that formulas refer to; it reads each sheet in one pass. A value is undefined if a calculation
 * would change it.
 */
function cellsOf(
  file: WorkbookFile,
  named: readonly (CellsNamed & { from: SheetFile })[],
): (cells: CellsNamed, from: SheetFile) => Argument {
  const sheets = new Map(file.sheets.map((sheet) => [sheet.name.toLowerCase(), sheet]));
  const sheetOf = (name: string | null, from: SheetFile) =>
    name === null ? from : sheets.get(name.toLowerCase());
  const values = new Map<SheetFile, Map<number, unknown>>();
  for (const [sheet, own] of groupBy(named, ({ sheetName, from }) => sheetOf(sheetName, from))) {
    if (!sheet) continue;
    const wanted = new Set(own.flatMap(({ rect }) => placesOf(rect).flat()));
    const read = new Map<number, unknown>();
    for (const { row, column, value: held, isError } of sheet.cells())
      if (wanted.has(placeOf(row, column))) read.set(placeOf(row, column), isError ? undefined : held);
    values.set(sheet, read);
  }
  return ({ sheetName, rect }, from) => {
    const read = values.get(sheetOf(sheetName, from) ?? from);
    if (!read || (sheetName !== null && !sheets.has(sheetName.toLowerCase()))) return undefined;
    const rows = placesOf(rect).map((row) => row.map((place) => (read.has(place) ? read.get(place) : null)));
    // An error in an argument would be the formula's result, or comes from a stuck formula itself.
    if (rows.flat().includes(undefined)) return undefined;
    // A single cell is passed as one value even if a range is allowed: the functions accept both.
    return rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : rows;
  };
}

const placeOf = (row: number, column: number) => row * 16_384 + column;

function placesOf({ row, column, rows, columns }: Rect): number[][] {
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (__, across) => placeOf(row + down, column + across)),
  );
}
