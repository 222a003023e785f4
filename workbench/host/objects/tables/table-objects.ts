import { contains, intersect } from "../../../address";
import { tableStyles } from "../../../spreadsheet";
import type { Rect, TableInfo } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { isName } from "../named-items";
import { ANY_SHEET } from "../object-events";
import { kept, mustNotBeProtected, position, text, truth } from "../object-model";
import type { Classes, Model, Ref } from "../object-model";
import { moveRows, rangeOf } from "../range-object";
import { clearFilters, reapplyFilters } from "./table-filters";
import { body, columnNames, header, headersToTexts, nameColumns, nextName, totals } from "./table-names";
import { mustNotOverlap, partOf, tableOf } from "./table-place";

const DEFAULT_STYLE = "TableStyleMedium2";

export const tableClasses: Classes<"TableCollection" | "Table"> = {
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
      properties: { Count: { get: () => tables().length } },
      objects: {
        GetItemAt: (index) => tableRef(tables()[position(index, tables().length)]!),
        Add(place, hasHeaders) {
          let range = rangeOf(place, model, sheetId);
          mustNotBeProtected(range.sheetId, model);
          if (hasHeaders !== true) {
            // Excel makes a header and moves the data down by a row (TableCollection.add in @types/office-js).
            const withHeader = { ...range.rect, rows: range.rect.rows + 1 };
            mustNotOverlap(range.sheetId, withHeader, model);
            moveRows(range.sheetId, range.rect, { by: 1 }, model);
            range = { ...range, rect: withHeader };
          }
          // A table from a header alone gets a new body row, and all cells below move down (OfficeDev/office-js#1197).
          const area = { ...range.rect, rows: Math.max(range.rect.rows, 2) };
          mustNotOverlap(range.sheetId, range.rect, model);
          if (range.rect.rows === 1)
            moveRows(range.sheetId, { ...range.rect, row: range.rect.row + 1 }, { by: 1 }, model);
          const name = nextName("Table", model.spreadsheet.tables());
          const wanted = { name, sheetId: range.sheetId, rect: area, style: DEFAULT_STYLE };
          const table = model.spreadsheet.addTable(wanted);
          nameColumns(table, model);
          headersToTexts(table, model);
          return tableRef(table);
        },
      },
      calls: {
        GetCount: () => tables().length,
        ...model.events.calls("tables", sheetId ?? ANY_SHEET),
      },
    };
  },

  Table({ tableId }, model) {
    const { spreadsheet } = model;
    const table = () => tableOf(tableId, model);
    const part = (cut: (table: TableInfo) => Rect) => () => partOf(tableId, cut, model);
    const whole = part(({ rect }) => rect);
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
        ShowTotals: {
          get: () => table().showsTotals === true,
          set(isShown) {
            if (typeof isShown !== "boolean") throw new HostError("InvalidArgument", "true or false");
            mustNotBeProtected(table().sheetId, model);
            if (isShown !== (table().showsTotals === true)) showTotals(tableId, isShown, model);
          },
        },
        // The grid shows bands in every table, and no looks of single columns.
        ShowBandedRows: kept(model, tableId, "ShowBandedRows", { read: truth, initial: true }),
        ShowBandedColumns: kept(model, tableId, "ShowBandedColumns", { read: truth, initial: false }),
        ShowFilterButton: kept(model, tableId, "ShowFilterButton", { read: truth, initial: true }),
        HighlightFirstColumn: kept(model, tableId, "HighlightFirstColumn", { read: truth, initial: false }),
        HighlightLastColumn: kept(model, tableId, "HighlightLastColumn", { read: truth, initial: false }),
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
        Sort: () => ({ type: "TableSort", tableId }),
        AutoFilter: () => ({ type: "AutoFilter", tableId }),
      },
      objects: {
        GetRange: whole,
        // Microsoft does not document the range of a header row that is switched off: the strict assumption.
        GetHeaderRowRange() {
          if (table().hidesHeaders) throw new HostError("InvalidOperation", "the header row is switched off");
          return part(({ rect }) => header(rect))();
        },
        GetDataBodyRange: part(body),
        GetTotalRowRange: part(totals),
        ConvertToRange() {
          const range = whole();
          mustNotBeProtected(range.sheetId, model);
          spreadsheet.deleteTable(tableId);
          return range;
        },
      },
      calls: {
        ClearFilters: () => clearFilters(tableId, model),
        ReapplyFilters: () => reapplyFilters(tableId, model),
        ...model.events.calls("table", tableId),
        Delete() {
          const { sheetId, rect } = table();
          mustNotBeProtected(sheetId, model);
          spreadsheet.deleteTable(tableId);
          spreadsheet.clear(sheetId, rect, { contents: true, formats: true });
        },
        Resize(place) {
          const before = table();
          mustNotBeProtected(before.sheetId, model);
          // Microsoft does not document where the totals row goes: the strict assumption.
          if (before.showsTotals) throw new HostError("InvalidOperation", "the table has a totals row");
          const { rect } = rangeOf(place, model, before.sheetId);
          if (rect.row !== before.rect.row || rect.rows < 2 || !intersect(rect, before.rect))
            throw new HostError("InvalidArgument", "the header row must stay where it is");
          mustNotOverlap(before.sheetId, rect, model, tableId);
          spreadsheet.updateTable(tableId, { rect });
          nameColumns({ ...before, rect }, model);
        },
      },
    };
  },
};

function tableRef({ id }: TableInfo): Ref<"Table"> {
  return { type: "Table", tableId: id };
}

/**
 * Cells below make room for the totals row, or close up when it goes. The first cell says Total, and the last one sums up its column, or
 * counts a column that holds no number, as Excel's Total Row does.
 */
function showTotals(tableId: string, isShown: boolean, model: Model): void {
  const { spreadsheet } = model;
  const table = tableOf(tableId, model);
  const { sheetId, rect } = table;
  const end = rect.row + rect.rows;
  if (!isShown) {
    moveRows(sheetId, { ...rect, row: end }, { by: -1 }, model);
    return spreadsheet.updateTable(tableId, { showsTotals: false });
  }
  const names = columnNames(table, model);
  const column = { ...body(table), column: rect.column + rect.columns - 1, columns: 1 };
  const hasNumbers = spreadsheet.read(sheetId, column).some(([cell]) => typeof cell?.value === "number");
  moveRows(sheetId, { ...rect, row: end }, { by: 1 }, model);
  spreadsheet.updateTable(tableId, { rect: { ...rect, rows: rect.rows + 1 }, showsTotals: true });
  const last = `=SUBTOTAL(${hasNumbers ? 109 : 103},${table.name}[${escapedColumn(names.at(-1) ?? "")}])`;
  const cells = names.map((_, index) => (index === names.length - 1 ? last : index === 0 ? "Total" : ""));
  spreadsheet.writeFormulas(sheetId, { ...rect, row: end, rows: 1 }, [cells]);
}

/** A column's name in a structured reference. */
function escapedColumn(name: string): string {
  return name.replaceAll(/['#[\]@]/g, "'$&");
}

function mayBeNamed(name: string, tableId: string, { spreadsheet }: Model): void {
  if (!isName(name)) throw new HostError("InvalidArgument", `table name ${name}`);
  const others = spreadsheet.tables().filter(({ id }) => id !== tableId);
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw new HostError("InvalidArgument", `a table ${name} exists already`);
}
