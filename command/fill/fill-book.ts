import type { Session } from "../../src/app";
import type { Ahj, DataPointType } from "../../src/engine/api/schemas";
import { namesPlace } from "../../src/engine/lookup/lists/headings";
import type { ReadList } from "../../src/engine/lookup/lists/list-entries";
import { readListCells } from "../../src/engine/lookup/lists/read-list";
import { resolveList } from "../../src/engine/lookup/lists/resolve-list";
import { createTypeFinder } from "../../src/engine/lookup/search/find-types";
import { type HeadedColumn, headedColumns } from "../../src/workbook/imports/run/own-columns";
import { fillTable } from "../../src/workbook/imports/run/fill-table";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { importName } from "../../src/workbook/imports/saved/import-name";
import type { RefreshReport } from "../../src/workbook/imports/refresh/plan-refresh";
import { sheetNameIn } from "../../src/workbook/sheet/layout/cell-address";
import type { FoundTable, TableColumns } from "../../src/workbook/sheet/tables/bound-table";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { CommandFailure } from "../command-failure";
import type { CommandIo } from "../command-io";
import type { Connected } from "../command-connection";
import { questionsOf } from "../imports/named-questions";
import { printableLine } from "../output/printable";
import { calculateOthers } from "../refresh/refresh-book";
import { editBook, type EditChoices, type Edited } from "../workbook/edit-book";
import type { BookInNode } from "../workbook/excel-in-node";
import { mustBeReleased } from "../workbook/must-be-released";

/** The choices of a user for filling a table. */
export interface FillChoices extends EditChoices {
  table?: string | undefined;
  sheet?: string | undefined;
  /** The headers of the columns that name places. Default: those whose headers are known, such as City and State. */
  places?: readonly string[] | undefined;
  /** The questions of columns, as `header=question`. */
  in?: readonly string[] | undefined;
  /** True if nothing is to be written. */
  "dry-run"?: boolean | undefined;
}

/** A filled table, as `--json` prints it. */
export interface FilledTable {
  table: string;
  /** The headers of the columns that name the rows' places. */
  places: string[];
  /** The columns with blank cells; `question` is null for one that is left as it is, and `meant` names what its header may mean. */
  columns: { header: string; question: QuestionName | null; meant: QuestionName | null }[];
  /** The number of rows that have answers now, or would. */
  rows: number;
  /** The entries that certainly mean no one place. */
  unclear: string[];
  /** The cells of filled columns that held something and were left. */
  left: number;
}

type QuestionName = Pick<DataPointType, "id" | "name" | "unit_of_measure">;

/**
 * Fills columns of a table of the user's own in a workbook's file with answers for the places of its rows. Fails with a CommandFailure "usage" if
 * the table or its places are not clear, or as `editBook` does; then no file has changed.
 */
export function fillBook(
  path: string,
  { app, session }: Connected,
  choices: FillChoices,
  io: Pick<CommandIo, "signal" | "fileSteps">,
): Promise<Edited<FilledTable>> {
  return editBook(path, app, choices, io, async (book) => {
    await mustBeReleased(book);
    const { result, isWritten } = await fillIn(book, session, choices, io.signal);
    return { result, changed: isWritten ? book.contents() : null, finish: calculateOthers };
  });
}

async function fillIn(
  { app }: BookInNode,
  session: Session,
  choices: FillChoices,
  signal: AbortSignal,
): Promise<{ result: FilledTable; isWritten: boolean }> {
  const tables = createImportTables(app.workbook);
  const book = createImportBook(app.workbook);
  const found = tableOf(await tables.list(), choices);
  const { imports } = await book.list();
  if (imports.some(({ saved }) => saved.tableId === found.tableId))
    throw new CommandFailure(
      "usage",
      `The table ${printableLine(found.tableName)} has an import, which refresh fills. In the pane it takes more columns.`,
    );
  const table = await tables.read(found.tableId, found.headers, true);
  const places = placesOf(table, choices.places);
  const list = await readListCells(rowsOf(table, places), { headings: places });
  const { found: entries, ambiguous, unmatched } = await resolveList(list, session.lookup, { signal });
  const { catalogue } = session.lookup;
  const [types, categories] = await Promise.all([
    catalogue.types({ signal }),
    catalogue.categories({ keptOnly: true }).catch(() => []),
  ]);
  const finder = createTypeFinder(types, categories);
  const offered = headedColumns(table, new Set(places), finder).filter(({ blanks }) => blanks > 0);
  const chosen = await chosenColumns(offered, choices.in ?? [], session, signal);
  const result: FilledTable = {
    table: found.tableName,
    places,
    columns: offered.map(({ header, type }) => ({
      header,
      question: nameOf(chosen.get(header)),
      meant: nameOf(type),
    })),
    rows: rowsNamed(list, new Set(entries.map(({ given }) => given))),
    unclear: [...ambiguous.map(({ name }) => name), ...unmatched.map(({ given }) => given)],
    left: 0,
  };
  if (choices["dry-run"] === true || chosen.size === 0 || entries.length === 0)
    return { result, isWritten: false };
  const own = places[list.column] ?? "";
  const order = {
    name: importName(
      { ahjs: distinct(entries.map(({ ahj }) => ahj)), types: [...chosen.values()] },
      imports.map(({ saved }) => saved.name),
    ),
    ...{ tableId: found.tableId, headers: table.headers, listHeader: own },
    listBeside: places.filter((header) => header !== own),
    types: [...chosen.values()],
    into: [...chosen].map(([header, { id }]) => ({ header, typeId: id })),
  };
  const { report } = await fillTable(order, { tables, book, ...session }, { signal });
  return { result: { ...result, ...toldBy(report) }, isWritten: true };
}

