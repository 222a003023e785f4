/**
 * The sheet that the sample workbook opens with: geoIDs down, question numbers across, and formulas for all that depends on them. Names and
 * headings are formulas too, so that no label is wrong after somebody changes a number.
 */
import type { SheetToFill } from "../../workbench/page/setup";

/** Jurisdictions for which the sample data have answers with citations. */
const geoids = ["29189", "01073", "05119", "24031", "34003", "35001", "36061", "41051"];
/** Data point types: electrical code, re-inspection fee, review time, height above the roof, frost line. */
const typeIds = [1003, 1057, 1030, 1099, 1095];

const numberRow = 6;
const headingRow = numberRow + 1;
const firstRow = headingRow + 1;
const lastRow = headingRow + geoids.length;
const columns = ["C", "D", "E", "F", "G"];
/** The cell of an answer whose citation is worth a look. */
export const firstAnswer = `C${firstRow}`;

const titleRow = lastRow + 2;
const formulas = [
  ["Where an answer is written", `=REGDATA.CITATION($A${firstRow}, C$${numberRow})`],
  ["The same on a card: point at it", `=REGDATA.CARD($A${firstRow}, D$${numberRow})`],
  ["Changed in the last 30 days", `=REGDATA.CHANGED($A${firstRow}, C$${numberRow}, TODAY()-30)`],
];

const answerRows = geoids.map((geoid, index) => {
  const cell = `$A${firstRow + index}`;
  const name = `=REGDATA.AHJ(${cell})&", "&REGDATA.AHJ(${cell}, "state_code")`;
  // The apostrophe keeps the zero, in a cell that takes formulas, too.
  return [`'${geoid}`, name, ...columns.map((column) => `=REGDATA.VALUE(${cell}, ${column}$${numberRow})`)];
});
const headings = columns.map((column) => `=REGDATA.VALUE($A${firstRow}, ${column}$${numberRow}, "question")`);

const headingFill = "#DDEBF7";
/** Excel's color for cells to type into. */
const inputFill = "#FFF2CC";

/** `monthOldSheet` is the name of the sheet with the import in which a refresh finds changes. */
export function compareSheet(monthOldSheet: string): SheetToFill {
  return {
    name: "Compare",
    cells: [
      {
        address: "A1",
        rows: [
          ["Solar permits in eight counties"],
          [
            "Type another place, such as Maricopa County, AZ, or a question number into a yellow cell: all follows.",
          ],
          ["Select an answer: under Source, the pane shows where it is written."],
          [
            `The sheet “${monthOldSheet}” was imported a month ago: choose Refresh all above to see what has changed.`,
          ],
        ],
      },
      {
        address: `A${numberRow}`,
        rows: [["", "Question", ...typeIds], ["Place", "Jurisdiction", ...headings], ...answerRows],
      },
      {
        address: `A${titleRow}`,
        rows: [["More formulas to copy"], ...formulas.map(([label = ""]) => [label])],
      },
      {
        address: `C${titleRow + 1}`,
        // The apostrophe makes them texts, which stay when the formulas are frozen.
        rows: formulas.map(([, formula = ""]) => [`'${formula}`]),
      },
      { address: `F${titleRow + 1}`, rows: formulas.map(([, formula = ""]) => [formula]) },
    ],
    styles: [
      ...["A1", `A${titleRow}`, `B${numberRow}`].map((address) => ({ address, style: { bold: true } })),
      {
        address: `A${headingRow}:G${headingRow}`,
        style: { bold: true, fillColor: headingFill, wrapText: true, verticalAlignment: "Top" },
      },
      ...[`A${firstRow}:A${lastRow}`, `C${numberRow}:G${numberRow}`].map((address) => ({
        address,
        style: { fillColor: inputFill },
      })),
      { address: `C${numberRow}:G${lastRow}`, style: { horizontalAlignment: "Left" } },
      { address: `F${titleRow + 1}:F${titleRow + formulas.length}`, style: { horizontalAlignment: "Left" } },
    ],
    columnWidths: [125, 185, 165, 105, 140, 165, 115],
    fittedRows: [`A${headingRow}:G${headingRow}`],
  };
}
