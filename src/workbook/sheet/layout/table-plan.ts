import { config } from "../../../config";
import { Failure } from "../../../errors";
import {
  type PartOfAnswer,
  answerPartNames,
  answerParts,
  type Known,
  partsShown,
  type PublishedAnswer,
} from "./answer-parts";
import { cellOfNoValue } from "./no-value";
import { blankCell, type FormattedCell, cellText, textCell } from "../values/cell-value";
import { unitLabel } from "../values/units";
import { type ColumnLook, createValueColumn } from "../values/value-column";
import { idCell } from "../values/plain-cells";

/** A whole table for a sheet. It is rectangular, and its headers are unique because Excel demands it. */
export interface SheetTable {
  columns: SheetColumn[];
  rows: FormattedCell[][];
}

export interface SheetColumn {
  header: string;
  content?: ColumnContent;
  /** True if a text that is too long for the cell goes on over the blank cells beside it, instead of making its row higher. */
  isOneLine?: boolean;
}

/** The table of an import. */
export interface TablePlan extends SheetTable {
  columns: PlannedColumn[];
}

export interface PlannedColumn {
  header: string;
  content: ColumnContent;
  /** The format of a question's values, if they all have the same: amounts in the type's unit, which the header names, or dates. */
  numberFormat?: string | null | undefined;
}

/**
 * The content of a column: a field of its row's AHJ, a field of its row's type, a part of an answer, or what is told about the row's entry
 * in a list. An answer is to the type `typeId`, or to the row's type if that is null.
 */
export type ColumnContent =
  | { of: "ahj"; field: keyof typeof ahjColumns }
  | { of: "type"; field: keyof typeof typeColumns }
  | { of: "answer"; part: PartOfAnswer; typeId: number | null }
  | { of: "list"; field: keyof typeof entryColumns };

export type AhjFact = (typeof ahjFacts)[number];

/** The form in which a table shows answers. */
export interface TableForm {
  /** "wide" has a row for each AHJ, "long" a row for each value. */
  layout: "wide" | "long";
  /** True if reference and section stand beside each value. */
  hasCitations: boolean;
  /** True if reference, section and day of the last change stand in a note on the value's cell. */
  hasNotes?: boolean | null | undefined;
  /** True if the day of each answer's last change stands beside it. */
  hasDates?: boolean | null | undefined;
  /** True if a column beside a list tells how each of its entries was understood. Other tables have no such column. */
  hasCertainty?: boolean | null | undefined;
  /** True if a dash stands where the service has no value on record. Other tables have a blank cell there. */
  hasDashes?: boolean | null | undefined;
}

export const plainForm: TableForm = { layout: "wide", hasCitations: false };

/** The facts about an AHJ that a row shows. */
export interface RowAhj {
  id: number;
  name: string;
  type: string;
  state_code: string;
  geoid: string | null;
}

/** A column of the user's own that gets the answers to a question. */
export interface OwnColumn {
  header: string;
  typeId: number;
}

/** A row that a table gets: what stands for its AHJ, and in a long table for a type. */
export interface NewRow {
  ahj: RowAhj;
  typeId: number | null;
}

export interface ColumnType {
  id: number;
  name: string;
  unit_of_measure: string;
}

/** The answers from which a table is made. */
export interface TableAnswers<Ahj extends RowAhj = RowAhj, Type extends ColumnType = ColumnType> {
  ahjs: readonly Ahj[];
  types: readonly Type[];
  /** The answer; null if no value is recorded, undefined if the service has given no answer. */
  of(ahjId: number, typeId: number): PublishedAnswer | null | undefined;
  /** The answer's value alone, if that is faster to read than `of`; null if there is none, for whatever reason. */
  value?: ((ahjId: number, typeId: number) => string | null) | undefined;
}

const valueReader = ({ of, value }: Pick<TableAnswers, "of" | "value">) =>
  value ?? ((ahjId: number, typeId: number) => of(ahjId, typeId)?.value ?? null);

const textOrBlank = (text: string | null): FormattedCell => (text === null ? blankCell : textCell(text));

/** The columns about an AHJ, in the order in which a table shows them; the id comes last of all columns. */
const ahjColumns = {
  name: { header: "Name", cell: (ahj: RowAhj) => textCell(ahj.name) },
  state_code: { header: "State", cell: (ahj: RowAhj) => textCell(ahj.state_code) },
  type: { header: "Type", cell: (ahj: RowAhj) => textCell(ahj.type) },
  geoid: { header: "geoID", cell: (ahj: RowAhj) => textOrBlank(ahj.geoid) },
  id: { header: "AHJ ID", cell: (ahj: RowAhj) => idCell(ahj.id) },
};

