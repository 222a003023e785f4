/**
 * The first sheet for a user's own service. Nothing is known of that service, so the sheet names no jurisdiction and no question, but lists
 * the questions that the service has.
 */
import type { SheetToFill } from "../../workbench/page/setup";

const listRow = 12;
/** The cell into which the user types a name or geoID. */
export const geoidCell = "B5";
const questionCell = "B6";
const untilThen = (formula: string) => `=IF(${geoidCell}="", "—", ${formula})`;

export const invitationSheet: SheetToFill = {
  name: "Start",
  cells: [
    {
      address: "A1",
      rows: [
        ["Answers from your service"],
        [
          "Type a jurisdiction into the first yellow cell, such as Alameda County, CA or 06001: an answer follows.",
        ],
        ["Below are all questions of your service: put another number into the second yellow cell."],
        ["To fill a whole table, choose jurisdictions and questions in the pane."],
      ],
    },
    {
      address: "A5",
      rows: [
        ["Place", ""],
        ["Question", `=A${listRow + 1}`],
        ["Jurisdiction", untilThen(`REGDATA.AHJ(${geoidCell})&", "&REGDATA.AHJ(${geoidCell}, "state_code")`)],
        ["It asks", untilThen(`REGDATA.VALUE(${geoidCell}, ${questionCell}, "question")`)],
        ["Answer", untilThen(`REGDATA.VALUE(${geoidCell}, ${questionCell})`)],
        ["Written in", untilThen(`REGDATA.CITATION(${geoidCell}, ${questionCell})`)],
      ],
    },
    { address: `A${listRow}`, rows: [["=REGDATA.TYPES()"]] },
  ],
  styles: [
    ...["A1", "A5:A10"].map((address) => ({ address, style: { bold: true } })),
    { address: `A${listRow}:E${listRow}`, style: { bold: true, fillColor: "#DDEBF7" } },
    { address: `${geoidCell}:${questionCell}`, style: { fillColor: "#FFF2CC" } },
    ...["A5:B10", `A${listRow + 1}:A1000`].map((address) => ({
      address,
      style: { horizontalAlignment: "Left" as const },
    })),
  ],
  columnWidths: [110, 260, 420, 130, 130],
};
