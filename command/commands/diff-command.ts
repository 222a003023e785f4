import { byRule, type RuleChange } from "../../src/workbook/imports/refresh/same-rule";
import type { CellScalar } from "../../xlsx/workbook-file";
import {
  type DatedDifference,
  differenceKinds,
  isSameAll,
} from "../../src/workbook/dated-sheets/compare-dated";
import { answerText, type DatedAnswer, valueText } from "../../src/workbook/dated-sheets/dated-answer";
import {
  countsSentence,
  differenceLine,
  differenceWords,
  ruleDifferences,
} from "../../src/workbook/dated-sheets/differences-sheet";
import { connectIfGiven, type ConnectionOptions } from "../command-connection";
import { CommandFailure, exitCodes } from "../command-failure";
import type { CommandIo } from "../command-io";
import { commonOptions, readOptions, serviceOptions, withRepeated } from "../command-options";
import {
  compareDatedSheets,
  type DatedSheetsDifference,
  type DatedSide,
  presentWord,
} from "../diff/compare-dated-sheets";
import { type BookDifference, isDifferent } from "../diff/compare-books";
import type { AnswerDifference, ShownAnswer } from "../diff/compare-imports";
import { compareFiles } from "../diff/compare-files";
import type { CellDifference, ReadCell } from "../diff/read-sheet";
import { counted } from "../output/counted";
import { printableLine } from "../output/printable";
import type { Command } from "./command-shape";
import { listedLines } from "./each-book";

const options = { ...commonOptions, ...serviceOptions, sheets: { type: "string", multiple: true } } as const;

/** The number of lines that are printed; the others are only counted. */
const mostLines = 1_000;

export const diff: Command = {
  summary: "Say what changed between two versions of a workbook: answers with citations, cells, sheets.",
  help: `npm run regdata -- diff BEFORE.xlsx NOW.xlsx
npm run regdata -- diff BOOK.xlsx --sheets "Values 2026-11-02" "Values 2026-11-30"

Compares two versions of a workbook and prints:
  - sheets that came or went, by their names
  - for each import that both remember: every answer that is other, with jurisdiction, question, unit and, if the table has
    columns of citations (made with --citations), the citation before and now. Places with one rule are one line. Rows are matched by
    their AHJ ids and columns by their headers, wherever they stand.
  - any other cell that holds another value or formula, by its address
Formats, charts, comments and names are not compared. A row that was inserted outside of imports shifts the cells below it, which
all count as changed.

  --sheets BEFORE NOW  Compare two dated sheets of one workbook instead, as "refresh --snapshot" and the pane write them: which
                       values changed, by place and question, which came and which are gone, with citations. NOW may be
                       "${presentWord}" for the imports as they are, which it is if you name one sheet. No request is sent:
                       the citations of "${presentWord}" are those in the tables, and those of answers that were kept for your key
                       (REGDATA_SERVICE and REGDATA_KEY, or --service, --key-file and --answers as for "refresh").

At most ${mostLines.toLocaleString("en-US")} lines of each kind are printed, the rest counted; --json has all.

Exit code 0: nothing differs. 10: something does.`,
  async run(words, io) {
    const { values, positionals } = readOptions(withRepeated(words, ["sheets"]), options);
    const [before, now] = positionals;
    if (values.sheets) return diffSheets(positionals, values.sheets, values, io);
    if (before === undefined || now === undefined || positionals.length > 2)
      throw new CommandFailure("usage", "Name two workbooks: the one before, and the one now.");
    const difference = await compareFiles(before, now);
    if (values.json) io.print(JSON.stringify({ before, now, ...difference }, undefined, 2));
    else if (!values.quiet) io.print(textOf(difference, `${printableLine(before)} → ${printableLine(now)}`));
    return isDifferent(difference) ? exitCodes.changed : exitCodes.unchanged;
  },
};

/** Compares two dated sheets of one workbook. */
async function diffSheets(
  paths: readonly string[],
  names: readonly string[],
  { json, quiet, ...connection }: ConnectionOptions & { json?: boolean; quiet?: boolean },
  io: CommandIo,
): Promise<number> {
  const [path] = paths;
  const [before, now = presentWord] = names;
  if (path === undefined || paths.length > 1 || before === undefined || names.length > 2)
    throw new CommandFailure(
      "usage",
      "Name one workbook, and behind --sheets one or two of its dated sheets.",
    );
  // Answers that an earlier command has kept tell citations; without a key there are none.
  const difference = await compareDatedSheets(
    path,
    { before, now },
    await connectIfGiven(connection, io),
    io.signal,
  );
  if (json) io.print(JSON.stringify(jsonOf(path, difference), undefined, 2));
  else if (!quiet) io.print(sheetsText(difference));
  return isSameAll(difference.comparison) ? exitCodes.unchanged : exitCodes.changed;
}

