import { MAX_COLUMNS, MAX_ROWS, formatAddress, parseAddress } from "../address";
import { conditionalLook } from "../cell-rules";
import { chartData } from "../drawings";
import type { CellView, Rect, Spreadsheet } from "../spreadsheet";
import type { CellsApi } from "./workbench-api";

/** The spreadsheet by addresses instead of sheets and rectangles. Throws at an address that means nothing. */
export function createCellsApi(spreadsheet: Spreadsheet): CellsApi {
  const place = (address: string): { sheetId: string; rect: Rect } => {
    const parsed = parseAddress(address);
    if (!parsed) throw new Error(`${address} is not an address.`);
    const { sheetName, rect } = parsed;
    if (sheetName === undefined) return { sheetId: spreadsheet.selection().sheetId, rect };
    const sheet = spreadsheet.sheets().find(({ name }) => name === sheetName);
    if (!sheet) throw new Error(`There is no sheet ${sheetName}.`);
    return { sheetId: sheet.id, rect };
  };
  const read =
    <T>(part: (cell: CellView) => T) =>
    (address: string): T[][] => {
      const { sheetId, rect } = place(address);
      return spreadsheet.read(sheetId, rect).map((cells) => cells.map(part));
    };
  const write: CellsApi["setFormulas"] = (address, rows) => {
    const { sheetId, rect } = place(address);
    const columns = rows[0]?.length ?? 0;
    const isFirstCell = rect.rows === 1 && rect.columns === 1;
    const fits = isFirstCell || (rows.length === rect.rows && columns === rect.columns);
    const isInside = rect.row + rows.length <= MAX_ROWS && rect.column + columns <= MAX_COLUMNS;
    if (!fits || !isInside || rows.some((row) => row.length !== columns))
      throw new Error(`The rows do not fit ${address}.`);
    spreadsheet.writeFormulas(sheetId, { ...rect, rows: rows.length, columns }, rows);
  };
  const nameOf = (sheetId: string) => spreadsheet.sheets().find(({ id }) => id === sheetId)?.name ?? "";
  return {
    setFormulas: write,
    setValues: write,
    getValues: read((cell) => cell.value),
    getTexts: read((cell) => cell.text),
    getFormulas: read((cell) => cell.formula),
    errorMessage(address) {
      const { sheetId, rect } = place(address);
      return spreadsheet.errorMessage(sheetId, rect.row, rect.column);
    },
    card(address) {
      const { sheetId, rect } = place(address);
      return spreadsheet.card(sheetId, rect.row, rect.column);
    },
    link(address) {
      const { sheetId, rect } = place(address);
      return spreadsheet.link(sheetId, rect.row, rect.column);
    },
    select(...addresses) {
      const places = addresses.map(place);
      spreadsheet.select(
        places[0]?.sheetId ?? spreadsheet.selection().sheetId,
        places.map(({ rect }) => rect),
      );
    },
    edit: (isEditing) => spreadsheet.edit(isEditing),
    fillColor(address) {
      const { sheetId, rect } = place(address);
      return spreadsheet.look(sheetId, rect.row, rect.column).fillColor;
    },
    fill(address, fillColor) {
      const { sheetId, rect } = place(address);
      spreadsheet.applyStyle(sheetId, rect, { fillColor });
    },
    merge(address) {
      const { sheetId, rect } = place(address);
      spreadsheet.merge(sheetId, rect);
    },
    copySheet(name) {
      const { sheetId } = place(`'${name}'!A1`);
      const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
      const used = spreadsheet.usedRect(sheetId, false, all);
      const copy = spreadsheet.addSheet(`${name} (2)`);
      if (used)
        spreadsheet.copy({ sheetId, rect: used }, { sheetId: copy.id, row: used.row, column: used.column });
      for (const { id: _, ...table } of spreadsheet.tables().filter((one) => one.sheetId === sheetId))
        spreadsheet.addTable({ ...table, sheetId: copy.id, name: `${table.name}_2` });
      return copy.name;
    },
    sheets: () => spreadsheet.sheets().map(({ name, isHidden }) => ({ name, isHidden })),
    tables() {
      const names = new Map(spreadsheet.sheets().map(({ id, name }) => [id, name]));
      return spreadsheet.tables().map(({ name, style, sheetId, rect }) => {
        return { name, style, address: formatAddress(names.get(sheetId) ?? null, rect) };
      });
    },
    charts: () =>
      spreadsheet.drawings.of("chart").map((chart) => {
        const { series, points } = chartData(chart, spreadsheet);
        const shown = points.map(({ label, value }): [string, number] => [label, value]);
        return { sheet: nameOf(chart.sheetId), title: chart.title ?? series, points: shown };
      }),
    pictures: () =>
      spreadsheet.drawings
        .of("picture")
        .map(({ sheetId, altTextDescription }) => ({ sheet: nameOf(sheetId), altText: altTextDescription })),
    colorScales: () =>
      spreadsheet.drawings.of("color-scale").map(({ sheetId, rect }) => formatAddress(nameOf(sheetId), rect)),
    isRowHidden(address) {
      const { sheetId, rect } = place(address);
      return spreadsheet.isRowHidden(sheetId, rect.row);
    },
    isColumnHidden(address) {
      const { sheetId, rect } = place(address);
      return spreadsheet.isColumnHidden(sheetId, rect.column);
    },
    conditionalLook(address) {
      const { sheetId, rect } = place(address);
      const [[cell] = []] = spreadsheet.read(sheetId, rect);
      const { value = "", text = "" } = cell ?? {};
      const numbersOf = ({ rect: colored }: { rect: Rect }) =>
        spreadsheet
          .read(sheetId, colored)
          .flatMap((cells) => cells.flatMap((one) => (typeof one.value === "number" ? [one.value] : [])));
      const formats = spreadsheet.drawings.formats(sheetId);
      const look = conditionalLook(formats, { ...rect, value, text }, numbersOf);
      const { fillColor, fontColor, bold } = look;
      return {
        ...(fillColor != null && { fillColor }),
        ...(fontColor != null && { fontColor }),
        ...(bold !== undefined && { bold }),
      };
    },
    idle: () => spreadsheet.idle(),
  };
}
