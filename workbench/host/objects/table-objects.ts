import { contains, intersect, MAX_COLUMNS, MAX_ROWS, parseAddress } from "../../address";
import { tableStyles } from "../../spreadsheet";
import type { CellValue, Rect, TableInfo } from "../../spreadsheet";
import { HostError, notModelled } from "../host-error";
import { ANY_SHEET } from "./object-events";
import { found, integer, mustNotBeProtected, text } from "./object-model";
import type { Classes, Model, Ref } from "./object-model";
import { rangeOf } from "./range-object";
import { body, columnNames, header, headersToTexts, nameColumns, nextName } from "./table-names";

const DEFAULT_STYLE = "TableStyleMedium2";

export const tableClasses: Classes<
  "TableCollection" | "Table" | "TableRowCollection" | "TableColumnCollection" | "TableColumn" | "Filter"
> = {
  TableCollection({ sheetId, within, touching }, model) {
    const isInside = ({ rect }: TableInfo) => {
      const { row, column, rows, columns } = rect;
      if (touching) return intersect(touching, rect) !== null;
      if (!within) return true;
      return contains(within, row, column) && contains(within, row + rows - 1, column + columns - 1);
    };
    const tables = () =>
      model.spreadsheet
        .tables()
        .filter((table) => (sheetId ?? table.sheetId) === table.sheetId && isInside(table));
    return {
      items: () => tables().map(tableRef),
      item(key) {
        const wanted = text(key).toLowerCase();
        const table = tables().find(({ id, name }) => id === key || name.toLowerCase() === wanted);
        return table ? tableRef(table) : null;
      },
      objects: {
        Add(place, hasHeaders) {
          if (hasHeaders !== true) throw notModelled("TableCollection.Add without headers");
          const range = rangeOf(place, model, sheetId);
          // Excel's table has a body row even when only a header was given: a new one, for which all below moves down
          // (OfficeDev/office-js#1197).
          const area = { ...range.rect, rows: Math.max(range.rect.rows, 2) };
          const below = { ...range.rect, row: range.rect.row + 1 };
          if (range.rect.rows === 1 && model.spreadsheet.usedRect(range.sheetId, false, below))
            throw notModelled("TableCollection.Add of a header row above filled cells");
          mustNotBeProtected(range.sheetId, model);
          mayOccupy(range.sheetId, area, model);
          const name = nextName("Table", model.spreadsheet.tables());
          const wanted = { name, sheetId: range.sheetId, rect: area, style: DEFAULT_STYLE };
          const table = model.spreadsheet.addTable(wanted);
          nameColumns(table, model);
          headersToTexts(table, model);
          return tableRef(table);
        },
      },
      calls: model.events.calls("tables", sheetId ?? ANY_SHEET),
    };
  },

  Table({ tableId }, model) {
    const { spreadsheet } = model;
    const table = () => tableOf(tableId, model);
    const part = (cut: (rect: Rect) => Rect) => (): Ref<"Range"> => {
      const { sheetId, rect } = table();
      return { type: "Range", sheetId, rect: cut(rect) };
    };
    const whole = part((rect) => rect);
    return {
      id: tableId,
      properties: {
        Id: { get: () => tableId },
        Name: {
          get: () => table().name,
          set(wanted) {
            mayBeNamed(text(wanted), tableId, model);
            spreadsheet.updateTable(tableId, { name: text(wanted) });
          },
        },
        ShowHeaders: { get: () => !table().hidesHeaders },
        Style: {
          get: () => table().style,
          set(wanted) {
            mustNotBeProtected(table().sheetId, model);
            const style = tableStyles.find((name) => name === wanted);
            if (style === undefined) throw notModelled(`Table.Style ${String(wanted)}`);
            spreadsheet.updateTable(tableId, { style });
          },
        },
      },
      links: {
        Columns: () => ({ type: "TableColumnCollection", tableId }),
        Rows: () => ({ type: "TableRowCollection", tableId }),
        Worksheet: () => ({ type: "Worksheet", sheetId: table().sheetId }),
      },
      objects: {
        GetRange: whole,
        // Microsoft does not say what comes of a header row that is switched off: the harder reading.
        GetHeaderRowRange() {
          if (table().hidesHeaders) throw new HostError("InvalidOperation", "the header row is switched off");
          return part(header)();
        },
        GetDataBodyRange: part(body),
        ConvertToRange() {
          const range = whole();
          mustNotBeProtected(range.sheetId, model);
          spreadsheet.deleteTable(tableId);
          return range;
        },
      },
      calls: {
        ClearFilters() {
          mustNotBeProtected(table().sheetId, model);
          for (let column = 0; column < table().rect.columns; column += 1)
            spreadsheet.filterTable(tableId, column, null);
        },
        Delete() {
          const { sheetId, rect } = table();
          spreadsheet.deleteTable(tableId);
          spreadsheet.clear(sheetId, rect, { contents: true, formats: true });
        },
        Resize(place) {
          const before = table();
          mustNotBeProtected(before.sheetId, model);
          const { rect } = rangeOf(place, model, before.sheetId);
          if (rect.row !== before.rect.row || rect.rows < 2 || !intersect(rect, before.rect))
            throw new HostError("InvalidArgument", "the header row must stay where it is");
          mayOccupy(before.sheetId, rect, model, tableId);
          spreadsheet.updateTable(tableId, { rect });
          nameColumns({ ...before, rect }, model);
        },
      },
    };
  },

  TableRowCollection: ({ tableId }, model) => ({
    objects: {
      Add(index, values) {
        const { spreadsheet } = model;
        const { sheetId, rect } = tableOf(tableId, model);
        mustNotBeProtected(sheetId, model);
        const rows = values as (CellValue | null)[][];
        if ((index !== undefined && index !== null) || rows.some((row) => row.length !== rect.columns))
          throw notModelled("TableRowCollection.Add but of whole rows at the end");
        const added = { ...rect, row: rect.row + rect.rows, rows: rows.length };
        mayPushDown(tableId, added, model);
        mayOccupy(sheetId, added, model, tableId);
        if (spreadsheet.usedRect(sheetId, false, added))
          throw notModelled("TableRowCollection.Add above filled cells");
        spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows + rows.length } });
        // New rows look like the last one.
        const last = { ...rect, row: rect.row + rect.rows - 1, rows: 1 };
        rows.forEach((_row, down) =>
          spreadsheet.copy({ sheetId, rect: last }, { sheetId, row: added.row + down, column: rect.column }),
        );
        const copied = spreadsheet.read(sheetId, added);
        // Null leaves a calculated column its formula; a constant is not taken over.
        const filled = rows.map((row, down) =>
          row.map((value, across) => {
            const isFormula = String(copied[down]?.[across]?.formula ?? "").startsWith("=");
            return value ?? (isFormula ? null : "");
          }),
        );
        spreadsheet.writeFormulas(sheetId, added, filled);
        return { type: "Range", sheetId, rect: added };
      },
    },
  }),

  TableColumnCollection({ tableId }, model) {
    const names = () => columnNames(tableOf(tableId, model), model);
    const column = (index: number): Ref => ({ type: "TableColumn", tableId, index });
    return {
      items: () => names().map((_name, index) => column(index)),
      item(key) {
        const index = names().findIndex((name, at) => key === name || key === at + 1);
        return index < 0 ? null : column(index);
      },
      objects: {
        GetItemAt: (index) => column(integer(index)),
        Add(index, values, name) {
          const { sheetId, rect } = tableOf(tableId, model);
          mustNotBeProtected(sheetId, model);
          const { spreadsheet } = model;
          if (values !== undefined && values !== null)
            throw notModelled("TableColumnCollection.Add with values");
          const at = (index ?? -1) === -1 ? rect.columns : integer(index);
          const right = { ...rect, column: rect.column + rect.columns, columns: 1 };
          mayPushRight(tableId, right, model);
          mayOccupy(sheetId, right, model, tableId);
          if (spreadsheet.usedRect(sheetId, false, right))
            throw notModelled("TableColumnCollection.Add beside filled cells");
          spreadsheet.updateTable(tableId, { rect: { ...rect, columns: rect.columns + 1 } });
          moveColumns(tableId, at, 1, model);
          const added = { ...rect, column: rect.column + at, columns: 1 };
          spreadsheet.clear(sheetId, added, { contents: true, formats: true });
          const before = { ...added, column: added.column - 1 };
          if (at > 0) {
            // A new column looks like the one before it.
            spreadsheet.copy({ sheetId, rect: before }, { sheetId, row: rect.row, column: added.column });
            spreadsheet.clear(sheetId, added, { contents: true, formats: false });
          }
          spreadsheet.writeFormulas(sheetId, header(added), [[typeof name === "string" ? name : ""]]);
          nameColumns(tableOf(tableId, model), model);
          moveFilters(tableId, at, 1, model);
          return column(at);
        },
      },
    };
  },

  TableColumn: ({ tableId, index }, model) => ({
    id: index + 1,
    properties: { Name: { get: () => columnNames(tableOf(tableId, model), model)[index] } },
    links: { Filter: () => ({ type: "Filter", tableId, index }) },
    calls: {
      Delete() {
        const { sheetId, rect } = tableOf(tableId, model);
        mustNotBeProtected(sheetId, model);
        // A table has a column at least.
        if (rect.columns === 1) throw new HostError("InvalidOperation", "the last column");
        moveColumns(tableId, index + 1, -1, model);
        const last = { ...rect, column: rect.column + rect.columns - 1, columns: 1 };
        model.spreadsheet.clear(sheetId, last, { contents: true, formats: true });
        moveFilters(tableId, index + 1, -1, model);
        model.spreadsheet.updateTable(tableId, { rect: { ...rect, columns: rect.columns - 1 } });
      },
    },
    objects: {
      GetDataBodyRange() {
        const { sheetId, rect } = tableOf(tableId, model);
        return { type: "Range", sheetId, rect: { ...body(rect), column: rect.column + index, columns: 1 } };
      },
    },
  }),

  Filter({ tableId, index }, model) {
    const { spreadsheet } = model;
    const filter = (texts: string[] | null) => {
      mustNotBeProtected(tableOf(tableId, model).sheetId, model);
      spreadsheet.filterTable(tableId, index, texts);
    };
    return {
      properties: {
        Criteria: {
          get() {
            const values = spreadsheet.tableFilter(tableId, index);
            return values && { filterOn: "Values", values };
          },
        },
      },
      calls: {
        ApplyValuesFilter(values) {
          // `Excel.FilterDatetime` is not modelled.
          if (!Array.isArray(values) || !values.every((value) => typeof value === "string"))
            throw notModelled("Filter.ApplyValuesFilter but by texts");
          filter(values);
        },
        Clear: () => filter(null),
      },
    };
  },
};

