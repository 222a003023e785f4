import type { RangeStyle } from "../../../spreadsheet";
import { notModelled } from "../../host-error";
import { mustNotBeProtected, text, type Family } from "../object-model";
import { bounded } from "../range-format";

/** The looks of some of Excel's built-in styles in the Office theme, as its Cell Styles show them. */
const styles: Record<string, RangeStyle> = {
  Good: { fontColor: "#006100", fillColor: "#C6EFCE" },
  Bad: { fontColor: "#9C0006", fillColor: "#FFC7CE" },
  Neutral: { fontColor: "#9C5700", fillColor: "#FFEB9C" },
  Heading1: {
    bold: true,
    fontSize: 15,
    fontColor: "#44546A",
    borders: { bottom: { style: "Continuous", color: "#4472C4" } },
  },
  Heading2: {
    bold: true,
    fontSize: 13,
    fontColor: "#44546A",
    borders: { bottom: { style: "Continuous", color: "#A2B8E1" } },
  },
  Heading3: {
    bold: true,
    fontColor: "#44546A",
    borders: { bottom: { style: "Continuous", color: "#8EA9DB" } },
  },
  Heading4: { bold: true, fontColor: "#44546A" },
};

/** Gives cells a built-in style. The workbench keeps its look and not its name, so that a style can't be read. */
export const builtInStyleFamily: Family<"Range" | "RangeAreas"> = {
  Range: ({ sheetId, rect }, model) => ({
    properties: { Style: { set: (name) => apply(name, sheetId, [rect], model) } },
  }),
  RangeAreas: ({ sheetId, rects }, model) => ({
    properties: { Style: { set: (name) => apply(name, sheetId, rects, model) } },
  }),
};

type Given = Parameters<NonNullable<typeof builtInStyleFamily.Range>>;

function apply(name: unknown, sheetId: string, rects: Given[0]["rect"][], model: Given[1]): void {
  mustNotBeProtected(sheetId, model);
  const style = styles[text(name)];
  if (!style) throw notModelled(`Range.Style ${text(name)}`);
  for (const rect of rects) model.spreadsheet.applyStyle(sheetId, bounded(rect), style);
}