const typeColumns = {
  name: { header: "Question", cell: (type: ColumnType) => textCell(type.name) },
  unit: { header: "Unit", cell: (type: ColumnType) => textCell(type.unit_of_measure) },
  id: { header: "Type ID", cell: (type: ColumnType) => idCell(type.id) },
};

const entryColumns = {
  certainty: { header: "How certain" },
};

/** All contents that a column can have, for the code that reads them again (imports/saved/saved-import.ts). */
export const columnContents = {
  ahj: keysOf(ahjColumns),
  type: keysOf(typeColumns),
  answer: answerPartNames,
  list: keysOf(entryColumns),
};

/** The fields by which a table describes an AHJ, beside its id. */
export const ahjFacts = columnContents.ahj.filter((field) => field !== "id");

function keysOf<Content extends object>(columns: Content): (keyof Content)[] {
  return Object.keys(columns) as (keyof Content)[];
}

/** True if a column that is said to hold ids has the header that the add-in gives such columns; also true for any other column. */
export function isIdHeader({ header, content }: PlannedColumn): boolean {
  if (!hasIds({ content })) return true;
  const given = content.of === "ahj" ? ahjColumns.id.header : typeColumns.id.header;
  return header.startsWith(given) && isNamedForIds(header);
}

/** True if a header is one that the add-in gives to columns of ids. */
export function isNamedForIds(header: string): boolean {
  return new RegExp(`^(${ahjColumns.id.header}|${typeColumns.id.header})( \\(\\d+\\))?$`).test(header);
}

/**
 * The table of answers.
 * @throws Failure `too-large` if a sheet could not hold it.
 */
export function planTable(answered: TableAnswers, form: TableForm): TablePlan {
  const { columns, rowsOf, settle } = openTablePlan(answered, form);
  const { rows } = rowsOf(answered.ahjs);
  if (!fitsSheet({ rows: rows.length + 1, columns: columns.length })) throw new Failure("too-large");
  return { columns: settle(rows), rows };
}

/** A table that is planned in steps, some AHJs at a time. */
export interface OpenTablePlan {
  /** The columns, before their units are known. */
  columns: PlannedColumn[];
  /** The rows of some AHJs; `about` has the AHJ and type of each row. */
  rowsOf(ahjs: readonly RowAhj[]): { rows: FormattedCell[][]; about: TableRow[] };
  /**
   * Finishes the columns once all rows are planned: cells of a column get one format and headers name units, as far as the values agree.
   */
  settle(rows: readonly (readonly FormattedCell[])[]): PlannedColumn[];
}

/** Plans a table in steps. */
export function openTablePlan(answered: Omit<TableAnswers, "ahjs">, form: TableForm): OpenTablePlan {
  const columns = columnsOf(answered.types, form);
  const readers = columns.map(({ content }) => columnReader(content, answered, form));
  return {
    columns: uniqueHeaders(columns),
    rowsOf(ahjs) {
      const about = tableRows({ ...answered, ahjs }, form.layout);
      return { rows: about.map((row) => readers.map(({ cellOf }) => cellOf(row))), about };
    },
    settle: (rows) => settled(columns, readers, rows),
  };
}

/** The columns that go beside a list. */
export interface ColumnsBeside {
  form: TableForm;
  /** The AHJs of the list's rows; null for a row without one. */
  rows: readonly (RowAhj | null)[];
  /** The words of each row for a column "How certain", also of a row without an AHJ. */
  certainty?: readonly (string | undefined)[] | undefined;
  /** The headers that the table has already. */
  taken: readonly string[];
  /** True if the columns are a table of their own; see `listColumns`. */
  isApart?: boolean;
}

export function planTableColumns(
  answered: TableAnswers,
  { form, rows, certainty, taken, isApart }: ColumnsBeside,
): TablePlan {
  const columns = listColumns(answered.types, form, isApart);
  const readers = columns.map(({ content }) => columnReader(content, answered, form));
  const cells = rows.map((ahj, at) =>
    readers.map(({ cellOf }, across) => {
      if (columns[across]?.content.of === "list") return textOrBlank(certainty?.[at] ?? null);
      return ahj ? cellOf({ ahj, type: null }) : blankCell;
    }),
  );
  return { columns: settled(columns, readers, cells, taken), rows: cells };
}

