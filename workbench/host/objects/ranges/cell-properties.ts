import { formatAddress } from "../../../address";
import type { Rect } from "../../../spreadsheet";
import { HostError, known } from "../../host-error";
import { found, mustNotBeProtected, text, type Family, type Members, type Model } from "../object-model";
import { bounded, rangeFormatClasses } from "../range-format";
import { findSheet } from "../range-object";
import { applyStyle, NORMAL } from "./cell-styles";
import { finerFormatFamily } from "./finer-format";

/** The sides of a cell's border by the names in `Excel.CellBorderCollection`, and their names in a border collection. */
const sides: Record<string, string> = {
  ...{ top: "EdgeTop", bottom: "EdgeBottom", left: "EdgeLeft", right: "EdgeRight" },
};

type Wanted = Record<string, unknown>;

/** Properties of each cell of a range at once. They are those of the range's format, cell by cell. */
export const cellPropertyFamily: Family<"Range"> = {
  Range({ sheetId, rect }, model) {
    return {
      calls: {
        GetCellProperties(wanted) {
          const { name } = found(findSheet(model, sheetId));
          return eachCell(bounded(rect), (cell) =>
            pick(wanted, "Range.GetCellProperties", {
              address: () => formatAddress(name, cell),
              style: () => model.spreadsheet.look(sheetId, cell.row, cell.column).styleName ?? NORMAL,
              format: (format) => readFormat(sheetId, cell, format, model),
            }),
          );
        },
        SetCellProperties(rows) {
          mustNotBeProtected(sheetId, model);
          const cells = rows as Wanted[][];
          const fits =
            Array.isArray(rows) &&
            rows.length === rect.rows &&
            cells.every((row) => Array.isArray(row) && row.length === rect.columns);
          if (!fits)
            throw new HostError(
              "InvalidArgument",
              `the range has ${rect.rows} rows and ${rect.columns} columns`,
            );
          eachCell(bounded(rect), (cell) => {
            const given = cells[cell.row - rect.row]?.[cell.column - rect.column];
            pick(given ?? {}, "Range.SetCellProperties", {
              style: (name) => applyStyle(sheetId, cell, text(name), model),
              format: (format) => setFormat(sheetId, cell, format as Wanted, model),
            });
          });
        },
      },
    };
  },
};

function readFormat(sheetId: string, cell: Rect, wanted: unknown, model: Model): object {
  const members = membersOf(sheetId, cell, model);
  const { fillColor } = model.spreadsheet.look(sheetId, cell.row, cell.column);
  return pick(
    wanted,
    "Range.GetCellProperties",
    {
      // The pattern is null with and without a fill, and only tintAndShade tells them apart (OfficeDev/office-js#4900).
      fill: (names) => ({
        color: fillColor ?? "#FFFFFF",
        ...{ pattern: null, patternColor: null, tintAndShade: fillColor === null ? null : 0 },
        ...pick(names, "Range.GetCellProperties fill", {
          ...{ color: () => fillColor ?? "#FFFFFF", pattern: () => null, patternColor: () => null },
          tintAndShade: () => (fillColor === null ? null : 0),
        }),
      }),
      font: (names) => readEach(members.font, names, "font"),
      borders: (names) =>
        Object.fromEntries(
          Object.entries(names as Wanted).map(([side, parts]) => [
            side,
            readEach(members.border(known(sides[side], `border ${side}`)), parts, "borders"),
          ]),
        ),
    },
    (name) => members.format.properties?.[wireName(name)]?.get,
  );
}

function setFormat(sheetId: string, cell: Rect, given: Wanted, model: Model): void {
  const members = membersOf(sheetId, cell, model);
  const setEach = (of: Members, values: unknown, what: string) => {
    for (const [name, value] of Object.entries((values ?? {}) as Wanted))
      if (value !== undefined)
        known(of.properties?.[wireName(name)]?.set, `Range.SetCellProperties ${what}.${name}`)(value);
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (name === "font" || name === "fill") setEach(members[name], value, name);
    else if (name === "borders")
      for (const [side, border] of Object.entries(value as Wanted))
        setEach(
          members.border(known(sides[side], `Range.SetCellProperties border ${side}`)),
          border,
          "borders",
        );
    else setEach(members.format, { [name]: value }, "format");
  }
}

/** The members of the format of one cell. */
function membersOf(sheetId: string, cell: Rect, model: Model) {
  const areas = [cell];
  const joined = (one: Members, other: Members | undefined): Members => ({
    properties: { ...one.properties, ...other?.properties },
  });
  const place = { sheetId, areas };
  return {
    format: joined(
      rangeFormatClasses.RangeFormat({ type: "RangeFormat", ...place }, model),
      finerFormatFamily.RangeFormat?.({ type: "RangeFormat", ...place }, model),
    ),
    font: joined(
      rangeFormatClasses.RangeFont({ type: "RangeFont", ...place }, model),
      finerFormatFamily.RangeFont?.({ type: "RangeFont", ...place }, model),
    ),
    fill: joined(
      rangeFormatClasses.RangeFill({ type: "RangeFill", ...place }, model),
      finerFormatFamily.RangeFill?.({ type: "RangeFill", ...place }, model),
    ),
    border: (side: string): Members =>
      finerFormatFamily.RangeBorder?.({ type: "RangeBorder", ...place, side }, model) ?? {},
  };
}

function readEach(of: Members, wanted: unknown, what: string): object {
  return Object.fromEntries(
    namesIn(wanted).map((name) => [
      name,
      known(of.properties?.[wireName(name)]?.get, `Range.GetCellProperties ${what}.${name}`)(),
    ]),
  );
}

/** Does what the parts of an object ask for, and gives the answers by the parts' names. Parts that are not played are refused by name. */
function pick(
  wanted: unknown,
  member: string,
  parts: Record<string, (part: unknown) => unknown>,
  others: (name: string) => (() => unknown) | undefined = () => undefined,
): object {
  const all = (wanted ?? {}) as Wanted;
  return Object.fromEntries(
    namesIn(all).map((name) => [name, known(parts[name] ?? others(name), `${member} ${name}`)(all[name])]),
  );
}

/** The names that are neither false nor left out. */
function namesIn(wanted: unknown): string[] {
  return Object.entries((wanted ?? {}) as Wanted).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
}

function wireName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function eachCell<T>({ row, column, rows, columns }: Rect, work: (cell: Rect) => T): T[][] {
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (__, across) =>
      work({ row: row + down, column: column + across, rows: 1, columns: 1 }),
    ),
  );
}
