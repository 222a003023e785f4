import { z } from "zod";
import { templates } from "../../../src/workbook/templates/templates";
import { CommandFailure } from "../../command-failure";
import { importInto } from "../../imports/import-command";
import { mustFitMatrix, targetOf } from "../../imports/import-options";
import { questionsOf } from "../../imports/named-questions";
import { jurisdictionsOf } from "../../imports/where";
import { forTarget } from "../../imports/write-import";
import { makeTemplate } from "../../templates/make-template";
import { argumentsOf, lacking, lackingOf, lackingOfNamed, lackingTables, whereIn } from "../shapes";
import { tool } from "../tool";

const written = {
  files: z.array(z.string()).describe("The files that were written; none if the service sent nothing."),
  jurisdictions: z.int(),
  lacking,
};

export const makeWorkbook = tool({
  name: "make_workbook",
  title: "Make a workbook",
  description:
    "Writes the answers of places to questions into a new workbook, as an import that can be refreshed or as live formulas with their values.",
  onFiles: "write",
  input: z.strictObject({
    where: argumentsOf.where,
    question: argumentsOf.question,
    output: argumentsOf.output,
    live: z.boolean().default(false).describe("True writes a live formula instead of an import."),
    citations: z.boolean().default(false).describe("True adds columns with each answer's citation."),
    sources: z.boolean().default(false).describe("True adds a sheet with each answer's source."),
    long: z.boolean().default(false).describe("True writes a row for each answer."),
    dash: z.boolean().default(false).describe("True writes a dash where no value is recorded."),
  }),
  output: z.object({ ...written, name: z.string().nullable(), values: z.int().nullable() }),
  async run(given, { connected, folders, io, progress }) {
    const { where, question } = given;
    const whereWords = await whereIn(folders, where);
    const target = targetOf({ ...given, output: await folders.target(given.output) });
    mustFitMatrix(target);
    return forTarget(target, async (ready) => {
      const connection = await connected();
      const { session } = connection;
      progress.show("looking up", 0, 0);
      const { signal } = io;
      const types = await questionsOf(question, session, { signal });
      const named = await jurisdictionsOf(whereWords, session, { signal });
      const order = { question: { kind: "matrix" as const, ahjs: named.ahjs, types }, named };
      const { lacking: all, ...outcome } = await importInto(ready, order, connection, io, progress);
      const missing = lackingOf(all);
      return {
        structured: { ...outcome, lacking: missing },
        text: [
          {
            title: outcome.files.length > 0 ? "The workbook was written." : "Nothing was written.",
            columns: ["file", "places", "values"],
            rows: outcome.files.map((file) => [file, outcome.jurisdictions, outcome.values]),
          },
          ...lackingTables(missing),
        ],
      };
    });
  },
});

export const makeTemplateWorkbook = tool({
  name: "make_template",
  title: "Make a workbook from a template",
  description: "Makes a workbook of live formulas with their values from a ready-made template.",
  onFiles: "write",
  input: z.strictObject({
    template: z
      .enum(templates.map(({ id }) => id))
      .describe(templates.map(({ id, summary }) => `${id}: ${summary}`).join(" ")),
    where: argumentsOf.where.optional(),
    output: argumentsOf.output,
  }),
  output: z.object({ ...written, name: z.string(), unknown_questions: z.array(z.string()) }),
  async run({ template: id, where = [], output }, { connected, folders, io, progress }) {
    const chosen = templates.find((each) => each.id === id);
    if (!chosen) throw new CommandFailure("usage", "There is no such template.");
    const whereWords = await whereIn(folders, where);
    const target = targetOf({ output: await folders.target(output) });
    if (target.kind !== "xlsx") throw new CommandFailure("usage", "A template is an .xlsx file.");
    return forTarget(target, async ({ path, place }) => {
      const { signal } = io;
      const order = { chosen, where: whereWords, place };
      const made = await makeTemplate(order, await connected(), { signal, progress });
      const missing = lackingOf(lackingOfNamed(made.named));
      const { jurisdictions, leftOut } = made;
      return {
        structured: {
          ...{ files: [path], jurisdictions, name: chosen.name },
          ...{ unknown_questions: leftOut, lacking: missing },
        },
        text: [
          {
            title: "The workbook was written.",
            columns: ["file", "template", "places", "unknown questions"],
            rows: [[path, chosen.name, jurisdictions, leftOut.join("; ")]],
          },
          ...lackingTables(missing),
        ],
      };
    });
  },
});
