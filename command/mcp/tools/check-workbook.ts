import { z } from "zod";
import { checkBook, openToCheck, problemKinds } from "../../check/check-book";
import { checkingOf, defaultAgeDays } from "../../check/checking";
import { goneUses, textOfUse, usesJson, usesOfBook, usesText } from "../../check/uses-of-book";
import { linesOfUses } from "../../../src/workbook/uses/use-lines";
import { argumentsOf, cut, cutList } from "../shapes";
import { tool } from "../tool";

const kinds = Object.keys(problemKinds) as (keyof typeof problemKinds)[];

/** A place, a question, an import, or an argument that can't be told. */
const useLine = z.object({
  ...{ kind: z.string(), name: z.string(), code: z.string(), imports: z.array(z.string()).readonly() },
  formulas: z.int().nullable().describe("The number of formulas."),
  cells: z.array(z.string()).describe("The addresses of the first of them."),
  standing: z.string().describe("Whether the service still knows it."),
  meantNow: z.array(z.string()).readonly().describe("For a code that is gone: the codes that may be meant."),
  more: z.string(),
  asOf: z.string().nullable().describe("When the answers of an import were asked for."),
});

export const checkWorkbook = tool({
  name: "check_workbook",
  title: "Check a workbook",
  description:
    "Looks in a workbook for keys, stuck formulas, old imports, frozen formulas and a hold, and on request for what it uses; changes nothing.",
  onFiles: "read",
  input: z.strictObject({
    workbook: argumentsOf.path.describe("The workbook to check."),
    "older-than": z
      .int()
      .min(0)
      .max(999_999)
      .default(defaultAgeDays)
      .describe("Imports whose last run is more days ago are listed."),
    uses: z
      .boolean()
      .default(false)
      .describe("True also lists the places and questions that the workbook uses, and looks them up."),
  }),
  output: z.object({
    workbook: z.string(),
    looked_for_key: z.boolean().describe("False if the server has no key, so that none was looked for."),
    problems: cutList(
      z.object({ kind: z.enum(kinds), meaning: z.string(), place: z.string(), detail: z.string() }),
    ),
    uses: z
      .object({
        summary: z.string(),
        looked_up: z.boolean().describe("False if it is not known whether codes and questions are gone."),
        lines: cutList(useLine),
      })
      .nullable()
      .describe("Null unless asked for."),
  }),
  async run(
    { workbook: given, "older-than": olderThanDays, uses: wantsUses },
    { connected, folders, io, options },
  ) {
    const workbook = await folders.file(given);
    const checking = await checkingOf({ ...options, olderThanDays }, io);
    const file = await openToCheck(workbook);
    const { namespace } = checking;
    const uses = wantsUses
      ? await usesOfBook(file, await connected(), { namespace, signal: io.signal })
      : null;
    const all = [...checkBook(file, checking), ...(uses ? goneUses(uses) : [])];
    const problems = cut(all.map((problem) => ({ ...problem, meaning: problemKinds[problem.kind] })));
    const lines = uses && cut(usesJson(uses).lines);
    return {
      structured: {
        ...{ workbook, looked_for_key: checking.keys.length > 0, problems },
        uses: uses && lines && { summary: usesText(uses), looked_up: uses.isLookedUp, lines },
      },
      text: [
        {
          title: `Problems found: ${problems.total.toLocaleString("en-US")}.`,
          columns: ["kind", "place", "detail"],
          rows: problems.first.map(({ kind, place, detail }) => [kind, place, detail]),
        },
        ...(uses && lines
          ? [
              {
                title: usesText(uses),
                columns: ["use"],
                rows: linesOfUses(uses)
                  .slice(0, lines.first.length)
                  .map((line) => [textOfUse(line)]),
              },
            ]
          : []),
      ],
    };
  },
});
