import { openWorkbookFile } from "../../xlsx/workbook-file";
import { addin } from "../addin";
import { readBook } from "../workbook/safe-write";
import { type BookDifference, compareBooks } from "./compare-books";

/** Compares the files of two versions of a workbook. Fails with a CommandFailure "file" or a WorkbookFileError. */
export async function compareFiles(before: string, now: string): Promise<BookDifference> {
  const open = async (path: string) =>
    openWorkbookFile((await readBook(path)).bytes, { dropSignature: true });
  return compareBooks(await open(before), await open(now), addin.namespace);
}
