import { exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { fillBook, type FilledTable } from "../fill/fill-book";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import { type Edited, editHelp, editOptions } from "../workbook/edit-book";
import type { Command } from "./command-shape";
import { forEachBook, listedLines, mustBeNamed, unchangedLine, writtenLines } from "./each-book";

const options = {
  ...commonOptions,
  ...serviceOptions,
  ...editOptions,
  table: { type: "string" },
  sheet: { type: "string" },
  places: { type: "string", multiple: true },
  in: { type: "string", multiple: true },
  "dry-run": { type: "boolean" },
} as const;

const mostUnclear = 20;

export const fill: Command = {
  summary: "Fill the blank columns of your own table with answers for the places of its rows.",
  help: `npm run regdata -- fill BOOK.xlsx --table Projects

Reads the headers and the places of an Excel table of your own, such as one with the columns City, State, "Elec. code" and "permit fee $",
and fills the blank cells with the answers to the questions that the headers mean. What stands in a cell stays, and so do rows whose place
is not certain. The columns stay yours, and the workbook remembers what fills them, so that refresh brings them up to date. A column that
has anything in it, or whose question is in doubt, is filled only if you name its question.

  --table NAME       The table. It need not be named if the workbook, or the sheet, has one.
  --sheet NAME       The sheet of the table.
  --places HEADER    A column that names the rows' places; may be repeated. Default: columns with known headers, such as City and State.
  --in HEADER=WORD   The question (id or whole name) of a column; may be repeated.
  --dry-run          Only list what would be filled.${editHelp}${connectionHelp}`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, values.output, "to fill");
    const connected = await connect(values, io);
    const blank = { written: null, backup: null, filled: null };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const { result, ...edited } = await fillBook(path, connected, values, io);
      return {
        code: edited.written === null ? exitCodes.unchanged : exitCodes.changed,
        json: { ...edited, filled: result },
        lines: linesOf(result, values["dry-run"] === true, edited),
      };
    });
  },
};

function linesOf(
  { table, places, columns, rows, unclear, left }: FilledTable,
  isDry: boolean,
  edited: Pick<Edited<unknown>, "written" | "backup">,
): string[] {
  const isFilled = edited.written !== null;
  const lines = columns.map(({ header, question, meant }) => {
    const named = question ?? meant;
    const name = named
      ? `${named.name} (${named.id}), ${named.unit_of_measure}`
      : "no question has these words";
    if (question) return printableLine(`${header}: ${name}`, 200);
    return printableLine(`${header}: left as it is; ${meant ? `perhaps ${name}` : name}`, 200);
  });
  return [
    printableLine(
      `${table}: ${counted(rows, "row")} ${isFilled ? "filled" : "can be filled"} by ${places.join(", ")}`,
      200,
    ),
    ...lines.map((line) => `  ${line}`),
    ...(unclear.length > 0 ? [`${counted(unclear.length, "place")} not clear:`] : []),
    ...listedLines(unclear, mostUnclear, (text) => `  ${printableLine(text, 100)}`),
    ...(left > 0 ? [`${counted(left, "cell")} held something else and stayed.`] : []),
    ...(isFilled ? writtenLines(edited) : isDry ? [] : [unchangedLine]),
  ];
}
