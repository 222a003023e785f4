import { z } from "zod";
import { isDifferent } from "../../diff/compare-books";
import { compareFiles } from "../../diff/compare-files";
import { argumentsOf, cut, cutList } from "../shapes";
import { tool } from "../tool";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const content = z.object({ value: scalar, formula: z.string().nullable() });
const cells = cutList(z.object({ cell: z.string(), before: content, now: content }));
const answer = z
  .object({ text: z.string(), value: scalar })
  .nullable()
  .describe("The answer as a refresh tells it, with unit and citation; null if there is none.");
const names = z.object({ came: z.array(z.string()), went: z.array(z.string()) });

export const diffWorkbooks = tool({
  name: "diff_workbooks",
  title: "Compare two versions of a workbook",
  description:
    "Says which sheets, imports, answers and other cells differ between two versions of a workbook.",
  onFiles: "read",
  input: z.strictObject({
    before: argumentsOf.path.describe("The older version, such as a backup."),
    now: argumentsOf.path.describe("The newer version."),
  }),
  output: z.object({
    before: z.string(),
    now: z.string(),
    differs: z.boolean(),
    sheets: names,
    imports: names,
    changed_imports: z.array(
      z.object({
        name: z.string(),
        answers: cutList(
          z.object({
            ...{ cell: z.string(), ahj_id: z.int(), jurisdiction: z.string(), question: z.string() },
            ...{ before: answer, now: answer },
          }),
        ),
        cells,
      }),
    ),
    cells,
  }),
  async run(given, { folders }) {
    const [before, now] = [await folders.file(given.before), await folders.file(given.now)];
    const difference = await compareFiles(before, now);
    const { sheets, imports } = difference;
    const shownAnswer = (shown: { text: string; value: z.output<typeof scalar> } | null) =>
      shown && { text: shown.text, value: shown.value };
    const changed = difference.changedImports.map(({ name, answers, cells: others }) => ({
      name,
      answers: cut(
        answers.map(({ cell, ahj, jurisdiction, question, ...versions }) => ({
          ...{ cell, ahj_id: ahj.id, jurisdiction, question },
          ...{ before: shownAnswer(versions.before), now: shownAnswer(versions.now) },
        })),
      ),
      cells: cut(others),
    }));
    const differs = isDifferent(difference);
    const cellRows = (all: (typeof changed)[number]["cells"]) =>
      all.first.map(({ cell, ...versions }) => [
        cell,
        ...[versions.before, versions.now].map(({ value, formula }) => formula ?? value),
      ]);
    const came = [
      ...sheets.came.map((name) => ["new sheet", name]),
      ...sheets.went.map((name) => ["sheet gone", name]),
      ...imports.came.map((name) => ["new import", name]),
      ...imports.went.map((name) => ["import gone", name]),
    ];
    return {
      structured: {
        ...{ before, now, differs, sheets, imports },
        ...{ changed_imports: changed, cells: cut(difference.cells) },
      },
      text: [
        {
          title: differs ? "The versions differ." : "Nothing differs.",
          columns: ["before", "now"],
          rows: [[before, now]],
        },
        ...(came.length > 0 ? [{ title: "Sheets and imports:", columns: ["what", "name"], rows: came }] : []),
        ...changed.map(({ answers }, at) => ({
          title: `Answers of import ${at + 1} that changed: ${answers.total.toLocaleString("en-US")}.`,
          columns: ["cell", "place", "question", "before", "now"],
          rows: answers.first.map(({ cell, jurisdiction, question, ...versions }) => [
            ...[cell, jurisdiction, question],
            ...[versions.before?.text ?? null, versions.now?.text ?? null],
          ]),
        })),
        ...[...changed.map((each) => each.cells), cut(difference.cells)]
          .filter(({ total }) => total > 0)
          .map((all) => ({
            title: `Other cells that changed: ${all.total.toLocaleString("en-US")}.`,
            columns: ["cell", "before", "now"],
            rows: cellRows(all),
          })),
      ],
    };
  },
});
