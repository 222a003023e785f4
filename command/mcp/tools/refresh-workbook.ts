import { z } from "zod";
import type { WrittenDatedSheet } from "../../../src/workbook/dated-sheets/dated-sheets";
import { refreshBook, withoutLines } from "../../refresh/refresh-book";
import { argumentsOf, cut, cutList } from "../shapes";
import { tool } from "../tool";

export const refreshWorkbook = tool({
  name: "refresh_workbook",
  title: "Refresh a workbook",
  description:
    "Asks the service again for a workbook's imports, writes the answers that changed, keeps the old file beside it, and says what changed.",
  onFiles: "write",
  input: z.strictObject({
    workbook: argumentsOf.path.describe("The workbook to refresh."),
    output: argumentsOf.path.optional().describe("Write to this new file instead of the workbook."),
    "max-age": z
      .int()
      .min(0)
      .max(999_999)
      .default(0)
      .describe("Kept answers that are no older than so many minutes are taken."),
    "other-service": z
      .boolean()
      .default(false)
      .describe("True refreshes imports of another service's address as well."),
    "keep-renamed": z
      .boolean()
      .default(false)
      .describe("True refreshes columns on whose headers somebody has changed."),
    snapshot: z
      .boolean()
      .default(false)
      .describe(
        "True first keeps what the imports show on a new sheet “Values” with the day, with citations.",
      ),
  }),
  output: z.object({
    workbook: z.string(),
    written: z.string().nullable().describe("The file that was written; null if nothing changed."),
    backup: z.string().nullable().describe("The copy of the old file."),
    snapshot: z
      .object({ address: z.string().nullable(), answers: z.int(), edited: z.int(), uncited: z.int() })
      .nullable()
      .describe("The table of the dated sheet; null if none was written."),
    imports: z.array(
      z.object({
        name: z.string(),
        failure: z.string().nullable(),
        changed: z.int(),
        entered: z.int(),
        left: z.int(),
        not_refreshed: z.int(),
        unchecked: cutList(z.string()),
        renamed_columns: z.array(z.object({ before: z.string(), after: z.string() })),
        changes: cutList(z.record(z.string(), z.string())).describe(
          "A text for each column of the pane's sheet of changes.",
        ),
      }),
    ),
  }),
  async run(given, { connected, folders, io, progress }) {
    const workbook = await folders.file(given.workbook);
    const output = given.output === undefined ? undefined : await folders.target(given.output);
    const options = { ...given, output, sinceMs: Date.now() - given["max-age"] * 60_000 };
    const { result, written, backup } = await refreshBook(workbook, await connected(), options, io, progress);
    const { snapshot } = result;
    const imports = withoutLines(result.imports).map(
      ({ notRefreshed, unchecked, renamedColumns, changes, ...others }) => ({
        ...others,
        not_refreshed: notRefreshed,
        unchecked: cut(unchecked),
        renamed_columns: renamedColumns.map(({ before, after }) => ({ before, after })),
        changes: cut(changes),
      }),
    );
    return {
      structured: { workbook, written, backup, snapshot: snapshot && factsOf(snapshot), imports },
      text: [
        {
          title: written === null ? "Nothing was written: the file is as it was." : "The file was written.",
          columns: ["workbook", "written", "backup"],
          rows: [[workbook, written, backup]],
        },
        {
          title: imports.length === 0 ? "The workbook has no imports." : "Imports:",
          columns: ["name", "failure", "changed", "entered", "left", "not_refreshed"],
          rows: imports.map(({ name, failure, changed, entered, left, not_refreshed: others }) => [
            ...[name, failure, changed, entered, left, others],
          ]),
        },
        ...(snapshot
          ? [
              {
                title: "The dated sheet:",
                columns: Object.keys(factsOf(snapshot)),
                rows: [Object.values(factsOf(snapshot))],
              },
            ]
          : []),
        ...imports
          .filter(({ changes }) => changes.total > 0)
          .map(({ changes }, at) => ({
            title: `Changes of import ${at + 1}: ${changes.total.toLocaleString("en-US")}.`,
            columns: Object.keys(changes.first[0] ?? {}),
            rows: changes.first.map((texts) => Object.values(texts)),
          })),
      ],
    };
  },
});

const factsOf = ({ address, answers, edited, uncited }: WrittenDatedSheet) => {
  return { address, answers, edited, uncited };
};