function tableRef({ id }: TableInfo): Ref<"Table"> {
  return { type: "Table", tableId: id };
}

function tableOf(tableId: string, { spreadsheet }: Model): TableInfo {
  return found(spreadsheet.tables().find(({ id }) => id === tableId));
}

function mayBeNamed(name: string, tableId: string, { spreadsheet }: Model): void {
  const fits =
    /^[\p{L}_\\][\p{L}\p{N}_.\\]{0,254}$/u.test(name) && !parseAddress(name) && !/^[rc]$/i.test(name);
  if (!fits) throw new HostError("InvalidArgument", `table name ${name}`);
  const others = spreadsheet.tables().filter(({ id }) => id !== tableId);
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw new HostError("InvalidArgument", `a table ${name} exists already`);
}

function mayOccupy(sheetId: string, rect: Rect, { spreadsheet }: Model, tableId?: string): void {
  const others = spreadsheet.tables().filter((table) => table.id !== tableId && table.sheetId === sheetId);
  if (others.some((other) => intersect(other.rect, rect)))
    throw new HostError("InvalidArgument", "a table cannot overlap another table");
  if (spreadsheet.merged(sheetId).some((area) => intersect(area, rect)))
    throw notModelled("a table over merged cells");
}

/**
 * What new rows push down must not cut another table: InsertDeleteConflict
 * (application-specific-api-error-handling.md; OfficeDev/office-scripts-docs#654).
 */
