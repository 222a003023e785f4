import { config } from "../../../config";
import { Failure } from "../../../errors";
import { blankCell, type Cell, cellText, importCell, textCell } from "../values/cell-value";

/** A whole table as it will stand in the sheet: rectangular, headers unique as Excel demands. */
export interface SheetTable {
  columns: { header: string }[];
  rows: Cell[][];
}

/** The table of an import. */
export interface TablePlan extends SheetTable {
  columns: PlannedColumn[];
}

export interface PlannedColumn {
  header: string;
  content: ColumnContent;
}

/** What a column tells: of its row's AHJ, of its row's type, or an answer (to its row's type where it names none). */
export type ColumnContent =
  | { of: "ahj"; field: keyof typeof ahjColumns }
  | { of: "type"; field: keyof typeof typeColumns }
  | { of: "answer"; part: keyof typeof answerColumns; typeId: number | null };

/** How a table shows what was answered. */
export interface TableForm {
  /** A row for each AHJ, or one for each value. */
  layout: "wide" | "long";
  /** Reference and section beside each value. */
  hasCitations: boolean;
  /** Or in a note on its cell. */
  hasNotes?: boolean | null | undefined;
}

export const plainForm: TableForm = { layout: "wide", hasCitations: false };

/** What a row says of its AHJ. */
export interface RowAhj {
  id: number;
  name: string;
  type: string;
  state_code: string;
  geoid: string | null;
}

export interface ColumnType {
  id: number;
  name: string;
  unit_of_measure: string;
}

/** What a cell was published as. */
export interface Known {
  value: string;
  reference: string | null;
  section: string | null;
  /** ISO 8601, where the answer came with it. */
  updatedAt: string | null;
}

/** What the service published for one AHJ and type. */
export interface Published extends Known {
  /** When the service gave it. */
  fetchedAtMs: number;
}

/** What a table is made of. */
export interface Answered<Ahj extends RowAhj = RowAhj, Type extends ColumnType = ColumnType> {
  ahjs: readonly Ahj[];
  types: readonly Type[];
  /** Null where there is no value. */
  of(ahjId: number, typeId: number): Published | null;
}

const idCell = (id: number): Cell => ({ value: id, numberFormat: "0" });
const textOrBlank = (text: string | null): Cell => (text === null ? blankCell : textCell(text));

const ahjColumns = {
  id: { header: "AHJ ID", cell: (ahj: RowAhj) => idCell(ahj.id) },
  name: { header: "Name", cell: (ahj: RowAhj) => textCell(ahj.name) },
  type: { header: "Type", cell: (ahj: RowAhj) => textCell(ahj.type) },
  state_code: { header: "State", cell: (ahj: RowAhj) => textCell(ahj.state_code) },
  geoid: { header: "geoID", cell: (ahj: RowAhj) => textOrBlank(ahj.geoid) },
};

const typeColumns = {
  id: { header: "Type ID", cell: (type: ColumnType) => idCell(type.id) },
  name: { header: "Question", cell: (type: ColumnType) => textCell(type.name) },
  unit: { header: "Unit", cell: (type: ColumnType) => textCell(type.unit_of_measure) },
};

const answerColumns = {
  value: {
    header: "Value",
    cell: (answer: Known, type: ColumnType) => importCell(answer.value, type.unit_of_measure),
  },
  reference: { header: "Reference", cell: (answer: Known) => textOrBlank(answer.reference) },
  section: { header: "Section", cell: (answer: Known) => textOrBlank(answer.section) },
};

/** All contents that a column can have, for those who read them again (imports/saved/saved-import.ts). */
export const columnContents = {
  ahj: keysOf(ahjColumns),
  type: keysOf(typeColumns),
  answer: keysOf(answerColumns),
};

function keysOf<Content extends object>(columns: Content): (keyof Content)[] {
  return Object.keys(columns) as (keyof Content)[];
}

/** Whether a column, if it is said to hold ids, has the header that such a column is given. */
export function isIdHeader({ header, content }: PlannedColumn): boolean {
  if (content.of === "answer" || content.field !== "id") return true;
  const given = content.of === "ahj" ? ahjColumns.id.header : typeColumns.id.header;
  return new RegExp(`^${given}( \\(\\d+\\))?$`).test(header);
}

/**
 * The table of what was answered.
 * @throws Failure `too-large` where a sheet could not hold it.
 */