function settled(
  columns: readonly PlannedColumn[],
  readers: readonly ColumnReader[],
  rows: readonly (readonly FormattedCell[])[],
  taken?: readonly string[],
): PlannedColumn[] {
  unlinkMany(rows);
  return uniqueHeaders(
    columns.map((column, place) => readers[place]?.settle?.(column) ?? column),
    taken,
  );
}

function unlinkMany(rows: readonly (readonly FormattedCell[])[]): void {
  let links = 0;
  for (const row of rows) for (const { link } of row) if (link !== undefined) links += 1;
  if (links > config.mostLinks) for (const row of rows) for (const cell of row) delete cell.link;
}

/**
 * The columns that go beside a list, before their headers are made different from those that are there: the answers, how each entry was
 * understood if `form` asks for it, and the AHJ's id, by which a refresh recognizes the row. Without questions, the geoID stands there,
 * too. A table of its own may be sorted without the list, so its rows also name their AHJ.
 */
export function listColumns(types: readonly ColumnType[], form: TableForm, isApart = false): PlannedColumn[] {
  const fields: string[] = [
    ...(isApart ? ["name", "state_code"] : []),
    ...(types.length === 0 ? ["geoid"] : []),
    "id",
  ];
  const columns = columnsOf(types, { ...form, layout: "wide" }).filter(
    ({ content }) => content.of !== "ahj" || fields.includes(content.field),
  );
  const { header } = entryColumns.certainty;
  const content: ColumnContent = { of: "list", field: "certainty" };
  return form.hasCertainty ? withNewColumns(columns, [{ header, content }]) : columns;
}

/** The subject of a table's row: an AHJ, and in a long table also a type. */
export interface TableRow {
  ahj: RowAhj;
  type: ColumnType | null;
}

/** The rows of the table, in its order. */
export function tableRows(answered: TableAnswers, layout: TableForm["layout"]): TableRow[] {
  const { ahjs, types } = answered;
  if (layout === "wide") return ahjs.map((ahj) => ({ ahj, type: null }));
  const valueOf = valueReader(answered);
  return ahjs.flatMap((ahj) =>
    types.flatMap((type) => (valueOf(ahj.id, type.id) === null ? [] : [{ ahj, type }])),
  );
}

/** The jurisdiction's name comes first, because people look for it. The ids, by which a refresh tells rows apart, come last. */
function columnsOf(types: readonly ColumnType[], form: TableForm): PlannedColumn[] {
  const parts = partsShown(form);
  const answers = (typeId: number | null, headerOf: (part: PartOfAnswer) => string) =>
    parts.map((part): PlannedColumn => ({ header: headerOf(part), content: { of: "answer", part, typeId } }));
  const ofAhj = keysOf(ahjColumns).map((field): PlannedColumn => ({
    header: ahjColumns[field].header,
    content: { of: "ahj", field },
  }));
  const ofType = keysOf(typeColumns).map((field): PlannedColumn => ({
    header: typeColumns[field].header,
    content: { of: "type", field },
  }));
  const columns =
    form.layout === "long"
      ? [...ofAhj, ...ofType, ...answers(null, (part) => answerParts[part].header)]
      : [
          ...ofAhj,
          ...types.flatMap(({ id, name }) =>
            answers(id, (part) => (part === "value" ? name : `${name}: ${answerParts[part].header}`)),
          ),
        ];
  return [...columns.filter((column) => !hasIds(column)), ...columns.filter(hasIds)];
}

/** The columns with new ones. New columns come after the last one that holds no ids, as `TableEdit.newColumns` do in the sheet. */
export function withNewColumns(
  columns: readonly PlannedColumn[],
  added: readonly PlannedColumn[],
): PlannedColumn[] {
  const isOther = columns.map((column) => !hasIds(column));
  const place = isOther.lastIndexOf(true) + 1;
  return [...columns.slice(0, place), ...added, ...columns.slice(place)];
}

/** True if a column holds the ids by which rows are recognized. */
export function hasIds({ content }: Pick<PlannedColumn, "content">): boolean {
  return content.of !== "answer" && content.field === "id";
}

