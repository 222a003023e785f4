import { WorkbookFileError } from "../workbook-file-error";
import type { WorkbookPackage } from "./workbook-package";

const isOfSignature = (part: string) => part.toLowerCase().startsWith("_xmlsignatures/");
const isOrigin = ({ type }: { type: string }) => type.endsWith("/digital-signature/origin");

/**
 * Refuses a signed workbook, as no change of it keeps the signature valid; or takes the signature away. A signature of macros is
 * a part of theirs and stays.
 */
export function handleSignature(workbookPackage: WorkbookPackage, drops: boolean): void {
  const parts = workbookPackage.names().filter(isOfSignature);
  const isSigned = parts.length > 0 || workbookPackage.relationships("").some(isOrigin);
  if (!isSigned) return;
  if (!drops) {
    throw new WorkbookFileError(
      "signed",
      "The workbook has a digital signature, which any change would break. Open a copy without the signature.",
    );
  }
  workbookPackage.unrelate("", isOrigin);
  for (const part of parts) workbookPackage.remove(part);
}