export function planTable(answered: Answered, form: TableForm): TablePlan {
  const { columns, rowsOf } = openTablePlan(answered, form);
  const { rows } = rowsOf(answered.ahjs);
  if (!fitsSheet({ rows: rows.length + 1, columns: columns.length })) throw new Failure("too-large");
  return { columns, rows };
}

/** The same for some AHJs after the others. `about` says what the rows are about. */
export function openTablePlan(
  answered: Pick<Answered, "types" | "of">,
  form: TableForm,
): {
  columns: PlannedColumn[];
  rowsOf(ahjs: readonly RowAhj[]): { rows: Cell[][]; about: TableRow[] };
} {
  const columns = columnsOf(answered.types, form);
  const readers = columns.map(({ content }) => cellReader(content, answered));
  return {
    columns: uniqueHeaders(columns),
    rowsOf(ahjs) {
      const about = tableRows({ ...answered, ahjs }, form.layout);
      return { rows: about.map((row) => readers.map((cellOf) => cellOf(row))), about };
    },
  };
}

/**
 * The columns that go beside a list: the AHJ's id, by which a refresh knows its row, and the answers.
 * `rows` are the AHJs of the list's rows, null where a row has none; `taken` are the headers that are there already.
 */
export function planColumns(
  answered: Answered,
  { form, rows, taken }: { form: TableForm; rows: readonly (RowAhj | null)[]; taken: readonly string[] },
): TablePlan {
  const columns = listColumns(answered.types, form);
  const readers = columns.map(({ content }) => cellReader(content, answered));
  return {
    columns: uniqueHeaders(columns, taken),
    rows: rows.map((ahj) => readers.map((cellOf) => (ahj ? cellOf({ ahj, type: null }) : blankCell))),
  };
}

/** The columns that go beside a list, before their headers are told from those that are there. */
export function listColumns(types: readonly ColumnType[], form: TableForm): PlannedColumn[] {
  return columnsOf(types, { ...form, layout: "wide" }).filter(
    ({ content }) => content.of !== "ahj" || content.field === "id",
  );
}

/** What a row of a table is about: an AHJ, and the type where the table is long. */
export interface TableRow {
  ahj: RowAhj;
  type: ColumnType | null;
}

/** The rows of the table, in its order. */
export function tableRows({ ahjs, types, of }: Answered, layout: TableForm["layout"]): TableRow[] {
  if (layout === "wide") return ahjs.map((ahj) => ({ ahj, type: null }));
  return ahjs.flatMap((ahj) =>
    types.flatMap((type) => (of(ahj.id, type.id) === null ? [] : [{ ahj, type }])),
  );
}

function columnsOf(types: readonly ColumnType[], { layout, hasCitations }: TableForm): PlannedColumn[] {
  const parts: (keyof typeof answerColumns)[] = hasCitations ? ["value", "reference", "section"] : ["value"];
  const answers = (typeId: number | null, headerOf: (part: keyof typeof answerColumns) => string) =>
    parts.map((part): PlannedColumn => ({ header: headerOf(part), content: { of: "answer", part, typeId } }));
  const ofAhj = fieldsOf(ahjColumns).map((field): PlannedColumn => ({
    header: ahjColumns[field].header,
    content: { of: "ahj", field },
  }));
  if (layout === "long") {
    const ofType = fieldsOf(typeColumns).map((field): PlannedColumn => ({
      header: typeColumns[field].header,
      content: { of: "type", field },
    }));
    return [...ofAhj, ...ofType, ...answers(null, (part) => answerColumns[part].header)];
  }
  return [
    ...ofAhj,
    ...types.flatMap(({ id, name }) =>
      answers(id, (part) => (part === "value" ? name : `${name}: ${answerColumns[part].header}`)),
    ),
  ];
}

function fieldsOf<Fields extends object>(fields: Fields): (keyof Fields)[] {
  return Object.keys(fields) as (keyof Fields)[];
}

