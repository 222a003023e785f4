import { MAX_COLUMNS, MAX_ROWS } from "../../address";
import { horizontalAlignments, verticalAlignments } from "../../spreadsheet";
import type { CellLook, Rect } from "../../spreadsheet";
import { HostError, notModelled } from "../host-error";
import { namedColors } from "./named-colors";
import { mustNotBeProtected } from "./object-model";
import type { Classes, Model, Property } from "./object-model";

/** Office.js measures in points, the grid in pixels: 96 to the inch instead of 72. */
const POINTS_PER_PIXEL = 0.75;

/** Excel's alignments that are not shown here. */
const unknownAlignments = ["Fill", "CenterAcrossSelection", "Distributed"];

export const rangeFormatClasses: Classes<"RangeFormat" | "RangeFont" | "RangeFill"> = {
  RangeFormat({ sheetId, areas }, model) {
    const { spreadsheet } = model;
    const look = lookOf(sheetId, areas, model);
    const eachArea = (work: (rect: Rect) => void) => () => {
      mustNotBeProtected(sheetId, model);
      areas.forEach(work);
    };
    return {
      properties: {
        WrapText: look("wrapText", truth),
        HorizontalAlignment: look("horizontalAlignment", alignment(horizontalAlignments)),
        VerticalAlignment: look("verticalAlignment", alignment(verticalAlignments)),
        IndentLevel: look("indentLevel", indent),
        ColumnWidth: {
          // Null where the columns differ (RangeFormat.columnWidth in @types/office-js).
          get() {
            const widths = areas.flatMap(({ column, columns }) =>
              Array.from({ length: columns }, (_, across) =>
                spreadsheet.columnWidth(sheetId, column + across),
              ),
            );
            const [width = 0] = widths;
            return widths.every((each) => each === width) ? width * POINTS_PER_PIXEL : null;
          },
          set(points) {
            if (typeof points !== "number" || points < 0)
              throw new HostError("InvalidArgument", "ColumnWidth");
            for (const { column, columns } of areas)
              spreadsheet.setColumnWidth(sheetId, column, columns, points / POINTS_PER_PIXEL);
          },
        },
      },
      links: {
        Font: () => ({ type: "RangeFont", sheetId, areas }),
        Fill: () => ({ type: "RangeFill", sheetId, areas }),
      },
      calls: {
        AutofitColumns: eachArea((rect) => spreadsheet.autofitColumns(sheetId, rect)),
        AutofitRows: eachArea((rect) => spreadsheet.autofitRows(sheetId, rect)),
      },
    };
  },

  RangeFont({ sheetId, areas }, model) {
    const look = lookOf(sheetId, areas, model);
    return {
      properties: {
        Bold: look("bold", truth),
        Italic: look("italic", truth),
        Color: look("fontColor", colorOf, (own) => own ?? "#000000"),
      },
    };
  },

  RangeFill({ sheetId, areas }, model) {
    return {
      // As in Excel, a cell without a fill reports white.
      properties: {
        Color: lookOf(sheetId, areas, model)("fillColor", colorOf, (own) => own ?? "#FFFFFF"),
      },
      calls: {
        Clear() {
          mustNotBeProtected(sheetId, model);
          for (const rect of areas) model.spreadsheet.applyStyle(sheetId, bounded(rect), { fillColor: null });
        },
      },
    };
  },
};

/**
 * A property of the format of areas. Reading it gives null if it differs from cell to cell
 * (excel-add-ins-blank-null-values.md, "null property values in the response").
 */
export function lookOf(sheetId: string, areas: readonly Rect[], { spreadsheet }: Model) {
  return <Name extends Exclude<keyof CellLook, "numberFormat">>(
    name: Name,
    parse: (value: unknown) => CellLook[Name],
    shown: (own: CellLook[Name]) => unknown = (own) => own,
  ): Property => ({
    get() {
      let common: unknown;
      for (const { row, column, rows, columns } of areas.map(bounded)) {
        for (let y = row; y < row + rows; y += 1) {
          for (let x = column; x < column + columns; x += 1) {
            const value = shown(spreadsheet.look(sheetId, y, x)[name]);
            if (common !== undefined && common !== value) return null;
            common = value;
          }
        }
      }
      return common;
    },
    set(value) {
      const wanted = parse(value);
      for (const rect of areas) spreadsheet.applyStyle(sheetId, bounded(rect), { [name]: wanted });
    },
  });
}

/** `#RRGGBB`, or a named color of HTML (RangeFill.color and RangeFont.color in @types/office-js). Other values are refused. */
export function colorOf(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  const hex = /^#[\da-f]{6}$/i.test(text) ? text.toUpperCase() : namedColors.get(text.toLowerCase());
  if (hex === undefined) throw new HostError("InvalidArgument", `color ${String(value)}`);
  return hex;
}

function truth(value: unknown): boolean {
  if (typeof value !== "boolean") throw new HostError("InvalidArgument", "true or false expected");
  return value;
}

/** "An integer from 0 to 250" (RangeFormat.indentLevel in @types/office-js). */
export function indent(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 250)
    throw new HostError("InvalidArgument", `indent ${String(value)}`);
  return value;
}

export function alignment<Name extends string>(known: readonly Name[]): (value: unknown) => Name {
  return (value) => {
    const found = known.find((name) => name === value);
    if (found !== undefined) return found;
    if (unknownAlignments.includes(String(value))) throw notModelled(`alignment ${String(value)}`);
    throw new HostError("InvalidArgument", `alignment ${String(value)}`);
  };
}

export function isUnbounded(rect: Rect): boolean {
  return rect.rows === MAX_ROWS || rect.columns === MAX_COLUMNS;
}

/** The rectangle itself. Throws a HostError for whole rows and columns, whose formats the workbench does not keep. */
export function bounded(rect: Rect): Rect {
  if (isUnbounded(rect)) throw notModelled("the looks of whole rows and columns");
  return rect;
}
