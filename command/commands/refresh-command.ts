import { keptSentences } from "../../src/workbook/dated-sheets/dated-sheets";
import { changeLists } from "../../src/workbook/imports/refresh/change-lists";
import type { PlacedLine } from "../../src/workbook/imports/refresh/changes-sheet";
import type { RuleChange } from "../../src/workbook/imports/refresh/same-rule";
import { CommandFailure, exitCodes } from "../command-failure";
import { connect, connectionHelp } from "../command-connection";
import { commonOptions, readOptions, serviceOptions } from "../command-options";
import { cited } from "../output/cited";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import { createProgress } from "../output/progress";
import { refreshBook, type RefreshedBook, withoutLines } from "../refresh/refresh-book";
import { type Edited, editHelp, editOptions } from "../workbook/edit-book";
import type { Command } from "./command-shape";
import { forEachBook, mustBeNamed, writtenLines } from "./each-book";

const options = {
  ...commonOptions,
  ...serviceOptions,
  ...editOptions,
  "other-service": { type: "boolean" },
  "keep-renamed": { type: "boolean" },
  "max-age": { type: "string" },
  snapshot: { type: "boolean" },
} as const;

export const refresh: Command = {
  summary: "Ask again for what a workbook's imports hold, and write what changed.",
  help: `npm run regdata -- refresh BOOK.xlsx [BOOK.xlsx …]

Asks the service again for the imports of each workbook, writes the values that changed, and prints them with the citations
before and now. Nothing else in the file changes, and no cell that somebody has typed into. A file is written only if a value
changed, whole or not at all, with the old one kept beside it.
${editHelp}
  --snapshot         First keep what the imports show on a new sheet "Values" with the day: plain values with the citations that
                     are known. It is written with the refresh, whole or not at all. "diff --sheets" compares two of them.
  --other-service    Refresh imports that came from another service's address as well.
  --keep-renamed     Refresh columns on whose headers somebody has changed, under their new headers.
  --max-age MINUTES  Take kept answers that are no older than this. Default: 0, all that the workbooks hold is asked, each once.${connectionHelp}`,
  async run(words, io) {
    const { values, positionals: paths } = readOptions(words, options);
    mustBeNamed(paths, values.output, "to refresh");
    const sinceMs = Date.now() - minutesOf(values["max-age"]) * 60_000;
    const connected = await connect(values, io);
    const blank = { written: null, backup: null, imports: [], snapshot: null };
    return forEachBook(paths, { ...values, blank }, io, async (path) => {
      const progress = createProgress(io, values.quiet === true || values.json === true);
      const { result, ...edited } = await refreshBook(path, connected, { ...values, sinceMs }, io, progress);
      const { snapshot } = result;
      const imports = withoutLines(result.imports);
      const hasFailed = imports.some(({ failure }) => failure !== null);
      const code = edited.written === null ? exitCodes.unchanged : exitCodes.changed;
      return {
        code: hasFailed ? exitCodes.service : code,
        json: { ...edited, imports, snapshot },
        lines: linesOf(result, edited),
      };
    });
  },
};

function minutesOf(text = "0"): number {
  if (!/^\d{1,6}$/.test(text))
    throw new CommandFailure("usage", "--max-age takes minutes as a whole number, such as 60.");
  return Number(text);
}

function linesOf(
  { imports, snapshot }: RefreshedBook,
  edited: Pick<Edited<unknown>, "written" | "backup">,
): string[] {
  if (imports.length === 0) return ["No imports in this workbook.", ...writtenLines(edited)];
  const lines = snapshot ? keptSentences(snapshot, counted, (name) => printableLine(name, 100)) : [];
  for (const { name, failure, rules, changed, unchecked, renamedColumns } of imports) {
    const summary = failure === null ? `${counted(changed, "value")} changed` : printableLine(failure, 400);
    lines.push(`${printableLine(name)}: ${summary}`);
    for (const { before, after } of renamedColumns)
      lines.push(
        `  ${printableLine(`“${after}” used to be ${before}. It was not refreshed. To refresh it on: --keep-renamed`, 400)}`,
      );
    for (const sentence of unchecked) lines.push(`  ${sentence}`);
    for (const rule of rules) if (!changeLists[rule.own.list].isSummedUp) lines.push(`  ${ruleLine(rule)}`);
  }
  if (edited.written === null) lines.push("Nothing changed; the file is as it was.");
  return [...lines, ...writtenLines(edited)];
}

/** `Fees!D7  Harris County, TX · Permit fee: $300 (City Code § 12) → $325 (Ord. 2026-14)` */
function ruleLine({ own, places }: RuleChange<PlacedLine>): string {
  const { list, address, question, what, before, after, told } = own;
  const subject = question ? `${places} · ${question}` : places;
  const line = {
    answers: `${subject}: ${cited({ ...before })} → ${cited({ ...after })}`,
    names: `${what}: ${[before?.value, after?.value].filter((name) => name !== undefined).join(" → ")}`,
    sentences: `${subject}: ${told}`,
    none: `${subject}: ${what}`,
  }[changeLists[list].texts];
  return printableLine(`${address ? `${address}  ` : ""}${line}`, 400);
}