function mayPushDown(tableId: string, added: Rect, model: Model): void {
  const { sheetId } = tableOf(tableId, model);
  const strip = { ...added, rows: MAX_ROWS - added.row };
  mustNotCut(
    tableId,
    sheetId,
    strip,
    model,
    (one) => one.column >= strip.column && one.column + one.columns <= strip.column + strip.columns,
  );
}

/** The same of new columns. */
function mayPushRight(tableId: string, added: Rect, model: Model): void {
  const { sheetId } = tableOf(tableId, model);
  const strip = { ...added, columns: MAX_COLUMNS - added.column };
  mustNotCut(
    tableId,
    sheetId,
    strip,
    model,
    (one) => one.row >= strip.row && one.row + one.rows <= strip.row + strip.rows,
  );
}

function mustNotCut(
  tableId: string,
  sheetId: string,
  strip: Rect,
  { spreadsheet }: Model,
  movesWhole: (rect: Rect) => boolean,
): void {
  const others = spreadsheet.tables().filter((one) => one.id !== tableId && one.sheetId === sheetId);
  if (others.some(({ rect }) => intersect(rect, strip) && !movesWhole(rect)))
    throw new HostError("InsertDeleteConflict", "it would move a part of another table");
}

/** Moves the columns from this one on, as far as the table goes then. */
function moveColumns(tableId: string, from: number, by: number, model: Model): void {
  const { sheetId, rect } = tableOf(tableId, model);
  const columns = rect.columns - from - Math.max(by, 0);
  if (columns <= 0) return;
  const moved = { ...rect, column: rect.column + from, columns };
  model.spreadsheet.copy({ sheetId, rect: moved }, { sheetId, row: rect.row, column: moved.column + by });
}

/** Filters go with their columns, of which those from this one on have moved. */
function moveFilters(tableId: string, from: number, by: 1 | -1, model: Model): void {
  const { spreadsheet } = model;
  const { columns } = tableOf(tableId, model).rect;
  const before = Array.from({ length: columns }, (_, column) => spreadsheet.tableFilter(tableId, column));
  if (before.every((texts) => texts === null)) return;
  const after =
    by > 0
      ? [...before.slice(0, from), null, ...before.slice(from, -1)]
      : [...before.slice(0, from - 1), ...before.slice(from), null];
  after.forEach((texts, column) => spreadsheet.filterTable(tableId, column, texts));
}
