import { addin } from "../../command/addin";
import { newXlsx } from "../../workbench/files/write-xlsx";
import { createDocument } from "../../workbench/host/office-document";
import { createMemorySpreadsheet } from "../../workbench/memory/memory-spreadsheet";
import type { CellValue } from "../../workbench/spreadsheet";

/** A workbook's file with one sheet, on which an Excel table begins in A1. The first row has its headers. */
export function tableFile(name: string, rows: CellValue[][]): Uint8Array {
  const spreadsheet = createMemorySpreadsheet();
  const [sheet] = spreadsheet.sheets();
  const rect = { row: 0, column: 0, rows: rows.length, columns: rows[0]?.length ?? 0 };
  spreadsheet.writeFormulas(sheet!.id, rect, rows);
  spreadsheet.addTable({ sheetId: sheet!.id, name, rect, style: "TableStyleLight2" });
  return newXlsx({ contents: spreadsheet.contents(), document: createDocument().save() }, addin).save();
}
