import { Failure, type FailureKind, failureKinds } from "../src/errors";
import { WorkbookFileError } from "../xlsx/workbook-file";
import { CommandFailure, exitCodes } from "./command-failure";

/** What is to be done about a failure here, where the add-in's own sentence names the pane. */
const nextSteps: Partial<Record<FailureKind, string>> = {
  "wrong-key": "It may be wrong or expired. Check REGDATA_KEY, or the file that --key-file names.",
  "unknown-jurisdiction": 'Check the geoID and its leading zeros, or write the name: "Alameda County, CA".',
  "not-a-geoid": 'Check the geoID and its leading zeros, or write the name: "Alameda County, CA".',
  "unknown-name": "Check its spelling and its state.",
  "unexpected-answer": "Check the service's address: --service or REGDATA_SERVICE.",
};

/** A failure's sentence with what is to be done about it here. */
export function sentenceOf({ kind, message, nextStep }: Failure): string {
  const [own, here] = [failureKinds[kind].nextStep, nextSteps[kind]];
  if (nextStep !== undefined || own === undefined || here === undefined) return message;
  return message.replace(own, () => here);
}

/** The exit code of a failure, and what is said of it. */
export function failureOf(thrown: unknown): { code: number; sentence: string } {
  if (thrown instanceof CommandFailure) return { code: exitCodes[thrown.kind], sentence: thrown.message };
  if (thrown instanceof WorkbookFileError) return { code: exitCodes.file, sentence: thrown.message };
  if (thrown instanceof Failure && thrown.kind === "cancelled")
    return { code: exitCodes.ended, sentence: "Ended. Nothing was written." };
  if (thrown instanceof Failure) {
    const isOfSheet = /^(?:table-gone|sheet-|cells-|too-large)/.test(thrown.kind);
    return { code: isOfSheet ? exitCodes.file : exitCodes.service, sentence: sentenceOf(thrown) };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 1, sentence: `Something went wrong in regdata itself: ${message}` };
}
