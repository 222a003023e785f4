import { z } from "zod";
import { checkBook, openToCheck, problemKinds } from "../../check/check-book";
import { checkingOf, defaultAgeDays } from "../../check/checking";
import { argumentsOf, cut, cutList } from "../shapes";
import { tool } from "../tool";

const kinds = Object.keys(problemKinds) as (keyof typeof problemKinds)[];

export const checkWorkbook = tool({
  name: "check_workbook",
  title: "Check a workbook",
  description:
    "Looks in a workbook for keys, stuck formulas, old imports and frozen formulas, and changes nothing.",
  onFiles: "read",
  input: z.strictObject({
    workbook: argumentsOf.path.describe("The workbook to check."),
    "older-than": z
      .int()
      .min(0)
      .max(999_999)
      .default(defaultAgeDays)
      .describe("Imports whose last run is more days ago are listed."),
  }),
  output: z.object({
    workbook: z.string(),
    looked_for_key: z.boolean().describe("False if the server has no key, so that none was looked for."),
    problems: cutList(
      z.object({ kind: z.enum(kinds), meaning: z.string(), place: z.string(), detail: z.string() }),
    ),
  }),
  async run({ workbook: given, "older-than": olderThanDays }, { folders, io, options }) {
    const workbook = await folders.file(given);
    const checking = await checkingOf({ ...options, olderThanDays }, io);
    const all = checkBook(await openToCheck(workbook), checking);
    const problems = cut(all.map((problem) => ({ ...problem, meaning: problemKinds[problem.kind] })));
    return {
      structured: { workbook, looked_for_key: checking.keys.length > 0, problems },
      text: [
        {
          title: `Problems found: ${problems.total.toLocaleString("en-US")}.`,
          columns: ["kind", "place", "detail"],
          rows: problems.first.map(({ kind, place, detail }) => [kind, place, detail]),
        },
      ],
    };
  },
});
