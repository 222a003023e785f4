import type { BorderSide, CellBorder, FinerLook, Rect } from "../../../spreadsheet";
import { borderStyles, underlines } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import {
  found,
  integer,
  mustNotBeProtected,
  text,
  truth,
  type Family,
  type Model,
  type Ref,
} from "../object-model";
import { bounded, colorOf, lookOf } from "../range-format";

/** The font of a new workbook. */
const usualFont = { name: "Calibri", size: 11 };

const unknownUnderlines = ["SingleAccountant", "DoubleAccountant"];
const unknownBorderStyles = ["SlantDashDot"];

/** `Excel.BorderIndex`, by the side of a cell that each means. */
const outerSides: Record<string, BorderSide> = {
  EdgeTop: "top",
  EdgeBottom: "bottom",
  EdgeLeft: "left",
  EdgeRight: "right",
};
const innerSides = ["InsideVertical", "InsideHorizontal"];
const unknownSides = ["DiagonalDown", "DiagonalUp"];

/** `Excel.FillPattern` but for gradients. */
const fillPatterns = [
  ...["None", "Solid", "Gray50", "Gray75", "Gray25", "Horizontal", "Vertical", "Down", "Up", "Checker"],
  ...["SemiGray75", "LightHorizontal", "LightVertical", "LightDown", "LightUp", "Grid", "CrissCross"],
  ...["Gray16", "Gray8"],
];

/** Fonts, borders, patterns and the direction of texts. */
export const finerFormatFamily: Family<
  "RangeFormat" | "RangeFont" | "RangeFill" | "RangeBorderCollection" | "RangeBorder"
> = {
  RangeFormat({ sheetId, areas }, model) {
    const look = lookOf(sheetId, areas, model);
    return {
      properties: { TextOrientation: look("textOrientation", orientation, (own) => own ?? 0) },
      links: { Borders: () => ({ type: "RangeBorderCollection", sheetId, areas }) },
    };
  },
  RangeFont({ sheetId, areas }, model) {
    const look = lookOf(sheetId, areas, model);
    return {
      properties: {
        Name: look("fontName", fontName, (own) => own ?? usualFont.name),
        Size: look("fontSize", fontSize, (own) => own ?? usualFont.size),
        Underline: look("underline", underline, (own) => own ?? "None"),
        Strikethrough: look("strikethrough", truth, (own) => own ?? false),
      },
    };
  },
  // Patterns are kept, and not shown.
  RangeFill({ sheetId, areas }, model) {
    const look = lookOf(sheetId, areas, model);
    return {
      properties: {
        Pattern: look("fillPattern", fillPattern, (own) => own ?? "None"),
        PatternColor: look("patternColor", colorOf, (own) => own ?? "#000000"),
      },
    };
  },
  RangeBorderCollection({ sheetId, areas }) {
    const all = [...Object.keys(outerSides), ...innerSides];
    const ref = (side: string): Ref<"RangeBorder"> => ({ type: "RangeBorder", sheetId, areas, side });
    const item = (side: unknown) => {
      if (unknownSides.includes(String(side)))
        throw notModelled(`RangeBorderCollection.GetItem ${String(side)}`);
      if (!all.includes(String(side))) throw new HostError("InvalidArgument", `border ${String(side)}`);
      return ref(String(side));
    };
    return {
      items: () => all.map(ref),
      item,
      properties: { Count: { get: () => all.length } },
      objects: { GetItemAt: (index) => ref(found(all[integer(index)])) },
    };
  },
  RangeBorder({ sheetId, areas, side }, model) {
    const change = (part: Partial<CellBorder> | null) => {
      mustNotBeProtected(sheetId, model);
      for (const area of areas) changeBorder(sheetId, bounded(area), side, part, model);
    };
    const shared = <Value>(read: (border: CellBorder | undefined) => Value): Value | null => {
      const values = new Set(
        areas.flatMap((area) =>
          cellsOf(bounded(area), side).map(({ row, column, of }) =>
            read(model.spreadsheet.look(sheetId, row, column).borders?.[of]),
          ),
        ),
      );
      return values.size === 1 ? ([...values][0] ?? null) : null;
    };
    return {
      id: side,
      properties: {
        SideIndex: { get: () => side },
        Style: {
          get: () => shared((border) => border?.style ?? "None"),
          set(value) {
            if (unknownBorderStyles.includes(String(value))) throw notModelled(`border ${String(value)}`);
            const style = borderStyles.find((each) => each === value);
            if (style === undefined && value !== "None")
              throw new HostError("InvalidArgument", `border ${String(value)}`);
            change(style === undefined ? null : { style });
          },
        },
        Color: {
          get: () => shared((border) => border?.color ?? "#000000"),
          set: (value) => change({ color: colorOf(value) }),
        },
      },
    };
  },
};

