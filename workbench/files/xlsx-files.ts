import { openWorkbookFile, WorkbookFileError } from "../../xlsx/workbook-file";
import { type LeftOut, leftOutOf } from "./left-out";
import { readXlsx } from "./read-xlsx";
import { newXlsx, updateXlsx, type WrittenAddin } from "./write-xlsx";
import type { WorkbookDocument } from "../host/office-document";
import type { Spreadsheet } from "../spreadsheet";

export interface SavedXlsx {
  bytes: Uint8Array<ArrayBuffer>;
  /** The name to save it under. */
  name: string;
  leftOut: LeftOut[];
}

interface XlsxFiles {
  /** Reads a file, and gives the way to put it in the place of the workbook. Throws a WorkbookFileError. */
  read(bytes: Uint8Array, name: string | undefined): () => void;
  /**
   * The workbook as a file: the one that was opened with what is other now, so that all else stays in it. Throws a RangeError for
   * what no file can hold.
   */
  save(): SavedXlsx;
  /** The workbook is no longer the opened file's. */
  forget(): void;
}

/** The workbook of the page as an .xlsx file. `usualName` is that of a workbook which was never one. */
export function createXlsxFiles(
  { spreadsheet, document }: { spreadsheet: Spreadsheet; document: WorkbookDocument },
  addin: WrittenAddin,
  usualName: string,
): XlsxFiles {
  let opened: { bytes: Uint8Array; name: string | undefined } | null = null;
  return {
    read(given, name) {
      const bytes = given.slice();
      const { contents, document: saved } = readXlsx(openWorkbookFile(bytes), addin);
      // Univer calculates and shows dates of the usual system alone.
      if (contents.uses1904)
        throw new WorkbookFileError(
          "unsupported",
          "This workbook counts days from 1904, which the grid can't show.",
        );
      return () => {
        document.open(saved);
        spreadsheet.openContents(contents);
        opened = { bytes, name };
      };
    },
    save() {
      const now = { contents: spreadsheet.contents(), document: document.save() };
      const known = opened && openWorkbookFile(opened.bytes);
      const before = known && readXlsx(known, addin);
      if (known) updateXlsx(known, now, addin);
      const file = known ?? newXlsx(now, addin);
      return {
        bytes: Uint8Array.from(file.save()),
        name: savedName(opened?.name ?? usualName),
        leftOut: leftOutOf(now, before, spreadsheet),
      };
    },
    forget() {
      opened = null;
    },
  };
}

/** A workbook with macros, and a template, stays one. */
function savedName(name: string): string {
  return /\.(?:xlsx|xlsm|xltx|xltm)$/i.test(name) ? name : `${name}.xlsx`;
}