const toldBy = ({ followed, edited }: RefreshReport) => ({ rows: followed.length, left: edited.length });

const nameOf = (type: DataPointType | null | undefined): QuestionName | null =>
  type ? { id: type.id, name: type.name, unit_of_measure: type.unit_of_measure } : null;

const distinct = (ahjs: readonly Ahj[]) => [...new Map(ahjs.map((ahj) => [ahj.id, ahj])).values()];

const rowsNamed = ({ entries }: ReadList, given: ReadonlySet<string>) =>
  new Set(entries.flatMap((entry) => (given.has(entry.given) ? [entry.row] : []))).size;

/** The only table that the user can mean. */
function tableOf(all: readonly FoundTable[], { table, sheet }: FillChoices): FoundTable {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const meant = all.filter(
    ({ tableName, address }) =>
      (table === undefined || isSame(tableName, table)) &&
      (sheet === undefined || isSame(sheetNameIn(address), sheet)),
  );
  const [only, other] = meant;
  if (only && !other) return only;
  const names = (meant.length > 0 ? meant : all).map(({ tableName, address }) => `${tableName} (${address})`);
  throw new CommandFailure(
    "usage",
    all.length === 0
      ? "The workbook has no Excel table. Select the cells in Excel, choose Insert, Table, and save."
      : printableLine(
          `${other ? "Name one of the tables with --table" : "There is no such table"}: ${names.join(", ")}.`,
          400,
        ),
  );
}

/** The headers of the columns that name places. */
function placesOf({ headers }: TableColumns, wanted: readonly string[] | undefined): string[] {
  if (!wanted) {
    const known = headers.filter(namesPlace);
    if (known.length > 0) return known;
    throw new CommandFailure(
      "usage",
      "No header says that its column names places. Name the columns: --places City --places State",
    );
  }
  return wanted.map((text) => {
    const header = headers.find((each) => each.trim().toLowerCase() === text.trim().toLowerCase());
    if (header !== undefined) return header;
    throw new CommandFailure("usage", `The table has no column "${printableLine(text, 60)}".`);
  });
}

const rowsOf = ({ rowCount, columns }: TableColumns, headers: readonly string[]): unknown[][] =>
  Array.from({ length: rowCount }, (_, row) => headers.map((header) => columns.get(header)?.values[row]));

/** The question of each column that is filled: those that the user names, and those of which there is no doubt. */
async function chosenColumns(
  offered: readonly HeadedColumn[],
  named: readonly string[],
  session: Session,
  signal: AbortSignal,
): Promise<Map<string, DataPointType>> {
  const chosen = new Map<string, DataPointType>();
  const isTaken = (type: DataPointType) => [...chosen.values()].some(({ id }) => id === type.id);
  for (const text of named) {
    const at = text.lastIndexOf("=");
    const [header, question] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    const column = offered.find((each) => each.header.toLowerCase() === header.toLowerCase());
    if (at < 0 || !column)
      throw new CommandFailure(
        "usage",
        `--in "${printableLine(text, 80)}" names no column with blank cells: --in "HEADER=QUESTION".`,
      );
    const [type] = await questionsOf([question], session, { signal });
    if (!type || isTaken(type))
      throw new CommandFailure(
        "usage",
        `--in "${printableLine(text, 80)}": its question has a column already.`,
      );
    chosen.set(column.header, type);
  }
  for (const { header, type, filled, isSure } of offered)
    if (type && filled === 0 && isSure && !chosen.has(header) && !isTaken(type)) chosen.set(header, type);
  return chosen;
}
