import type { KeylessSession, Session } from "../../../app";
import { inTurns } from "../../../async/in-turns";
import { config } from "../../../config";
import { createImportBook } from "../../../workbook/imports/saved/import-book";
import {
  type AnswerLine,
  inOrder,
  type ListedPrecedents,
  precedentSentences,
} from "../../../workbook/precedents/precedent-lines";
import { planPrecedentsSheet } from "../../../workbook/precedents/precedents-sheet";
import { readPrecedents } from "../../../workbook/precedents/read-precedents";
import { spills } from "../../../workbook/sheet/excel-api";
import type { CellPosition } from "../../../workbook/sheet/workbook";
import { writeSheetNoted } from "../../../workbook/work-note/noted-tables";
import type { JobTools } from "../../jobs/slot";
import type { PaneApp } from "../../pane-app";
import { plural } from "../../ui/labels";
import { answersOf, withCitation } from "../facts/cell-facts";
import { createKnownParts } from "../facts/known-parts";
import { answerLine } from "./answer-lines";
import type { PrecedentsSeen } from "./precedents-control";

/** Lists the answers of which the cell at this place is made, as far as they are kept. No request is sent. */
export async function listPrecedents(
  { workbook, hasExcelApi }: PaneApp,
  session: Session | KeylessSession,
  place: CellPosition,
  { signal, tell }: JobTools,
): Promise<PrecedentsSeen> {
  const book = createImportBook(workbook);
  const parts = createKnownParts(book, workbook);
  const { imports } = await book.list();
  const precedents = await readPrecedents(
    place,
    {
      ...{ workbook, namespace: config.namespace, canSeeSpills: hasExcelApi(spills), imports },
      ...{ importOf: parts.importOf, frozen: parts.frozen },
    },
    { signal, onLooked: (cells) => tell({ step: `Following the formula: ${plural(cells, "cell")} so far` }) },
  );
  tell({ step: "Looking up what is kept" });
  const known = await answersOf(precedents.answers, session, { keptOnly: true, signal });
  const facts = await Promise.all(
    known.map((each, index) => {
      const cell = precedents.answers[index]?.cell;
      return cell ? withCitation(each, cell, parts) : each;
    }),
  );
  const lines: AnswerLine[] = [];
  await inTurns(precedents.answers.entries(), ([index, { cell }]) => {
    const of = facts[index];
    if (of) lines.push(answerLine(cell, of));
  });
  const listed: ListedPrecedents = { ...precedents, answers: inOrder(lines) };
  return { listed, summary: precedentSentences(listed, plural).join(" ") };
}

/** Writes the list to a new sheet, which is taken back if that is cancelled. Returns its address. */
export async function writePrecedents(
  { workbook, unfinished }: PaneApp,
  listed: ListedPrecedents,
  signal: AbortSignal,
): Promise<string> {
  const plan = planPrecedentsSheet(listed);
  const { address } = await writeSheetNoted(unfinished, workbook, plan, {
    ...{ name: "Answers", signal },
    heading: `Answers in ${listed.of.address}`,
  });
  return address;
}
