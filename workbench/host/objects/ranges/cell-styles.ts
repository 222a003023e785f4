import { MAX_COLUMNS, MAX_ROWS } from "../../../address";
import type { RangeStyle, Rect } from "../../../spreadsheet";
import { notModelled } from "../../host-error";
import { kept, mustNotBeProtected, text, type Family, type Model } from "../object-model";
import { bounded } from "../range-format";

export const NORMAL = "Normal";

/** The looks of Excel's style Normal, by the groups of which a style has some. */
const normal = {
  font: {
    ...{ bold: false, italic: false, fontColor: null, fontName: "Calibri", fontSize: 11 },
    ...{ underline: "None", strikethrough: false },
  },
  fill: { fillColor: null, fillPattern: "None" },
  border: { borders: {} },
  alignment: {
    ...{ horizontalAlignment: "General", verticalAlignment: "Bottom", indentLevel: 0 },
    ...{ wrapText: false, textOrientation: 0 },
  },
  number: {},
} as const satisfies Record<string, RangeStyle>;
export type StyleGroup = keyof typeof normal;
export const styleGroups = Object.keys(normal) as StyleGroup[];

/** A style of cells: what it sets beside Normal, in the groups that it has. */
export interface CellStyle {
  look: RangeStyle;
  numberFormat?: string;
  groups: readonly StyleGroup[];
}

/** Some of Excel's built-in styles in the Office theme, as its Cell Styles show them, by the words of `Excel.BuiltInStyle`. */
const builtIn: Readonly<Record<string, CellStyle>> = {
  [NORMAL]: { look: {}, numberFormat: "General", groups: styleGroups },
  Good: { look: { fontColor: "#006100", fillColor: "#C6EFCE" }, groups: ["font", "fill"] },
  Bad: { look: { fontColor: "#9C0006", fillColor: "#FFC7CE" }, groups: ["font", "fill"] },
  Neutral: { look: { fontColor: "#9C5700", fillColor: "#FFEB9C" }, groups: ["font", "fill"] },
  Heading1: heading(15, { style: "Continuous", color: "#4472C4" }),
  Heading2: heading(13, { style: "Continuous", color: "#A2B8E1" }),
  Heading3: heading(11, { style: "Continuous", color: "#8EA9DB" }),
  Heading4: { look: { bold: true, fontColor: "#44546A" }, groups: ["font"] },
};

function heading(fontSize: number, bottom: NonNullable<RangeStyle["borders"]>["bottom"]): CellStyle {
  const look: RangeStyle = { bold: true, fontSize, fontColor: "#44546A", borders: { bottom } };
  return { look, groups: ["font", "border"] };
}

/** Styles that the add-in has made, by their names; the file keeps them, and the ribbon does not show them. */
export interface CustomStyle {
  look: RangeStyle;
  numberFormat: string;
  groups: readonly StyleGroup[];
  /** Properties that cells do not show, such as Locked. */
  facts: Readonly<Record<string, unknown>>;
}

export function customStyles(model: Pick<Model, "document">) {
  return kept<Readonly<Record<string, CustomStyle>>>(model, "Workbook", "styles", {
    read: (value) => value as Record<string, CustomStyle>,
    initial: {},
  });
}

/** A style by its name; null if there is none that the workbench plays. */
export function styleNamed(name: string, model: Pick<Model, "document">): CellStyle | null {
  const custom = customStyles(model).get();
  const own = Object.keys(custom).find((each) => each.toLowerCase() === name.toLowerCase());
  return (own === undefined ? builtIn[name] : custom[own]) ?? null;
}

/** All looks of a style, also those that are Normal's. */
export function looksOf({ look, groups }: CellStyle): RangeStyle {
  return Object.assign({}, ...groups.map((group) => normal[group]), look) as RangeStyle;
}

/** Gives cells a style. */
export const cellStyleFamily: Family<"Range" | "RangeAreas"> = {
  Range: ({ sheetId, rect }, model) => ({ properties: { Style: property(sheetId, [rect], model) } }),
  RangeAreas: ({ sheetId, rects }, model) => ({ properties: { Style: property(sheetId, rects, model) } }),
};

function property(sheetId: string, rects: readonly Rect[], model: Model) {
  return {
    // "If the styles of the cells are inconsistent, null will be returned" (Range.style in @types/office-js).
    get() {
      const names = new Set(
        rects.map(bounded).flatMap(({ row, column, rows, columns }) =>
          Array.from({ length: rows * columns }, (_, index) => {
            const place = [row + Math.floor(index / columns), column + (index % columns)] as const;
            return model.spreadsheet.look(sheetId, ...place).styleName ?? NORMAL;
          }),
        ),
      );
      return names.size === 1 ? [...names][0] : null;
    },
    set(name: unknown) {
      mustNotBeProtected(sheetId, model);
      for (const rect of rects) applyStyle(sheetId, bounded(rect), text(name), model);
    },
  };
}

export function applyStyle(sheetId: string, rect: Rect, name: string, model: Model): void {
  const style = styleNamed(name, model);
  if (!style) throw notModelled(`Range.Style ${name}`);
  model.spreadsheet.applyStyle(sheetId, rect, { ...looksOf(style), styleName: name });
  const { numberFormat } = style;
  if (numberFormat === undefined || !style.groups.includes("number")) return;
  const formats = Array.from({ length: rect.rows }, () => Array<string>(rect.columns).fill(numberFormat));
  model.spreadsheet.writeNumberFormats(sheetId, rect, formats);
}

/** Gives the cells of a style another one, or the same anew after it has changed. */
export function restyle(name: string, next: string, model: Model): void {
  const { spreadsheet } = model;
  const all = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  for (const { id } of spreadsheet.sheets()) {
    const used = spreadsheet.usedRect(id, false, all);
    if (!used) continue;
    for (let row = used.row; row < used.row + used.rows; row += 1)
      for (let column = used.column; column < used.column + used.columns; column += 1)
        if (spreadsheet.look(id, row, column).styleName === name)
          applyStyle(id, { row, column, rows: 1, columns: 1 }, next, model);
  }
}
