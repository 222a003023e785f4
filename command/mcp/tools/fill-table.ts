import { z } from "zod";
import { fillBook } from "../../fill/fill-book";
import { argumentsOf, cut, cutList, question } from "../shapes";
import { tool } from "../tool";

const name = z.string().max(255);

export const fillTableTool = tool({
  name: "fill_table",
  title: "Fill a table",
  description:
    "Fills the blank cells of an Excel table of the user's own with answers for the places of its rows, in the columns whose headers mean a question.",
  onFiles: "write",
  input: z.strictObject({
    workbook: argumentsOf.path.describe("The workbook with the table."),
    output: argumentsOf.path.optional().describe("Write to this new file instead of the workbook."),
    table: name
      .optional()
      .describe("The table; it need not be named if the workbook, or the sheet, has one."),
    sheet: name.optional().describe("The sheet of the table."),
    places: z
      .array(name)
      .min(1)
      .max(10)
      .optional()
      .describe(
        "The headers of the columns that name places. Default: known headers, such as City and State.",
      ),
    in: z
      .array(z.string().max(1_000))
      .max(100)
      .optional()
      .describe(
        'Questions of columns, as "header=question id". Default: the questions of which there is no doubt.',
      ),
    "dry-run": z.boolean().default(false).describe("True writes nothing and says what would be filled."),
  }),
  output: z.object({
    workbook: z.string(),
    written: z.string().nullable().describe("The file that was written; null if nothing was."),
    backup: z.string().nullable().describe("The copy of the old file."),
    table: z.string(),
    places: z.array(z.string()).describe("The headers of the columns that name the rows' places."),
    rows: z.int().describe("The number of rows that have answers now, or would."),
    left: z.int().describe("The number of cells that held something and were left."),
    unclear: cutList(z.string()).describe("The entries that certainly mean no one place."),
    columns: cutList(
      z.object({
        header: z.string(),
        question: question.nullable().describe("Null if the column is left as it is."),
        meant: question.nullable().describe("The question that the header means first."),
      }),
    ),
  }),
  async run(given, { connected, folders, io }) {
    const workbook = await folders.file(given.workbook);
    const output = given.output === undefined ? undefined : await folders.target(given.output);
    const { result, written, backup } = await fillBook(workbook, await connected(), { ...given, output }, io);
    const questionIn = (type: (typeof result.columns)[number]["question"]) =>
      type && { id: type.id, name: type.name, unit: type.unit_of_measure };
    const columns = result.columns.map(({ header, question: asked, meant }) => ({
      ...{ header, question: questionIn(asked), meant: questionIn(meant) },
    }));
    return {
      structured: {
        ...result,
        workbook,
        written,
        backup,
        unclear: cut(result.unclear),
        columns: cut(columns),
      },
      text: [
        {
          title: written === null ? "Nothing was written: the file is as it was." : "The file was written.",
          columns: ["workbook", "written", "backup", "table", "rows", "left"],
          rows: [[workbook, written, backup, result.table, result.rows, result.left]],
        },
        {
          title: "Columns with blank cells:",
          columns: ["header", "question", "meant"],
          rows: columns.map(({ header, question: asked, meant }) => [
            header,
            asked?.name ?? null,
            meant?.name ?? null,
          ]),
        },
        {
          title: `Places that are not clear: ${result.unclear.length.toLocaleString("en-US")}.`,
          columns: ["entry"],
          rows: cut(result.unclear).first.map((entry) => [entry]),
        },
      ],
    };
  },
});
