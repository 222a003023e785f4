import { WorkbookFileError } from "../workbook-file-error";

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** How many bytes are searched for the names of streams. */
const SEARCHED_BYTES = 4 * 2 ** 20;

/**
 * Refuses a compound file: Excel saves a workbook with a password as one, and the old .xls is one.
 * Its streams' names, in UTF-16, tell which of the two it is.
 */
export function refuseOleFile(bytes: Uint8Array): void {
  if (!signature.every((byte, index) => bytes[index] === byte)) return;
  const text = new TextDecoder("utf-16le").decode(
    bytes.subarray(0, Math.min(bytes.length & ~1, SEARCHED_BYTES)),
  );
  if (text.includes("DRMEncryptedDataSpace")) {
    throw new WorkbookFileError(
      "encrypted",
      "The workbook is encrypted by a sensitivity label. Open it in Excel, choose a label without encryption under Home > Sensitivity, and save it. If you may not, ask whoever set the label.",
    );
  }
  if (text.includes("EncryptedPackage")) {
    throw new WorkbookFileError(
      "encrypted",
      "The workbook is protected by a password. Open it in Excel, take the password away under File > Info > Protect Workbook, and save it. If Excel asks for no password, the workbook is protected against changes: end that under Review > Protect Workbook, and save it.",
    );
  }
  throw new WorkbookFileError(
    "unsupported",
    "The file is not an .xlsx workbook but of an older kind, such as .xls. Open it in Excel and save it as .xlsx.",
  );
}
