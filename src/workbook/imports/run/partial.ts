import type { Client } from "../../../engine/api/client";
import type { Ahj } from "../../../engine/api/schemas";
import { asFailure } from "../../../errors";
import type { Lookup } from "../../../engine/lookup/lookup";
import { tableRows, type TableForm } from "../../sheet/layout/table-plan";
import type { ImportQuestion } from "./question";
import { readImport, type ReadImport, type RunOptions } from "./run-import";

/**
 * The answers that had come before a matrix was cancelled or failed, for those AHJs that have all of their answers. Asks the service
 * nothing. Null if no AHJ is complete, and for a collection, whose pages don't tell which AHJs are complete.
 */
export async function readSoFar(
  question: ImportQuestion,
  session: { client: Client; lookup: Lookup },
  options: Pick<RunOptions, "isDated" | "hold">,
): Promise<ReadImport | null> {
  if (question.kind !== "matrix") return null;
  const read = await readImport(question, session, { ...options, keptOnly: true }).catch((thrown: unknown) =>
    asFailure(thrown),
  );
  return "answers" in read && read.answers.ahjs.length > 0 ? read : null;
}

/** The part of an import that had been written: the AHJs whose rows are all among the first `writtenRows`. Null if there is none. */
export function firstRows(
  { answers, report }: ReadImport,
  layout: TableForm["layout"],
  writtenRows: number,
): ReadImport | null {
  const rows = tableRows(answers, layout);
  const open = new Set(rows.slice(writtenRows).map(({ ahj }) => ahj.id));
  const ahjs = answers.ahjs.filter(({ id }) => !open.has(id));
  if (ahjs.length === 0) return null;
  const isIn = ({ id }: Ahj) => !open.has(id);
  const withoutValue = report.withoutValue
    .map(({ type, ahjs: blank }) => ({ type, ahjs: blank.filter(isIn) }))
    .filter(({ ahjs: blank }) => blank.length > 0);
  let values = 0;
  for (const ahj of ahjs) for (const type of answers.types) if (answers.of(ahj.id, type.id)) values += 1;
  return {
    answers: { ...answers, ahjs },
    report: {
      ...report,
      rows: ahjs.length,
      values,
      withoutValue,
      notRead: [...report.notRead, ...answers.ahjs.filter((ahj) => !isIn(ahj))],
    },
  };
}
