import type { RefreshReport } from "../../src/workbook/imports/refresh/plan-refresh";
import type { ImportReport } from "../../src/workbook/imports/run/import-types";
import { parseImportXml, type SavedImport } from "../../src/workbook/imports/saved/saved-import";
import type { PartOfAnswer } from "../../src/workbook/sheet/layout/answer-parts";
import type { CellValue, Rect, Spreadsheet } from "../../workbench/spreadsheet";
import { isIn, placeOf } from "./grid";
import { Lie, type Oracle, type Span } from "./oracle";
import type { Answer, World, WorldType } from "./world";

/** The content of an import's column, as of the time when it was written. */
export type Column =
  | { of: "ahj"; field: "id" | "name" | "type" | "state_code" | "geoid" }
  | { of: "type"; field: "id" | "name" | "unit" }
  | { of: "answer"; part: PartOfAnswer; type: WorldType | null };

/** An import in the workbook, as its user knows it. */
export interface Import {
  tableId: string;
  isLong: boolean;
  isCollection: boolean;
  /** The text that stands for a value that is not recorded. */
  noValue: "" | "–";
  /** True if it was read with the dates of its answers: such a list does not tell a jurisdiction without values from an unknown one. */
  isDated: boolean;
  columns: { header: string; column: Column }[];
}

/** A row of a table, as it stands. */
interface Row {
  at: number;
  ahjId: number | null;
  typeId: number | null;
  cell(header: string): CellValue | undefined;
}

const partHeaders: Record<Exclude<PartOfAnswer, "value">, string> = {
  ...{ reference: "Reference", section: "Section", updatedAt: "Updated" },
};

const ahjFields = ["name", "state_code", "type", "geoid"] as const;
const typeFields = ["name", "unit"] as const;

/** True if this header fits a column of the type's values: its name, the common unit of its amounts, and a number if it came twice. */
function isHeadedBy({ name, unit_of_measure }: WorldType, header: string): boolean {
  const withUnit = `${name} (${unit_of_measure.replace(/^USD/, "$")})`;
  return [name, withUnit].includes(header.replace(/ \(\d+\)$/, ""));
}

/** The contents of a new table's columns, as the headers say. */
export function columnsOf(
  headers: string[],
  {
    isLong,
    hasCitations,
    hasDates,
    types,
  }: {
    isLong: boolean;
    hasCitations: boolean;
    hasDates: boolean;
    /** The types of the value columns, in their order; a long table has one column for all. */
    types: readonly WorldType[];
  },
): Import["columns"] {
  const parts: PartOfAnswer[] = ["value"];
  if (hasCitations) parts.push("reference", "section");
  if (hasDates) parts.push("updatedAt");
  const rest: Column[] = [];
  for (const type of isLong ? [null] : types)
    rest.push(...parts.map((part): Column => ({ of: "answer", part, type })));
  const columns: Column[] = [
    ...ahjFields.map((field): Column => ({ of: "ahj", field })),
    ...(isLong ? typeFields.map((field): Column => ({ of: "type", field })) : []),
    ...rest,
    { of: "ahj", field: "id" },
    ...(isLong ? [{ of: "type", field: "id" } as const] : []),
  ];
  if (columns.length !== headers.length) {
    throw new Lie(
      `a table of ${headers.length} columns where ${columns.length} were asked for: ${headers.join(", ")}`,
    );
  }
  const given = columns.map((column, place) => ({ header: headers[place] ?? "", column }));
  for (const { header, column } of given) {
    if (column.of !== "answer" || !column.type) continue;
    const { name } = column.type;
    const isNamed =
      column.part === "value"
        ? isHeadedBy(column.type, header)
        : header.replace(/ \(\d+\)$/, "") === `${name}: ${partHeaders[column.part]}`;
    if (!isNamed) throw new Lie(`the column of ${name} is headed ${header}`);
  }
  return given;
}