/** The way from a table's rows to the cells of a column. */
interface ColumnReader {
  cellOf(row: TableRow): FormattedCell;
  /** Called after all cells are made. Gives the cells their common format, and returns the column with a header that names their unit. */
  settle?(column: PlannedColumn): PlannedColumn;
}

function columnReader(
  content: ColumnContent,
  answered: Omit<TableAnswers, "ahjs">,
  form: TableForm,
): ColumnReader {
  const type =
    content.of === "answer" && content.part === "value" && content.typeId !== null
      ? answered.types.find(({ id }) => id === content.typeId)
      : undefined;
  if (!type) return { cellOf: cellReader(content, answered, form) };
  const values = createValueColumn(type.unit_of_measure);
  const cellFor = sharedCells((text) => values.cell(text));
  const valueOf = valueReader(answered);
  return {
    cellOf({ ahj }) {
      const value = valueOf(ahj.id, type.id);
      if (value !== null) return cellFor(value);
      return form.hasDashes && answered.of(ahj.id, type.id) === null
        ? cellOfNoValue("value", form)
        : blankCell;
    },
    settle: (column) => withLook(column, type, values.settle()),
  };
}

/** A column of values with their common format, and with their unit in its header. */
export function withLook(
  column: PlannedColumn,
  { unit_of_measure }: ColumnType,
  { numberFormat, hasOneUnit }: ColumnLook,
): PlannedColumn {
  const label = hasOneUnit ? unitLabel(unit_of_measure) : null;
  const header = label === null ? column.header : headerWithUnit(column.header, label);
  return { ...column, header, ...(numberFormat !== undefined && { numberFormat }) };
}

/** The header with its unit, unless the name already ends with the unit. A name that is too long is cut, so that the unit stays. */
function headerWithUnit(name: string, label: string): string {
  const unit = ` (${label})`;
  const saysUnit = name.toLowerCase().endsWith(unit.toLowerCase());
  if (saysUnit && name.length <= mostHeaderCharacters) return name;
  return cellText(name).slice(0, mostHeaderCharacters - unit.length) + unit;
}

/** Returns a function that makes the cells of a column from their rows. Each cell has the format of its own answer. */
export function cellReader(
  content: ColumnContent,
  { types, of }: Pick<TableAnswers, "types" | "of">,
  form: TableForm,
): (row: TableRow) => FormattedCell {
  if (content.of === "ahj") {
    const { cell } = ahjColumns[content.field];
    return ({ ahj }) => cell(ahj);
  }
  if (content.of === "type") {
    const { cell } = typeColumns[content.field];
    return ({ type }) => (type ? cell(type) : blankCell);
  }
  // Only the list's own rows tell how an entry was understood.
  if (content.of === "list") return () => blankCell;
  const { part, typeId } = content;
  const cellOf = createCellOf(part, form);
  const ofColumn = types.find(({ id }) => id === typeId);
  return ({ ahj, type = null }) => {
    const asked = ofColumn ?? type;
    return asked ? cellOf(of(ahj.id, asked.id), asked) : blankCell;
  };
}

/** The most different texts of a column whose cells are kept to be shared. */
const mostAlike = 1_000;

/**
 * Returns a function that makes cells from texts. Equal texts share their cell, because answers repeat: this saves memory and reads each
 * text once.
 */
function sharedCells(make: (text: string) => FormattedCell): (text: string) => FormattedCell {
  let known = new Map<string, FormattedCell>();
  return (text) => {
    if (known.size > mostAlike) known = new Map();
    let alike = known.get(text);
    if (!alike) known.set(text, (alike = make(text)));
    return alike;
  };
}

function createCellOf(part: PartOfAnswer, form: TableForm) {
  const { cell } = answerParts[part];
  const noValue = cellOfNoValue(part, form);
  const byFormat = new Map<string | null | undefined, Map<string, (text: string) => FormattedCell>>();
  return (
    answer: Known | null | undefined,
    type: ColumnType,
    numberFormat?: string | null,
  ): FormattedCell => {
    if (answer === null) return noValue;
    const text = answer?.[part] ?? null;
    if (text === null) return blankCell;
    let byUnit = byFormat.get(numberFormat);
    if (!byUnit) byFormat.set(numberFormat, (byUnit = new Map()));
    let cellFor = byUnit.get(type.unit_of_measure);
    if (!cellFor) {
      cellFor = sharedCells((each) => cell(each, type.unit_of_measure, numberFormat));
      byUnit.set(type.unit_of_measure, cellFor);
    }
    return cellFor(text);
  };
}