/** How the cells of a column come from their rows. */
export function cellReader(
  content: ColumnContent,
  { types, of }: Pick<Answered, "types" | "of">,
): (row: TableRow) => Cell {
  if (content.of === "ahj") {
    const { cell } = ahjColumns[content.field];
    return ({ ahj }) => cell(ahj);
  }
  if (content.of === "type") {
    const { cell } = typeColumns[content.field];
    return ({ type }) => (type ? cell(type) : blankCell);
  }
  const { part, typeId } = content;
  const cellOf = createCellOf(part);
  const ofColumn = types.find(({ id }) => id === typeId);
  return ({ ahj, type = null }) => {
    const asked = ofColumn ?? type;
    const answer = asked && of(ahj.id, asked.id);
    return answer ? cellOf(answer, asked) : blankCell;
  };
}

/** Texts of a column whose cells are remembered. */
const mostAlike = 1_000;

/** Answers repeat: those with the same text share their cell, which takes no memory and is read once. */
function createCellOf(part: keyof typeof answerColumns): (answer: Known, type: ColumnType) => Cell {
  const { cell } = answerColumns[part];
  const byUnit = new Map<string, Map<string, Cell>>();
  return (answer, type) => {
    const text = answer[part];
    if (text === null) return blankCell;
    let known = byUnit.get(type.unit_of_measure);
    if (!known || known.size > mostAlike) byUnit.set(type.unit_of_measure, (known = new Map()));
    let alike = known.get(text);
    if (!alike) known.set(text, (alike = cell(answer, type)));
    return alike;
  };
}

/** As `answerCell`, for many answers: those with the same text share their cell. */
export function createAnswerCells(): typeof answerCell {
  const byPart = {
    value: createCellOf("value"),
    reference: createCellOf("reference"),
    section: createCellOf("section"),
  };
  return (part, answer, type) => (answer ? byPart[part](answer, type) : blankCell);
}

/** A part of an answer as its column shows it; blank where there is no answer. */
export function answerCell(part: keyof typeof answerColumns, answer: Known | null, type: ColumnType): Cell {
  return answer ? answerColumns[part].cell(answer, type) : blankCell;
}

export interface TableSize {
  /** With the header row. */
  rows: number;
  columns: number;
}

/** The size of a table, at most: a long one has rows only for what has a value. */
export function tableSize(ahjs: number, types: readonly ColumnType[], form: TableForm): TableSize {
  const rows = form.layout === "wide" ? ahjs : ahjs * types.length;
  return { rows: rows + 1, columns: columnsOf(types, form).length };
}

export function fitsSheet({ rows, columns }: TableSize): boolean {
  return rows <= config.sheetRows && columns <= config.sheetColumns;
}

const headerCharacters = 255;

/** Excel compares a table's headers without case, and takes none that is empty; `others` are taken already. */
export function uniqueHeaders(
  columns: readonly PlannedColumn[],
  others: readonly string[] = [],
): PlannedColumn[] {
  const taken = new Set(others.map((header) => header.toLowerCase()));
  /** Of those that are alike, the number of the last. */
  const numbers = new Map<string, number>();
  return columns.map(({ header: wanted, content }) => {
    const base =
      cellText(wanted)
        .slice(0, headerCharacters - 10)
        .replace(/[\ud800-\udbff]$/, "") || "Column";
    let header = base;
    let number = numbers.get(base) ?? 1;
    while (taken.has(header.toLowerCase())) header = `${base} (${(number += 1)})`;
    numbers.set(base, number);
    taken.add(header.toLowerCase());
    return { header, content };
  });
}

/** Groups rows so that each piece stays below `maxBytes` when Excel sends it on as JSON. */
export function writePieces(rows: readonly Cell[][], maxBytes: number): { start: number; rows: Cell[][] }[] {
  const pieces: { start: number; rows: Cell[][] }[] = [];
  let bytes = Infinity;
  rows.forEach((row, index) => {
    const rowBytes = row.reduce((sum, cell) => sum + cellBytes(cell), 0);
    if (bytes + rowBytes > maxBytes) {
      pieces.push({ start: index, rows: [] });
      bytes = 0;
    }
    pieces.at(-1)?.rows.push(row);
    bytes += rowBytes;
  });
  return pieces;
}

/** Up to three bytes a character in UTF-8, and as many again for quotes, escapes and commas. */
function cellBytes({ value, numberFormat, link }: Cell): number {
  const valueBytes = typeof value === "string" ? value.length * 3 : 20;
  return (
    valueBytes +
    numberFormat.length +
    10 +
    (link === undefined ? 0 : valueBytes + link.length * 3 + linkBytes)
  );
}

/** What goes with a link: the way to its cell, and the change. */
const linkBytes = 500;
