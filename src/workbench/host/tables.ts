import { intersect } from "../address";
import type { Rect, TableInfo } from "../spreadsheet";
import { HostError, notModelled, refusedAs } from "./host-error";
import { collection, fixed, found, readOnly, text } from "./object-model";
import type { Classes, Model, Ref } from "./object-model";
import { rangeOf } from "./range";

export const tableClasses: Classes<"TableCollection" | "Table" | "TableColumnCollection" | "TableColumn"> = {
  TableCollection({ sheetId }, model) {
    const tables = () =>
      model.spreadsheet.tables().filter((table) => (sheetId ?? table.sheetId) === table.sheetId);
    const base = collection(
      () => tables().map(tableRef),
      (key) => {
        const wanted = text(key).toLowerCase();
        const table = tables().find(({ id, name }) => id === key || name.toLowerCase() === wanted);
        return table ? tableRef(table) : null;
      },
    );
    return {
      ...base,
      properties: { Count: readOnly(() => tables().length) },
      objects: {
        ...base.objects,
        Add(place, hasHeaders) {
          if (hasHeaders !== true) throw notModelled("TableCollection.Add without headers");
          const range = rangeOf(place, model, sheetId);
          // Excel's table has a body row even when only a header was given.
          const area = { ...range.rect, rows: Math.max(range.rect.rows, 2) };
          const table = refusedAs("InvalidArgument", () => model.spreadsheet.addTable(range.sheetId, area));
          nameColumns(table, model);
          return tableRef(table);
        },
      },
    };
  },

  Table({ tableId }, model) {
    const { spreadsheet } = model;
    const table = () => tableOf(tableId, model);
    const update = (change: Partial<TableInfo>) =>
      refusedAs("InvalidArgument", () => spreadsheet.updateTable(tableId, change));
    const part = (cut: (rect: Rect) => Rect) => (): Ref<"Range"> => {
      const { sheetId, rect } = table();
      return { type: "Range", sheetId, rect: cut(rect) };
    };
    return {
      id: tableId,
      properties: {
        Id: readOnly(() => tableId),
        Name: { get: () => table().name, set: (name) => update({ name: text(name) }) },
        Style: { get: () => table().style, set: (style) => update({ style: text(style) }) },
        ShowHeaders: fixed("Table.ShowHeaders", true),
        ShowTotals: fixed("Table.ShowTotals", false),
        ShowBandedRows: fixed("Table.ShowBandedRows", true),
        ShowBandedColumns: fixed("Table.ShowBandedColumns", false),
        ShowFilterButton: fixed("Table.ShowFilterButton", true),
        HighlightFirstColumn: fixed("Table.HighlightFirstColumn", false),
        HighlightLastColumn: fixed("Table.HighlightLastColumn", false),
      },
      links: {
        Worksheet: () => ({ type: "Worksheet", sheetId: table().sheetId }),
        Columns: () => ({ type: "TableColumnCollection", tableId }),
      },
      objects: {
        GetRange: part((rect) => rect),
        GetHeaderRowRange: part(header),
        GetDataBodyRange: part(body),
        ConvertToRange() {
          const range = part((rect) => rect)();
          spreadsheet.deleteTable(tableId, true);
          return range;
        },
      },
      calls: {
        Delete: () => spreadsheet.deleteTable(tableId, false),
        Resize(place) {
          const before = table();
          const { rect } = rangeOf(place, model, before.sheetId);
          if (rect.row !== before.rect.row || rect.rows < 2 || !intersect(rect, before.rect))
            throw new HostError("InvalidArgument", "the header row must stay where it is");
          update({ rect });
          nameColumns({ ...before, rect }, model);
        },
      },
    };
  },

  TableColumnCollection({ tableId }, model) {
    const items = () =>
      columnNames(tableOf(tableId, model), model).map((_, index): Ref => ({
        type: "TableColumn",
        tableId,
        index,
      }));
    const base = collection(items, (key) => {
      const index = columnNames(tableOf(tableId, model), model).findIndex(
        (name, at) => key === name || key === at + 1,
      );
      return index < 0 ? null : { type: "TableColumn", tableId, index };
    });
    return { ...base, properties: { Count: readOnly(() => items().length) } };
  },

  TableColumn({ tableId, index }, model) {
    const { spreadsheet } = model;
    const part = (cut: (rect: Rect) => Rect) => (): Ref<"Range"> => {
      const { sheetId, rect } = tableOf(tableId, model);
      return { type: "Range", sheetId, rect: { ...cut(rect), column: rect.column + index, columns: 1 } };
    };
    const whole = part((rect) => rect);
    const heading = part(header);
    return {
      id: index + 1,
      properties: {
        Id: readOnly(() => index + 1),
        Index: readOnly(() => index),
        Name: {
          get: () => columnNames(tableOf(tableId, model), model)[index],
          set: (name) => spreadsheet.writeFormulas(heading().sheetId, heading().rect, [[text(name)]]),
        },
        Values: readOnly(() =>
          spreadsheet.read(whole().sheetId, whole().rect).map(([cell]) => [found(cell).value]),
        ),
      },
      objects: { GetRange: whole, GetHeaderRowRange: heading, GetDataBodyRange: part(body) },
    };
  },
};

function tableRef({ id }: TableInfo): Ref<"Table"> {
  return { type: "Table", tableId: id };
}

function tableOf(tableId: string, { spreadsheet }: Model): TableInfo {
  return found(spreadsheet.tables().find(({ id }) => id === tableId));
}

function header(rect: Rect): Rect {
  return { ...rect, rows: 1 };
}

function body(rect: Rect): Rect {
  return { ...rect, row: rect.row + 1, rows: rect.rows - 1 };
}

function columnNames({ sheetId, rect }: TableInfo, { spreadsheet }: Model): string[] {
  return found(spreadsheet.read(sheetId, header(rect))[0]).map((cell) => cell.text);
}

/** Like Excel, gives every column a name of its own: "Column2" to a blank one, "Name2" to the second "Name". */
function nameColumns(table: TableInfo, model: Model): void {
  const { sheetId, rect } = table;
  const given = columnNames(table, model);
  const names: string[] = [];
  for (const [index, name] of given.entries()) {
    let unique = name || `Column${index + 1}`;
    const isTaken = () => names.some((other) => other.toLowerCase() === unique.toLowerCase());
    for (let count = 2; isTaken(); count++) unique = `${name || "Column"}${count}`;
    names.push(unique);
  }
  const changed = names.map((name, index) => (name === given[index] ? null : name));
  if (changed.some((name) => name !== null))
    model.spreadsheet.writeFormulas(sheetId, header(rect), [changed]);
}
