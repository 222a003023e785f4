import { config } from "../../../config";
import { sourcesOf } from "../../../workbook/imports/sources/cell-source";
import { createImportBook } from "../../../workbook/imports/saved/import-book";
import { spills } from "../../../workbook/sheet/excel-api";
import type { PaneApp } from "../../pane-app";
import { createKnownParts } from "./known-parts";

/** True if the selected cell has a formula of the add-in's, or an answer of an import. The service is not asked. */
export async function showsAnswer({
  workbook,
  hasExcelApi,
}: Pick<PaneApp, "workbook" | "hasExcelApi">): Promise<boolean> {
  const cell = await workbook.selectedCell(hasExcelApi(spills));
  const { importOf } = createKnownParts(createImportBook(workbook), workbook);
  const { namespace } = config;
  return (await sourcesOf(cell, { namespace, workbook, importOf })).length > 0;
}
