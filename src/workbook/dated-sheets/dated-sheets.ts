import { finishInTurns } from "../../async/in-turns";
import { Failure } from "../../errors";
import { SheetFailure } from "../../sheet-failure";
import { sheetNameIn } from "../sheet/layout/cell-address";
import type { ImportTables } from "../sheet/tables/table-changes";
import type { Workbook } from "../sheet/workbook";
import { writeSheetNoted } from "../work-note/noted-tables";
import type { UnfinishedBook } from "../work-note/unfinished-book";
import { type DatedAnswer, standings } from "./dated-answer";
import {
  datedHeaders,
  type DatedAnswers,
  datedSheetName,
  isDatedSheet,
  planDatedSheet,
  readDatedRows,
} from "./dated-sheet";
import type { ShownAnswers } from "./present-answers";

/** A sheet that keeps the values of some day. */
export interface DatedSheet {
  tableId: string;
  /** The name of its sheet. */
  name: string;
}

/** The dated sheets of the workbook, the newest first. */
export async function listDatedSheets(tables: Pick<ImportTables, "list">): Promise<DatedSheet[]> {
  const found = (await tables.list()).filter(isDatedSheet);
  return found.map(({ tableId, address }) => ({ tableId, name: sheetNameIn(address) })).reverse();
}

/** Reads the answers on a dated sheet. Fails with the workbook's kinds and dated-sheet-gone. */
export async function readDatedSheet(
  { tableId }: Pick<DatedSheet, "tableId">,
  tables: Pick<ImportTables, "read">,
): Promise<DatedAnswers> {
  const table = await tables.read(tableId, datedHeaders).catch((thrown: unknown) => {
    throw thrown instanceof Failure && thrown.kind === "table-gone" ? gone(thrown) : thrown;
  });
  // Somebody may have deleted a column since the sheets were listed.
  if (!isDatedSheet(table)) throw gone();
  return finishInTurns(readDatedRows(table));
}

const gone = (cause?: Failure) => new SheetFailure("dated-sheet-gone", { cause });

/** The facts of a dated sheet that was written. */
export interface WrittenDatedSheet extends Pick<ShownAnswers, "uncited" | "unread"> {
  /** The address of its table; null if there was nothing to keep, so that none was written. */
  address: string | null;
  answers: number;
  edited: number;
}

/** Writes the answers to a new dated sheet. Fails as `writeTable` does; the workbook is then as it was. */
export async function writeDatedSheet(
  { answers, ...others }: ShownAnswers,
  { workbook, unfinished }: { workbook: Workbook; unfinished: Pick<UnfinishedBook, "during"> },
  options: {
    atMs: number;
    /** False if the user stays where they are. */
    isShown: boolean;
    signal?: AbortSignal | undefined;
    onProgress?: ((writtenRows: number) => void) | undefined;
  },
): Promise<WrittenDatedSheet> {
  const facts = {
    answers: answers.length,
    edited: answers.filter(({ standing }: DatedAnswer) => standing === standings.edited).length,
    ...others,
  };
  if (answers.length === 0) return { address: null, ...facts };
  const plan = await finishInTurns(planDatedSheet(answers));
  const { atMs, ...writing } = options;
  const name = datedSheetName(atMs);
  const { address } = await writeSheetNoted(unfinished, workbook, plan, { ...writing, name });
  return { address, ...facts };
}

/** Sentences on a dated sheet that was written. `shown` makes a name from the workbook safe to be shown. */
export function keptSentences(
  { address, answers, edited, uncited: lacking, unread }: WrittenDatedSheet,
  count: (number: number, noun: string) => string,
  shown: (name: string) => string,
): string[] {
  const first =
    address === null
      ? "No dated sheet was written: the imports show no answers."
      : `${count(answers, "answer")} kept at ${address}.`;
  return [
    first,
    ...(edited > 0 ? [`${count(edited, "cell")} edited.`] : []),
    ...(lacking > 0 ? [`The citation is not known for ${count(lacking, "value")}.`] : []),
    ...unread.map(({ name, reason }) => `${shown(name)} was left out: ${reason}.`),
  ];
}
