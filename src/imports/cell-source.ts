import { Failure } from "../errors";
import { jurisdictionOf, typeOf } from "../lookup/cell-names";
import type { Question } from "../lookup/lookup";
import { type FormulaArgument, formulaCalls } from "../sheet/formula-call";
import type { SelectedCell } from "../sheet/selected-cell";
import type { Workbook } from "../sheet/workbook";
import type { KeptImport } from "./import-book";

/** What a cell shows the answer to. */
export interface CellSource {
  question: Question;
  /** The formula's function, or the import it belongs to. */
  from: { kind: "formula"; name: string } | { kind: "import"; kept: KeptImport };
}

/** Functions whose result is a grid of jurisdictions and types, and how many headers stand in front of it. */
const grids: Record<string, { rows: number; columns: number }> = {
  VALUE: { rows: 0, columns: 0 },
  CITATION: { rows: 0, columns: 0 },
  CARD: { rows: 0, columns: 0 },
  CHANGED: { rows: 0, columns: 0 },
  MATRIX: { rows: 1, columns: 2 },
};

/**
 * The question behind a cell: of the formula in it or the one that spills into it, or of the import whose table it
 * stands in. Null where there is none, or where it can't be told without calculating. Fails with invalid-argument.
 */
export async function sourceOf(
  cell: SelectedCell,
  {
    namespace,
    workbook,
    imports,
  }: { namespace: string; workbook: Pick<Workbook, "valuesAt">; imports: readonly KeptImport[] },
): Promise<CellSource | null> {
  return (await formulaSource(cell, namespace, workbook)) ?? importSource(cell, imports);
}

async function formulaSource(
  { formula, offset, sheetId }: SelectedCell,
  namespace: string,
  workbook: Pick<Workbook, "valuesAt">,
): Promise<CellSource | null> {
  const call = formulaCalls(formula, namespace).find(({ name }) => Object.hasOwn(grids, name));
  const headers = call && grids[call.name];
  if (!call || !headers) return null;
  const read = (argument: FormulaArgument | undefined) => valuesOf(argument, sheetId, workbook);
  const [geoids, typeIds] = await Promise.all([read(call.args[0]), read(call.args[1])]);
  if (!geoids || !typeIds) return null;
  const isSingle = geoids.length === 1 && typeIds.length === 1;
  // Inside another formula, only a single answer is certainly what the cell was made of.
  if (!call.isWhole && !isSingle) return null;
  const [, , hasHeaders] = call.args;
  const isBare = call.name !== "MATRIX" || (hasHeaders?.kind === "value" && !hasHeaders.value);
  const row = call.isWhole ? offset.row - (isBare ? 0 : headers.rows) : 0;
  const column = call.isWhole ? offset.column - headers.columns : 0;
  const [ahj, type] = [jurisdictionOf(geoids[row]), typeOf(typeIds[column])];
  if (row < 0 || column < 0 || ahj === null || type === null) return null;
  if (ahj instanceof Failure) throw ahj;
  if (type instanceof Failure) throw type;
  return { question: { ahj, type }, from: { kind: "formula", name: call.name } };
}

async function valuesOf(
  argument: FormulaArgument | undefined,
  sheetId: string,
  workbook: Pick<Workbook, "valuesAt">,
): Promise<unknown[] | null> {
  if (argument?.kind === "value") {
    return Array.isArray(argument.value) ? argument.value.flat() : [argument.value];
  }
  if (argument?.kind !== "cells") return null;
  const [values] = await workbook.valuesAt(sheetId, [argument.address]);
  return values ? values.flat() : null;
}

function importSource({ table }: SelectedCell, imports: readonly KeptImport[]): CellSource | null {
  const kept = imports.find(({ saved }) => saved.tableId === table?.tableId);
  if (!table || !kept) return null;
  const { columns } = kept.saved;
  const valueOf = (of: "ahj" | "type") => {
    const header = columns.find(({ content }) => content.of === of && content.field === "id")?.header;
    return header === undefined ? undefined : Number(table.values[table.headers.indexOf(header)]);
  };
  const content = columns.find(({ header }) => header === table.headers[table.column])?.content;
  const ahj = valueOf("ahj");
  const type = content?.of === "answer" ? (content.typeId ?? valueOf("type")) : undefined;
  if (!Number.isSafeInteger(ahj) || !Number.isSafeInteger(type) || !ahj || !type) return null;
  return { question: { ahj, type }, from: { kind: "import", kept } };
}