/** The cells whose side a border is, each with that side. */
export function cellsOf(
  { row, column, rows, columns }: Rect,
  side: string,
): { row: number; column: number; of: BorderSide }[] {
  const across = Array.from({ length: columns }, (_, x) => column + x);
  const down = Array.from({ length: rows }, (_, y) => row + y);
  const each = (ys: number[], xs: number[], of: BorderSide) =>
    ys.flatMap((y) => xs.map((x) => ({ row: y, column: x, of })));
  switch (side) {
    case "EdgeTop":
      return each([row], across, "top");
    case "EdgeBottom":
      return each([row + rows - 1], across, "bottom");
    case "EdgeLeft":
      return each(down, [column], "left");
    case "EdgeRight":
      return each(down, [column + columns - 1], "right");
    case "InsideHorizontal":
      return each(down.slice(0, -1), across, "bottom");
    default:
      return each(down, across.slice(0, -1), "right");
  }
}

export function changeBorder(
  sheetId: string,
  rect: Rect,
  side: string,
  part: Partial<CellBorder> | null,
  { spreadsheet }: Model,
): void {
  for (const { row, column, of } of cellsOf(rect, side)) {
    const { borders = {} } = spreadsheet.look(sheetId, row, column);
    const { [of]: before, ...others } = borders;
    const next: FinerLook["borders"] = part
      ? { ...others, [of]: { style: "Continuous", color: "#000000", ...before, ...part } }
      : others;
    spreadsheet.applyStyle(sheetId, { row, column, rows: 1, columns: 1 }, { borders: next });
  }
}

/** "LinearGradient and RectangularGradient are not supported" (RangeFill.pattern in @types/office-js). */
function fillPattern(value: unknown): string {
  const pattern = fillPatterns.find((each) => each === value);
  if (pattern === undefined) throw new HostError("InvalidArgument", `pattern ${String(value)}`);
  return pattern;
}

/** "An integer either from -90 to 90, or 180 for vertically-oriented text" (RangeFormat.textOrientation in @types/office-js). */
export function orientation(value: unknown): number {
  const degrees = integer(value);
  if (degrees !== 180 && (degrees < -90 || degrees > 90))
    throw new HostError("InvalidArgument", `orientation ${degrees}`);
  return degrees;
}

/** "The name's length should not be greater than 31 characters" (RangeFont.name in @types/office-js). */
export function fontName(value: unknown): string {
  if (text(value).length > 31)
    throw new HostError("InvalidArgument", "a font's name of more than 31 characters");
  return text(value);
}

/** 1 to 409 points ("Excel specifications and limits" of support.microsoft.com). */
export function fontSize(value: unknown): number {
  if (typeof value !== "number" || value < 1 || value > 409)
    throw new HostError("InvalidArgument", `font size ${String(value)}`);
  return value;
}

export function underline(value: unknown): (typeof underlines)[number] {
  if (unknownUnderlines.includes(String(value))) throw notModelled(`underline ${String(value)}`);
  const known = underlines.find((each) => each === value);
  if (known === undefined) throw new HostError("InvalidArgument", `underline ${String(value)}`);
  return known;
}