function sheetsText({ before, now, comparison }: DatedSheetsDifference): string {
  const lines = [`${printableLine(before.name)} → ${printableLine(now.name)}`];
  lines.push(`  ${countsSentence(comparison, counted)}`);
  for (const kind of differenceKinds) {
    const differences = comparison[kind];
    if (differences.length > 0)
      lines.push(
        `  ${differenceWords[kind].title}: ${counted(differences.length, differenceWords[kind].noun)}`,
      );
    lines.push(...indented(ruleDifferences(differences), (rule) => printableLine(differenceLine(rule), 400)));
  }
  return [...lines, ...[before, now].flatMap(unreadLines)].join("\n");
}

function unreadLines({ name, unreadRows, unread }: DatedSide): string[] {
  const rows = `${counted(unreadRows, "row")} of ${printableLine(name)} can't be compared: they have no AHJ ID or no Question ID.`;
  return [
    ...(unreadRows > 0 ? [`  ${rows}`] : []),
    ...unread.map((each) => `  ${printableLine(each.name)} was left out: ${each.reason}.`),
  ];
}

function jsonOf(book: string, { before, now, comparison }: DatedSheetsDifference) {
  const answerJson = (answer: DatedAnswer | null) =>
    answer && {
      ...{
        value: answer.value === "" ? null : answer.value,
        shown: valueText(answer),
        text: answerText(answer),
      },
      ...{ standing: answer.standing, reference: answer.reference, section: answer.section },
    };
  const differenceJson = ({ about, ...times }: DatedDifference) => ({
    ...{ import: about.importName, ahjId: about.ahjId, jurisdiction: about.jurisdiction },
    ...{ questionId: about.typeId, question: about.question },
    ...{ before: answerJson(times.before), now: answerJson(times.now) },
  });
  const lists = differenceKinds.map((kind) => [kind, comparison[kind].map(differenceJson)]);
  return { book, before, now, same: comparison.same, ...Object.fromEntries(lists) };
}

function textOf(difference: BookDifference, title: string): string {
  const lines = [title];
  const { sheets, imports, changedImports, cells } = difference;
  const tell = (names: readonly string[], what: string) => {
    for (const name of names) lines.push(`  ${what}: ${printableLine(name)}`);
  };
  tell(sheets.came, "New sheet");
  tell(sheets.went, "Sheet gone");
  tell(imports.came, "New import");
  tell(imports.went, "Import gone");
  for (const { name, answers, cells: others } of changedImports) {
    lines.push(`  ${printableLine(name)}: ${counted(answers.length, "answer")} changed`);
    lines.push(...indented(rulesOf(answers), answerLine));
    if (others.length > 0)
      lines.push(`  ${printableLine(name)}, other columns: ${counted(others.length, "cell")} changed`);
    lines.push(...indented(others, cellLine));
  }
  if (cells.length > 0) lines.push(`  Other cells: ${counted(cells.length, "cell")} changed`);
  lines.push(...indented(cells, cellLine));
  if (lines.length === 1) lines.push("  Nothing differs.");
  return lines.join("\n");
}

function indented<Item>(items: readonly Item[], lineOf: (item: Item) => string): string[] {
  return listedLines(items, mostLines, lineOf).map((line) => `    ${line}`);
}

/** `Fees!D7 Harris County, TX · Permit fee: $300 (City Code § 12) → $325 (Ord. 2026-14)` */
function answerLine({ own: { cell, question, before, now }, places }: RuleChange<AnswerDifference>): string {
  const text = (answer: ShownAnswer | null) => answer?.text ?? "no value";
  return printableLine(`${cell} ${places} · ${question}: ${text(before)} → ${text(now)}`, 400);
}

/** The differences that one rule has made, joined. */
function rulesOf(answers: readonly AnswerDifference[]): RuleChange<AnswerDifference>[] {
  return byRule(answers, ({ ahj, question, before, now }) => ({
    ahj,
    rule: [question, before?.text ?? null, now?.text ?? null],
  }));
}

/** As Excel shows it. */
function scalarText(value: CellScalar): string {
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}

function cellLine({ cell, before, now }: CellDifference): string {
  // A number and a text of its digits look alike.
  const isAlike = scalarText(before.value) === scalarText(now.value) && before.value !== now.value;
  return printableLine(`${cell}: ${contentText(before, isAlike)} → ${contentText(now, isAlike)}`, 400);
}

function contentText({ value, formula }: ReadCell, quotesTexts: boolean): string {
  const text = quotesTexts && typeof value === "string" ? `"${value}"` : scalarText(value);
  const shown = value === null ? "blank" : text;
  return formula === null ? shown : `${formula} (${shown})`;
}
