import type { Session } from "../../../app";
import { config } from "../../../config";
import { createRequestBudget } from "../../../engine/transport/request-budget";
import type { ImportQuestion } from "../../../workbook/imports/run/import-types";
import { runImport } from "../../../workbook/imports/run/run-import";
import { answerParts } from "../../../workbook/sheet/layout/answer-parts";
import { hasIds, type TableForm } from "../../../workbook/sheet/layout/table-plan";

/**
 * The answers at the beginning of a table, with the jurisdiction of each row in front (`Los Angeles County, CA`): headers, and texts as
 * published. A value that the sheet will show as TRUE or FALSE is TRUE or FALSE here, too.
 */
export interface PreviewTable {
  headers: string[];
  rows: string[][];
}

/** The number of jurisdictions that a preview asks about. All their questions take one request. */
const previewedAhjs = 5;
/** The number of rows that are shown: a long table has a row for each value. */
const previewedRows = 5;

/**
 * The first rows of an import, planned by the import's own code. Asks the service for answers that are not stored, in
 * `config.previewRequests` at most. Fails with a Failure.
 */
export async function previewRows(
  question: ImportQuestion,
  session: Pick<Session, "client" | "lookup">,
  form: TableForm,
  signal: AbortSignal,
): Promise<PreviewTable> {
  const few = { ...question, ahjs: question.ahjs.slice(0, previewedAhjs) };
  const { answers, table, rows } = await runImport(few, session, {
    form,
    signal,
    isDated: form.hasDates ?? false,
    budget: createRequestBudget(config.previewRequests, "Insert the table to have all of them sent."),
  });
  const columns = [...table.columns.entries()].filter(
    ([, column]) => column.content.of !== "ahj" && !hasIds(column),
  );
  return {
    headers: ["Jurisdiction", ...columns.map(([, { header }]) => header)],
    rows: table.rows.slice(0, previewedRows).map((cells, index) => {
      const about = rows[index];
      const texts = columns.map(([column, { content }]) => {
        const value = cells[column]?.value;
        if (content.of !== "answer" || !about) return String(value ?? "");
        // The sheet will show TRUE or FALSE, whatever word the service uses.
        if (typeof value === "boolean") return String(value).toUpperCase();
        const answer = answers.of(about.ahj.id, content.typeId ?? about.type?.id ?? 0);
        if (!answer) return String(value ?? "");
        return answerParts[content.part].readable(answer[content.part] ?? "");
      });
      return [about ? `${about.ahj.name}, ${about.ahj.state_code}` : "", ...texts];
    }),
  };
}