/** The workbook's record of the import with this table. */
export function rememberedOf(parts: Iterable<string>, tableId: string): SavedImport | undefined {
  for (const xml of parts) {
    const saved = parseImportXml(xml);
    if (saved?.tableId === tableId) return saved;
  }
  return undefined;
}

/**
 * The types of a collection's columns. Several types may share a name, so a header cannot tell: the import's record says which type each
 * column holds. Null if the workbook could not remember the import and several types share the name of a column.
 */
export function typesOfColumns(
  headers: readonly string[],
  saved: SavedImport | undefined,
  { types }: World,
): WorldType[] | null {
  if (saved && saved.columns.map(({ header }) => header).join("|") !== headers.join("|"))
    throw new Lie(`the workbook remembers other columns than ${headers.join(", ")}`);
  const typeIds = saved
    ? saved.columns.flatMap(({ content }) =>
        content.of === "answer" && content.part === "value" ? [content.typeId] : [],
      )
    : headers.slice(ahjFields.length, -1).flatMap((header) => {
        const ofName = types.filter((type) => isHeadedBy(type, header));
        return ofName.length > 1 ? [null] : ofName.map(({ id }) => id);
      });
  if (!saved && typeIds.includes(null)) return null;
  if (new Set(typeIds).size !== typeIds.length) throw new Lie("two columns hold the same");
  return typeIds.map((typeId) => {
    const type = types.find(({ id }) => id === typeId);
    if (!type) throw new Lie(`a column of type ${typeId}, which is no question`);
    return type;
  });
}

export function tableRect(spreadsheet: Spreadsheet, tableId: string): { sheetId: string; rect: Rect } {
  const table = spreadsheet.tables().find(({ id }) => id === tableId);
  if (!table) throw new Lie(`the table ${tableId} is gone`);
  return table;
}

export function readRows(
  spreadsheet: Spreadsheet,
  { tableId, columns }: Pick<Import, "tableId" | "columns">,
): { headers: string[]; rows: Row[] } {
  const { sheetId, rect } = tableRect(spreadsheet, tableId);
  const [header = [], ...body] = spreadsheet.read(sheetId, rect).map((row) => row.map(({ value }) => value));
  const headers = header.map(String);
  const headerOf = (of: "ahj" | "type") =>
    columns.find(({ column }) => column.of === of && column.field === "id")?.header ?? "";
  const rows = body.map((values, at): Row => {
    const cell = (name: string) => {
      const place = headers.indexOf(name);
      return place < 0 ? undefined : values[place];
    };
    return { at, ahjId: idIn(cell(headerOf("ahj"))), typeId: idIn(cell(headerOf("type"))), cell };
  });
  return { headers, rows };
}