export type AnswerCells = ReturnType<typeof createAnswerCells>;

/**
 * Returns a function that makes the cells of many answers as `answerCell` does. Equal texts share their cell. If the answer is null, no
 * value is recorded, and the cell is as the form wants it.
 */
export function createAnswerCells(form: TableForm) {
  const byPart = new Map(answerPartNames.map((part) => [part, createCellOf(part, form)]));
  return (
    part: PartOfAnswer,
    answer: Known | null | undefined,
    type: ColumnType,
    numberFormat?: string | null,
  ): FormattedCell => byPart.get(part)?.(answer, type, numberFormat) ?? blankCell;
}

/** A part of an answer as its column shows it, in the column's number format if it has one. */
export function answerCell(
  part: PartOfAnswer,
  answer: Known,
  type: ColumnType,
  numberFormat?: string | null,
): FormattedCell {
  const text = answer[part];
  return text === null ? blankCell : answerParts[part].cell(text, type.unit_of_measure, numberFormat);
}

export interface TableSize {
  /** The number of rows, header row included. */
  rows: number;
  columns: number;
}

/** The largest possible size of a table: a long one has rows only for answers with a value. */
export function tableSize(ahjs: number, types: readonly ColumnType[], form: TableForm): TableSize {
  const rows = form.layout === "wide" ? ahjs : ahjs * types.length;
  return { rows: rows + 1, columns: columnsOf(types, form).length };
}

export function fitsSheet({ rows, columns }: TableSize): boolean {
  return rows <= config.sheetRows && columns <= config.sheetColumns;
}

const headerCharacters = 255;
/** The longest header, with room for the number of a header that stands there twice. */
const mostHeaderCharacters = headerCharacters - 10;

/**
 * Makes headers unique. Excel compares a table's headers without case, and accepts no empty one. `others` are headers that are taken
 * already.
 */
export function uniqueHeaders(
  columns: readonly PlannedColumn[],
  others: readonly string[] = [],
): PlannedColumn[] {
  const taken = new Set(others.map((header) => header.toLowerCase()));
  /** The highest number that each repeated header has got so far. */
  const numbers = new Map<string, number>();
  return columns.map(({ header: wanted, ...column }) => {
    const base =
      cellText(wanted)
        .slice(0, mostHeaderCharacters)
        .replace(/[\ud800-\udbff]$/, "") || "Column";
    let header = base;
    let number = numbers.get(base) ?? 1;
    while (taken.has(header.toLowerCase())) header = `${base} (${(number += 1)})`;
    numbers.set(base, number);
    taken.add(header.toLowerCase());
    return { header, ...column };
  });
}

/**
 * Groups rows so that each piece stays below `maxBytes` when Excel sends it on as JSON. If each cell is a step of its own, `stepBytes` tells
 * what a step takes besides the content. `answered` tells for a row what Excel answers when it is written; that stays below `maxBytes`, too.
 */
export function writePieces<Row extends readonly FormattedCell[]>(
  rows: readonly Row[],
  maxBytes: number,
  stepBytes = 0,
  answered = (_index: number) => 0,
): { start: number; rows: Row[] }[] {
  const pieces: { start: number; rows: Row[] }[] = [];
  let [bytes, bytesAnswered] = [Infinity, 0];
  rows.forEach((row, index) => {
    const rowBytes = row.reduce((sum, cell) => sum + cellBytes(cell) + stepBytes, 0);
    bytes += rowBytes;
    bytesAnswered += answered(index);
    if (bytes > maxBytes || bytesAnswered > maxBytes) {
      pieces.push({ start: index, rows: [] });
      [bytes, bytesAnswered] = [rowBytes, answered(index)];
    }
    pieces.at(-1)?.rows.push(row);
  });
  return pieces;
}

/** An upper bound of a cell's size: three bytes for a character in UTF-8, plus the format, quotes and commas, and the link. */
function cellBytes({
  value,
  numberFormat,
  documentReference,
  link = documentReference,
}: FormattedCell): number {
  const valueBytes = typeof value === "string" ? value.length * 3 : 20;
  return (
    valueBytes +
    numberFormat.length +
    10 +
    (link === undefined ? 0 : valueBytes + link.length * 3 + linkBytes)
  );
}

/** The bytes that go with each link: the path to its cell, and the change itself. */
const linkBytes = 500;
