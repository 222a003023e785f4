import type { Session } from "../../../app";
import type { ImportQuestion } from "../../../workbook/imports/run/question";
import { runImport } from "../../../workbook/imports/run/run-import";
import type { TableForm } from "../../../workbook/sheet/layout/table-plan";

/** The beginning of a table: headers, and texts as published; TRUE or FALSE where the sheet will show that. */
export interface PreviewTable {
  headers: string[];
  rows: string[][];
}

/** Jurisdictions that a preview asks about: of all questions one request. */
const previewedAhjs = 5;
/** Of a long table, which has a row for each value. */
const previewedRows = 5;

/** The first rows of an import, planned as the import itself is. Asks what is not kept. Fails with a Failure. */
export async function previewRows(
  question: ImportQuestion,
  session: Pick<Session, "client" | "lookup">,
  form: TableForm,
  signal: AbortSignal,
): Promise<PreviewTable> {
  const few = { ...question, ahjs: question.ahjs.slice(0, previewedAhjs) };
  const { answers, table, rows } = await runImport(few, session, {
    ...{ form, signal },
    isDated: form.hasDates ?? false,
  });
  return {
    headers: table.columns.map(({ header }) => header),
    rows: table.rows.slice(0, previewedRows).map((cells, index) =>
      table.columns.map(({ content }, column) => {
        const about = rows[index];
        if (content.of !== "answer" || !about) return String(cells[column]?.value ?? "");
        const value = cells[column]?.value;
        // The sheet shows it so, whatever the service's word for it is.
        if (typeof value === "boolean") return String(value).toUpperCase();
        const answer = answers.of(about.ahj.id, content.typeId ?? about.type?.id ?? 0);
        const text = answer?.[content.part] ?? "";
        return content.part === "updatedAt" ? text.slice(0, "2026-01-31".length) : text;
      }),
    ),
  };
}
