import type { App, Session } from "../../src/app";
import { finishInTurns } from "../../src/async/in-turns";
import { createRequestBudget } from "../../src/engine/transport/request-budget";
import type { KeptImport } from "../../src/workbook/imports/saved/import-book";
import { addressOf } from "../../src/workbook/sheet/layout/cell-address";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { lookUpUses } from "../../src/workbook/uses/look-up-uses";
import { type BookUses, namesIn, planUses, type Use } from "../../src/workbook/uses/plan-uses";
import { readUses } from "../../src/workbook/uses/read-uses";
import { type UseLine, linesOfUses, nameOfUse, usesSentences } from "../../src/workbook/uses/use-lines";
import { type FileIds, readXlsx } from "../../workbench/files/read-xlsx";
import { cellReference, type WorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import { fileImports, type FileTable } from "../imports/file-imports";
import { counted } from "../output/counted";
import { openInNode } from "../workbook/excel-in-node";
import { holdOf, type Problem } from "./check-book";

/** The most requests that are sent for the codes of one workbook: the directory of the whole country takes fewer. */
const mostRequests = 100;

/** Parts of the file stand for its sheets and tables, so that the same import is found as in the other checks. */
const fileIds: FileIds = { sheet: ({ part }) => part, table: ({ part }) => part };

/**
 * The uses of a workbook file, read by the add-in's own code. With a session they are looked up, unless the workbook is on hold. Nothing is changed. Fails with a Failure.
 */
export async function usesOfBook(
  file: WorkbookFile,
  { app, session }: { app: App; session: Session | null },
  { namespace, signal }: { namespace: string; signal: AbortSignal },
): Promise<BookUses> {
  const imports = fileImports(file).imports.map(({ saved, table }): KeptImport => {
    if (!table) return { saved, partId: "", place: null };
    const { part, name } = table.table;
    return {
      saved: { ...saved, tableId: part },
      partId: "",
      place: { tableName: name, address: addressOfTable(table) },
    };
  });
  const book = openInNode(readXlsx(file, { ...addin, namespace }, fileIds), app);
  try {
    const { workbook } = book.app;
    const dependencies = {
      ...{ workbook, tables: createImportTables(workbook), namespace, canSeeSpills: true },
      book: { list: () => Promise.resolve({ imports, refused: [] }) },
    };
    const read = await readUses(dependencies, { signal });
    // Nothing is asked for a workbook on hold.
    const looked =
      session && !holdOf(file)
        ? await lookUpUses(namesIn(read), session.lookup, {
            signal,
            budget: createRequestBudget(mostRequests, "Check fewer workbooks at once."),
          })
        : null;
    return await finishInTurns(planUses(read, looked));
  } finally {
    book.close();
  }
}

function addressOfTable({ sheet, table: { ref } }: FileTable): string {
  const end = cellReference(ref.row + ref.rows - 1, ref.column + ref.columns - 1);
  return `${addressOf({ sheetName: sheet.name, row: ref.row, column: ref.column })}:${end}`;
}

/** The uses that somebody who relies on the workbook should know of. */
export function goneUses({ places, questions }: BookUses): Problem[] {
  const gone = (kind: Problem["kind"], uses: readonly Use[]) =>
    uses
      .filter(({ standing }) => standing === "gone")
      .map((use): Problem => ({ kind, place: nameOfUse(use), detail: sentencesOf(use).join(". ") }));
  return [...gone("gone-place", places), ...gone("gone-question", questions)];
}

function sentencesOf({ formulas, imports, places, why }: Use): string[] {
  const users = [...(formulas > 0 ? [counted(formulas, "formula")] : []), ...imports].join(", ");
  return [users, places.map(({ address }) => address).join("; "), why].filter((text) => text !== "");
}

/** The words of standings of which there is nothing to say. */
const untroubled = new Set(["In the directory", "In the catalogue", "Not looked up", "Read"]);

/** A line of the list for people, such as `Place: Alameda County, CA (06001): 2 formulas, Fees. Codes!B1`. */
export function textOfUse(line: UseLine): string {
  const { kind, formulas, imports, places, standing, more, asOfMs } = line;
  const users = [...(formulas ? [counted(formulas, "formula")] : []), ...imports].join(", ");
  const parts = [
    asOfMs === null ? users : `answers as of ${new Date(asOfMs).toISOString().slice(0, 10)}`,
    places.map(({ address }) => address).join("; "),
    untroubled.has(standing) ? "" : standing,
    more,
  ];
  return `${kind}: ${nameOfUse(line)}: ${parts.filter((part) => part !== "").join(". ")}`;
}

export const usesText = (uses: BookUses): string => usesSentences(uses, counted).join(" ");

/** The uses as `--json` prints them. */
export function usesJson(uses: BookUses) {
  return {
    formulas: uses.formulas,
    imports: uses.imports.length,
    isLookedUp: uses.isLookedUp,
    lines: linesOfUses(uses).map((line) => ({
      ...{
        kind: line.kind,
        name: line.name,
        code: line.code,
        formulas: line.formulas,
        imports: line.imports,
      },
      ...{ cells: line.places.map(({ address }) => address), standing: line.standing },
      ...{ meantNow: line.successors, more: line.more },
      asOf: line.asOfMs === null ? null : new Date(line.asOfMs).toISOString(),
    })),
  };
}
