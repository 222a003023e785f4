import { asFailure, Failure } from "../../errors";
import { partsOf } from "../../lists";
import { type AskedByFormula, askedByFormulas } from "../cell-formulas/asked-by-formulas";
import type { ImportBook, KeptImport } from "../imports/saved/import-book";
import { idHeaders, importRows } from "../imports/saved/import-rows";
import type { SavedImport } from "../imports/saved/saved-import";
import type { TableColumns } from "../sheet/tables/bound-table";
import type { ImportTables } from "../sheet/tables/table-changes";
import type { Workbook } from "../sheet/workbook";
import type { RowAhj } from "../sheet/layout/table-plan";
import type { ReadImport, ReadUses } from "./plan-uses";

export interface UsesDependencies {
  workbook: Pick<Workbook, "findFormulas" | "valuesAt" | "readCells" | "run">;
  tables: Pick<ImportTables, "read">;
  book: Pick<ImportBook, "list">;
  /** The prefix of the add-in's functions, such as REGDATA. */
  namespace: string;
  /** True if Excel has ExcelApi 1.12. */
  canSeeSpills: boolean;
}

export interface UsesOptions {
  signal?: AbortSignal | undefined;
  onStep?: ((step: string, progress?: { done: number; total: number }) => void) | undefined;
}

/** The formulas that are read at once. */
const formulasAtOnce = 5_000;
/** The most rows that are read of all imports. */
const mostRows = 1_000_000;

/**
 * Reads what a workbook's formulas and imports name. The service is not asked. An import that can't be read has the reason. Fails with the
 * workbook's kinds and cancelled.
 */
export async function readUses(
  { workbook, tables, book, namespace, canSeeSpills }: UsesDependencies,
  { signal, onStep }: UsesOptions = {},
): Promise<ReadUses> {
  onStep?.("Looking for formulas");
  const cells = await workbook.findFormulas("workbook", { namespace, canSeeSpills, signal });
  const formulas: AskedByFormula[] = [];
  for (const part of partsOf(cells, formulasAtOnce)) {
    onStep?.("Reading formulas", { done: formulas.length, total: cells.length });
    for (const asked of await askedByFormulas(part, { workbook, namespace, signal })) formulas.push(asked);
  }
  const { imports: kept } = await book.list();
  const imports: ReadImport[] = [];
  let rows = 0;
  for (const each of kept) {
    if (signal?.aborted) throw new Failure("cancelled");
    onStep?.("Reading imports", { done: imports.length, total: kept.length });
    const read = await readImport(each, tables, mostRows - rows);
    rows += read.rows;
    imports.push(read);
  }
  return { formulas, imports };
}

async function readImport(
  { saved, place }: KeptImport,
  tables: UsesDependencies["tables"],
  room: number,
): Promise<ReadImport> {
  const { name, tableId, lastRun } = saved;
  const asOfMs = lastRun.asOfMs ?? lastRun.atMs;
  const known = { name, tableId, address: place?.address ?? null, asOfMs };
  try {
    if (lastRun.rows > room) throw new Failure("too-large");
    const table = await tables.read(tableId, headersOf(saved));
    const rows = importRows(saved, table);
    const ahjs = new Map<number, RowAhj>(rows.map(({ ahj }) => [ahj.id, ahj]));
    return {
      ...known,
      ...{ rows: table.rowCount, ahjs: [...ahjs.values()], failure: null },
      types: typesOf(
        saved,
        table,
        rows.map(({ typeId }) => typeId),
      ),
    };
  } catch (thrown) {
    return { ...known, rows: 0, ahjs: [], types: [], failure: asFailure(thrown) };
  }
}

/** The headers of the columns that say which places the rows stand for. */
function headersOf(saved: SavedImport): string[] {
  const { columns, listHeader } = saved;
  const ofPlaces = columns.filter(({ content }) => content.of === "ahj").map(({ header }) => header);
  return [...new Set([...idHeaders(saved), ...ofPlaces, ...(listHeader ? [listHeader] : [])])];
}

/** The questions whose columns stand in the table, or in a long table whose rows do. */
function typesOf(
  { columns, types }: Pick<SavedImport, "columns" | "types">,
  { headers }: Pick<TableColumns, "headers">,
  ofRows: readonly (number | null)[],
): ReadImport["types"] {
  const there = new Set<number | null>(ofRows);
  const present = new Set(headers);
  for (const { header, content } of columns)
    if (content.of === "answer" && present.has(header)) there.add(content.typeId);
  return types.filter(({ id }) => there.has(id));
}