function idIn(cell: CellValue | undefined): number | null {
  const id = typeof cell === "number" || (typeof cell === "string" && cell !== "") ? Number(cell) : NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

function partOf(answer: Answer | null, part: PartOfAnswer, noValue: Import["noValue"]): CellValue {
  if (answer === null) return part === "value" ? noValue : "";
  if (part === "value") return answer.published.imported;
  // Excel's number for the day in UTC.
  if (part === "updatedAt") return Math.floor(answer.updatedAtMs / 86_400_000) + 25_569;
  return answer[part] ?? "";
}

/**
 * True if a cell shows this part of an answer. A date may be missing: if an old answer replaces one that could not be read, or if a
 * matrix confirmed the answer for formulas meanwhile. test/workbook/imports/refresh/dated-tables.test.ts checks that dates come.
 */
function doesShow(
  cell: CellValue | undefined,
  answer: Answer | null,
  part: PartOfAnswer,
  { noValue }: Import,
): boolean {
  return cell === partOf(answer, part, noValue) || (part === "updatedAt" && cell === "");
}

/** True if a cell holds nothing, or what stands for a value that is not recorded. */
function isNothing(cell: CellValue | undefined, { noValue }: Import): boolean {
  return cell === "" || cell === noValue;
}

export interface CheckedTable {
  cells: number;
  /** The number of values that are older than the user wants. */
  old: number;
}

/** Checks a newly written table against the service's answers and against the report. */
export function checkImported(
  spreadsheet: Spreadsheet,
  made: Import,
  asked: {
    ahjIds: readonly number[];
    types: readonly WorldType[] | null;
    /** The types that a collection selects by itself. */
    selected: readonly WorldType[];
    unknownTypeIds: readonly number[];
  },
  report: ImportReport,
  { span, world, oracle }: { span: Span; world: World; oracle: Oracle },
): CheckedTable {
  const { rows } = readRows(spreadsheet, made);
  const checked = { cells: 0, old: 0 };
  const key = span.key ?? "";
  const there = new Set(rows.map(({ ahjId }) => ahjId));
  const leftOut = new Set(report.leftOut.map(({ ahj }) => ahj.id));
  const notRead = new Set(report.notRead.map(({ id }) => id));
  const blank = new Set(
    report.withoutValue.flatMap(({ type, ahjs }) => ahjs.map(({ id }) => `${id} ${type.id}`)),
  );
  for (const { ahj, kind } of report.leftOut) {
    const isKnown = world.ahjs.some(({ id }) => id === ahj.id);
    // A request that is refused as a whole may name an AHJ that nobody knows.
    const isTrue =
      kind === "unknown-jurisdiction" ? !isKnown : !isKnown || oracle.mayBeDenied(key, ahj.id, span);
    if (!isTrue) throw new Lie(`AHJ ${ahj.id} was left out as ${kind}`);
  }
  const granted = asked.ahjIds.filter((id) => !leftOut.has(id) && !notRead.has(id));
  if (!made.isLong) {
    const order = rows.map(({ ahjId }) => ahjId).join();
    if (order !== granted.join())
      throw new Lie(`the rows are ${order}, asked and not reported were ${granted.join()}`);
  } else {
    for (const id of there)
      if (id === null || !granted.includes(id))
        throw new Lie(`a row of ${String(id)}, which was not asked for`);
    const valued = new Set(rows.map(({ ahjId, typeId }) => `${ahjId} ${typeId}`));
    if (valued.size !== rows.length) throw new Lie("a value has two rows");
    for (const id of granted) {
      for (const type of asked.types ?? []) {
        if (asked.unknownTypeIds.includes(type.id)) continue;
        if (!valued.has(`${id} ${type.id}`) && !blank.has(`${id} ${type.id}`)) {
          throw new Lie(`neither table nor report speaks of AHJ ${id} and type ${type.id}`);
        }
      }
    }
  }
  // A value that the service counted but did not send may be missing.
  for (const type of report.missingValues > 0 ? [] : asked.selected) {
    const header = made.columns.find(
      ({ column }) =>
        column.of === "answer" && column.part === "value" && (column.type === null || column.type === type),
    )?.header;
    for (const id of granted) {
      const wasSaid = (isBlank: boolean) =>
        oracle.verdict([id], [type.id], { ...span, ageMs: 0 }, (answer) => (answer === null) === isBlank) ===
        "fresh";
      const row = rows.find((each) => each.ahjId === id && (!made.isLong || each.typeId === type.id));
      const isThere = header !== undefined && row !== undefined && !isNothing(row.cell(header), made);
      if (!isThere && wasSaid(false) && !wasSaid(true))
        throw new Lie(`what was said of AHJ ${id} and type ${type.id} is not in the table`);
    }
  }
  let values = 0;
  for (const row of rows) {
    checkWho(row, made, world);
    const isKnown = world.ahjs.some(({ id }) => id === row.ahjId);
    if (isKnown && !oracle.mayBeEntitled(key, row.ahjId ?? 0, span)) {
      throw new Lie(`a row for AHJ ${row.ahjId}, which is outside of the subscription`);
    }
    const ofRow = made.columns.flatMap(({ header, column }) =>
      column.of === "answer" ? [{ header, column }] : [],
    );
    for (const type of new Set(
      ofRow.map(({ column }) => column.type ?? world.types.find(({ id }) => id === row.typeId)),
    )) {
      if (!type || row.ahjId === null) throw new Lie(`the row ${row.at} says nothing of what it is about`);
      const cells = ofRow.filter(({ column }) => (column.type ?? type) === type);
      const isUnknown = asked.unknownTypeIds.includes(type.id);
      const shows = (answer: Answer | null) =>
        cells.every(({ header, column }) => doesShow(row.cell(header), answer, column.part, made));
      checked.cells += cells.length;
      const verdict = oracle.verdict([row.ahjId], [type.id], span, shows);
      const isBlank = cells.every(({ header }) => row.cell(header) === "");
      const hasNone = cells.every(({ header }) => isNothing(row.cell(header), made));
      const isOfEmptyRow = made.isDated && ofRow.every(({ header }) => row.cell(header) === "");
      const isExcused =
        (isBlank && (isUnknown || isOfEmptyRow)) || (hasNone && (made.isCollection || !isKnown));
      if (verdict !== "fresh" && isExcused) {
        // The collection perhaps does not select the type; and a list of values has none for an AHJ that nobody knows.
      } else if (verdict === "never") {
        const shown = cells.map(({ header }) => JSON.stringify(row.cell(header))).join(", ");
        throw new Lie(
          `the service never said ${shown} of AHJ ${row.ahjId} and type ${type.id} (${type.unit_of_measure}) but ${oracle.words(span.key, row.ahjId, type.id)}`,
        );
      } else if (verdict === "old") {
        if (!oracle.isTroubled(span))
          throw new Lie(`AHJ ${row.ahjId} and type ${type.id}: too old, and the service could be asked`);
        checked.old += 1;
      }
      if (!hasNone) values += 1;
      if (hasNone && !isUnknown && !blank.has(`${row.ahjId} ${type.id}`)) {
        throw new Lie(
          `the report keeps quiet about the blank of AHJ ${row.ahjId} and type ${type.id}, of which was said ${oracle.words(span.key, row.ahjId, type.id)} ${JSON.stringify(report)}`,
        );
      }
    }
  }
  if (report.values !== values) throw new Lie(`the report counts ${report.values} values of ${values}`);
  if ((report.oldAnswers?.count ?? 0) < checked.old)
    throw new Lie(`${checked.old} old values, and the report tells of fewer`);
  for (const id of asked.unknownTypeIds) {
    if (granted.length > 0 && !report.unknownTypes.some((type) => type.id === id))
      throw new Lie(`the report keeps quiet about type ${id}`);
  }
  return checked;
}

function checkWho(row: Row, made: Import, world: World) {
  const ahj = world.ahjs.find(({ id }) => id === row.ahjId);
  const type = world.types.find(({ id }) => id === row.typeId);
  // An AHJ that the service never knew stands there as the user typed it.
  if (!ahj) return;
  for (const { header, column } of made.columns) {
    if (column.of === "answer") continue;
    const says =
      column.of === "ahj"
        ? (ahj?.[column.field] ?? "")
        : column.field === "unit"
          ? type?.unit_of_measure
          : type?.[column.field];
    if (row.cell(header) !== says) {
      throw new Lie(
        `${header} of row ${row.at} is ${JSON.stringify(row.cell(header))}, not ${JSON.stringify(says)}`,
      );
    }
  }
}

/** Checks the sheet of sources against the service's answers: it has one row for each value, and no more. */
export function checkSources(
  spreadsheet: Spreadsheet,
  made: Import,
  sourcesAddress: string,
  { values, span, world, oracle }: { values: number; span: Span; world: World; oracle: Oracle },
): void {
  const sources = placeOf(spreadsheet, sourcesAddress);
  const [, ...rows] = spreadsheet
    .read(sources.sheetId, sources.rect)
    .map((row) => row.map(({ value }) => value));
  if (rows.length !== values) throw new Lie(`${rows.length} sources of ${values} values`);
  const table = tableRect(spreadsheet, made.tableId);
  const { headers, rows: tableRows } = readRows(spreadsheet, made);
  for (const [address = "", , question, text, reference, section, updated] of rows) {
    const { sheetId, rect } = placeOf(spreadsheet, String(address));
    const row = tableRows[rect.row - table.rect.row - 1];
    const header = headers[rect.column - table.rect.column] ?? "";
    const column = made.columns.find((each) => each.header === header)?.column;
    if (sheetId !== table.sheetId || !row || column?.of !== "answer" || column.part !== "value") {
      throw new Lie(`a source of ${String(address)}, where no value stands`);
    }
    const type = column.type ?? world.types.find(({ id }) => id === row.typeId);
    const verdict = oracle.verdict([row.ahjId ?? 0], [type?.id ?? 0], span, (answer) => {
      if (!answer || type?.name !== question) return false;
      const isSame =
        answer.published.text === text &&
        (answer.reference ?? "") === reference &&
        (answer.section ?? "") === section;
      const day = 25_569 + answer.updatedAtMs / 86_400_000;
      const isDated = updated === "" || Math.abs(Number(updated) - day) < 1e-6;
      return isSame && isDated && row.cell(header) === answer.published.imported;
    });
    if (verdict === "never")
      throw new Lie(
        `the source of ${String(address)} is not ${JSON.stringify([text, reference, section, updated])}`,
      );
  }
}

/** A table before a refresh, to compare it with afterwards. */
export interface TableBefore {
  rows: Row[];
  headers: string[];
  tables: Rect;
}

export function tableBefore(spreadsheet: Spreadsheet, made: Import): TableBefore {
  return { ...readRows(spreadsheet, made), tables: tableRect(spreadsheet, made.tableId).rect };
}

/** The texts that the user has typed into a table's cells. */
export interface TypedCells {
  /** True if the user ever typed into a cell, by `answerCellName`. */
  wasTyped(name: string): boolean;
  /** The text that the user typed into a cell after the add-in's last write there, if it differs from the add-in's. */
  textOf(name: string): CellValue | undefined;
  /** True if Excel has refused requests: the workbook may have lost its record of written cells. */
  mayBeForgotten: boolean;
}

/** The texts by which the service describes an AHJ. */
function ahjTexts({ ahjs }: World, ahjId: number): unknown[] {
  return Object.values(ahjs.find(({ id }) => id === ahjId) ?? {});
}

export const answerCellName = (ahjId: number, typeId: number | undefined, part: string) =>
  `${ahjId} ${typeId} ${part}`;

/**
 * Checks a refreshed table against the service's answers meanwhile. `hasEdits`: the user wrote into tables meanwhile, so it is not known
 * whose text a cell holds. `hasMoves`: the user deleted or sorted rows.
 */
export function checkRefreshed(
  spreadsheet: Spreadsheet,
  made: Import,
  before: TableBefore,
  { report, types }: { report: RefreshReport; types: readonly { id: number }[] },
  {
    span,
    world,
    oracle,
    hasEdits,
    hasMoves,
    typed,
  }: { span: Span; world: World; oracle: Oracle; hasEdits: boolean; hasMoves: boolean; typed: TypedCells },
): CheckedTable {
  const { rows, headers } = readRows(spreadsheet, made);
  const checked = { cells: 0, old: 0 };
  const key = span.key ?? "";
  const kept = new Map(report.notRefreshed.map((each) => [each.ahjId, each]));
  const unknown = new Set(report.unknownTypes.map(({ id }) => id));
  for (const { ahjId, kind } of kept.values()) {
    const isKnown = world.ahjs.some(({ id }) => id === ahjId);
    const isTrue = kind === "unknown-jurisdiction" ? !isKnown : oracle.mayBeDenied(key, ahjId, span);
    if (!isTrue) throw new Lie(`AHJ ${ahjId} was not refreshed as ${kind}`);
  }
  for (const id of unknown) {
    if (!made.isCollection && world.types.some((type) => type.id === id))
      throw new Lie(`type ${id} is called unknown`);
  }
  const ids = new Set<number>(types.map(({ id }) => id));
  const was = new Map<string, Row[]>();
  for (const row of before.rows) {
    const name = `${row.ahjId} ${row.typeId}`;
    was.set(name, [...(was.get(name) ?? []), row]);
  }
  const changed = new Map<string, RefreshReport["changes"][number]>();
  for (const change of report.changes) {
    const { ahj, type, after } = change;
    if (type) changed.set(`${ahj.id} ${type.id}`, change);
    else if (!ahjTexts(world, ahj.id).includes(after?.value ?? null))
      throw new Lie(`AHJ ${ahj.id} is called ${after?.value}`);
  }
  const edited = new Set(report.edited.map(({ ahj, type, part }) => answerCellName(ahj.id, type?.id, part)));
  for (const name of edited) {
    if (!typed.wasTyped(name)) throw new Lie(`the add-in takes its own cell for the user's: ${name}`);
  }
  if (report.unsure.length > 0 && !typed.mayBeForgotten && !hasEdits)
    throw new Lie(`nobody knows who wrote the cell of AHJ ${report.unsure[0]?.ahj.id}`);
  const replaced = new Set(report.unsure.map(({ ahj, type }) => `${ahj.id} ${type?.id}`));
  const told = new Set<string>();
  for (const row of rows) {
    if (row.ahjId === null || (made.isLong && row.typeId === null)) continue;
    const [former] = was.get(`${row.ahjId} ${row.typeId}`) ?? [];
    const isDouble = (was.get(`${row.ahjId} ${row.typeId}`) ?? []).length > 1;
    const ofRow = made.columns.flatMap(({ header, column }) =>
      column.of === "answer" && headers.includes(header) ? [{ header, column }] : [],
    );
    for (const type of new Set(
      ofRow.map(({ column }) => column.type ?? world.types.find(({ id }) => id === row.typeId)),
    )) {
      if (!type || !ids.has(type.id)) continue;
      const cells = ofRow.filter(({ column }) => (column.type ?? type) === type);
      const now = cells.map(({ header }) => row.cell(header));
      const then = former && cells.map(({ header }) => former.cell(header));
      checked.cells += cells.length;
      if (hasEdits && then && now.join("|") === then.join("|")) continue;
      if (hasEdits || isDouble) continue;
      const isKept = kept.has(row.ahjId) || unknown.has(type.id);
      if (isKept) {
        if (then && now.join("|") !== then.join("|"))
          throw new Lie(`AHJ ${row.ahjId} was not refreshed, and changed`);
        continue;
      }
      const names = cells.map(({ column }) => answerCellName(row.ahjId ?? 0, type.id, column.part));
      names.forEach((name, index) => {
        const wasThere = then?.[index];
        // A blank cell gets its dash, even if the user had cleared the one before: both say that there is no value.
        if (now[index] === wasThere || (wasThere === "" && now[index] === made.noValue)) return;
        if (edited.has(name)) throw new Lie(`the edited cell ${name} was written`);
        if (wasThere !== undefined && typed.textOf(name) === wasThere && !typed.mayBeForgotten)
          throw new Lie(`what the user typed into ${name} was overwritten: ${JSON.stringify(wasThere)}`);
      });
      const isEdited = (index: number) => edited.has(names[index] ?? "");
      const verdict = oracle.verdict([row.ahjId], [type.id], span, (answer) =>
        cells.every(
          ({ column }, index) => isEdited(index) || doesShow(now[index], answer, column.part, made),
        ),
      );
      const hasNone = now.every((cell, index) => isEdited(index) || isNothing(cell, made));
      if (verdict !== "fresh" && !(hasNone && made.isCollection)) {
        throw new Lie(
          `after a refresh the service did not say ${JSON.stringify(now)} of AHJ ${row.ahjId} and type ${type.id}`,
        );
      }
      const value = cells.findIndex(({ column }) => column.part === "value");
      const change = changed.get(`${row.ahjId} ${type.id}`);
      told.add(`${row.ahjId} ${type.id}`);
      if (value < 0) continue;
      const hadNone = then?.[value] === "" && now[value] === made.noValue;
      if (
        then &&
        now[value] !== then[value] &&
        !hadNone &&
        !change &&
        !replaced.has(`${row.ahjId} ${type.id}`)
      ) {
        throw new Lie(
          `${JSON.stringify(then[value])} became ${JSON.stringify(now[value])} of AHJ ${row.ahjId} and type ${type.id} without a word`,
        );
      }
      if (change && then && now[value] === then[value]) mustHaveChanged(change);
      if (change) mustSayNow(change);
    }
  }
  if (!hasEdits && !hasMoves) {
    for (const name of changed.keys())
      if (!told.has(name)) throw new Lie(`a change is reported of ${name}, which is not there`);
    const own = before.rows.filter(
      ({ ahjId, typeId }) => ahjId === null || (made.isLong && typeId === null),
    ).length;
    if (report.ownRows !== own)
      throw new Lie(`${own} rows are the user's own, the report says ${report.ownRows}`);
    const missing = made.columns
      .filter(({ header }) => !headers.includes(header))
      .map(({ header }) => header);
    if (missing.join() !== report.missingColumns.join())
      throw new Lie(`missing are ${missing.join()}, not ${report.missingColumns.join()}`);
    if (report.newRows !== rows.length - before.rows.length)
      throw new Lie(`the report tells of ${report.newRows} new rows`);
  }
  return checked;

  function mustSayNow({ ahj, type, after }: RefreshReport["changes"][number]) {
    const verdict = oracle.verdict([ahj.id], [type?.id ?? 0], span, (answer) =>
      after === null
        ? answer === null
        : answer !== null &&
          answer.published.text === after.value &&
          answer.reference === after.reference &&
          answer.section === after.section,
    );
    if (verdict !== "fresh" && !(after === null && made.isCollection)) {
      throw new Lie(`a change to ${JSON.stringify(after)}, which the service did not say`);
    }
  }

  /** Checks that a listed change is one: if the cell is equal, its text or citation must differ. */
  function mustHaveChanged({ before: former, after }: RefreshReport["changes"][number]) {
    const isSame =
      former?.value === after?.value &&
      former?.reference === after?.reference &&
      former?.section === after?.section;
    if (isSame) throw new Lie(`a change is reported where there is none: ${JSON.stringify(after)}`);
  }
}

/** The cells that a refresh may write. */
export function answerCells(
  spreadsheet: Spreadsheet,
  made: Import,
  rowsBefore: number,
): (key: string) => boolean {
  const { sheetId, rect } = tableRect(spreadsheet, made.tableId);
  const headers = (spreadsheet.read(sheetId, { ...rect, rows: 1 })[0] ?? []).map(({ value }) =>
    String(value),
  );
  const own = new Set(
    headers.flatMap((header, place) =>
      made.columns.some((each) => each.header === header && each.column.of === "answer")
        ? [rect.column + place]
        : [],
    ),
  );
  return (key) => {
    const [sheet = "", row = "", column = ""] = key.split(" ");
    const isHere = sheet === sheetId && isIn(rect, Number(row), Number(column)) && Number(row) > rect.row;
    return isHere && (own.has(Number(column)) || Number(row) >= rect.row + rowsBefore);
  };
}
