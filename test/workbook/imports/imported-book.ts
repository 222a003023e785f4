import { createService } from "../../../reference-service/service";
import type { ImportOrder } from "../../../src/workbook/imports/run/import-types";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { refreshImport, type RefreshOptions } from "../../../src/workbook/imports/refresh/refresh";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import type { TableForm } from "../../../src/workbook/sheet/layout/table-plan";
import { createImportTables } from "../../../src/workbook/sheet/tables/table-changes";
import { inTime } from "../../excel/in-time";
import { openExcel, type SavedFile } from "../../excel/open-excel";
import { pass } from "../../functions/excel";
import type { Interception } from "../../recorded-service";

/** An object of the service's JSON. */
export type Sent = Record<string, unknown> & {
  id?: unknown;
  values?: Record<string, { value: string } | null>;
};

/** The reference service, with each object of its JSON changed. */
export function serviceSaying(
  change: (object: Sent) => void,
  options: Parameters<typeof createService>[0] = {},
): Interception {
  const service = createService(options);
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const each of Object.values(value)) walk(each);
    if (!Array.isArray(value)) change(value as Sent);
  };
  return async (request) => {
    const answer = await service.fetch(request.clone());
    if (!answer.headers.get("Content-Type")?.includes("json")) return answer;
    const body: unknown = await answer.json();
    walk(body);
    return Response.json(body, { status: answer.status, headers: answer.headers });
  };
}

/** The id of the question about plan review fees in dollars. */
export const fee = 1056;
const twoDaysMs = 2 * 86_400_000;

/**
 * Excel with an import of four jurisdictions of Nevada and two questions, on the sheet Fees: the fees stand in F2:F5. The times of Excel and
 * of the add-in must be played.
 */
export async function importedBook(
  change: (object: Sent) => void = () => undefined,
  {
    form = { layout: "wide", hasCitations: false } as TableForm,
    find = undefined as unknown,
    onRequest = undefined as ((requestsBefore: number) => void) | undefined,
  } = {},
) {
  const intercept = serviceSaying(change);
  const excel = openExcel({ intercept, excelApi: "1.18", ...(onRequest && { onRequest }) });
  const session = await inTime(excel.app.session());
  const { ahjs } = await inTime(session.lookup.directory.list("NV"));
  const types = (await inTime(session.lookup.catalogue.types())).filter(
    ({ id }) => id === 1003 || id === fee,
  );
  const question = { kind: "matrix" as const, ahjs: ahjs.slice(0, 4), types, find };
  const order = { question, form, hasSources: false, sheetName: "Fees" } as ImportOrder;
  const place = { kind: "new-sheet", name: "Fees" } as const;
  const placed = await inTime(placeImport(order, place, { workbook: excel.app.workbook, session }, {}));
  if (placed.status === "failed") throw placed.failure;
  return { ...bookOf(excel, session), reopened };

  /** The same workbook, as a colleague opens it whose device has kept nothing. */
  async function reopened() {
    const file: SavedFile = excel.save();
    excel.close();
    const other = openExcel({ intercept, excelApi: "1.18", file });
    return bookOf(other, await inTime(other.app.session()));
  }
}

function bookOf(
  excel: ReturnType<typeof openExcel>,
  session: Awaited<ReturnType<ReturnType<typeof openExcel>["app"]["session"]>>,
) {
  const book = createImportBook(excel.app.workbook);
  const tables = createImportTables(excel.app.workbook);
  const dependencies = { tables, book, ...session };
  return {
    excel,
    dependencies,
    saved: async () => (await inTime(book.list())).imports[0]!.saved,
    /** Refreshes the import two days later, as the pane does. */
    async refresh(options: RefreshOptions = {}) {
      await pass(twoDaysMs);
      const { saved } = (await inTime(book.list())).imports[0]!;
      return inTime(refreshImport(saved, dependencies, options));
    },
  };
}
