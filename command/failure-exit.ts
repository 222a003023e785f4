import { Failure, type FailureKind } from "../src/errors";
import { allFailureKinds } from "../src/sheet-failure-kinds";
import { WorkbookFileError } from "../xlsx/workbook-file";
import { CommandFailure, exitCodes } from "./command-failure";

/** The next step after a failure, for failures whose sentence in the add-in names the pane. */
const nextSteps: Partial<Record<FailureKind, string>> = {
  "wrong-key": "It may be wrong or expired. Check REGDATA_KEY, or the file that --key-file names.",
  "unknown-jurisdiction": 'Check the geoID and its leading zeros, or write the name: "Alameda County, CA".',
  "not-a-geoid": 'Check the geoID and its leading zeros, or write the name: "Alameda County, CA".',
  "unknown-name": "Check its spelling and its state.",
  "on-hold": "Release it in the RegData pane, or delete its name RegData.OnHold in Excel's Name Manager.",
  "unexpected-answer": "Check the service's address: --service or REGDATA_SERVICE.",
};

/** The step that is to be taken here after a failure; undefined if none is known. */
export function nextStepOf({ kind, nextStep }: Failure): string | undefined {
  return nextStep ?? nextSteps[kind] ?? allFailureKinds[kind].nextStep;
}

/** A failure's sentence with what is to be done about it here. */
export function sentenceOf(failure: Failure): string {
  const { kind, message, nextStep } = failure;
  if (kind === "sheet-refused" && "code" in Object(failure.cause)) return refusalOf(failure);
  const [own, here] = [allFailureKinds[kind].nextStep, nextSteps[kind]];
  if (nextStep !== undefined || own === undefined || here === undefined) return message;
  return message.replace(own, () => here);
}

/** No Excel is here: a refusal of the host of the workbook is said in the command's own words. */
function refusalOf({ cause, isPartlyWritten }: Failure): string {
  const { code, message } = cause as { code: string; message: string };
  // The host adds its own words in parentheses: for a call that it lacks, the call.
  const [, reason = message, call = ""] = /^(.*?)\.?(?: \((.*)\))?$/s.exec(message) ?? [];
  const outcome = isPartlyWritten ? "" : " It is as it was.";
  return code === "ApiNotFound"
    ? `regdata can't do this to the workbook without Excel (${call}).${outcome} Open it in Excel, and do it in the pane there.`
    : `The workbook can't be changed in this way: ${reason}.${outcome}`;
}

/** The exit code of a failure, and what is said of it. */
export function failureOf(thrown: unknown): { code: number; sentence: string } {
  if (thrown instanceof CommandFailure) return { code: exitCodes[thrown.kind], sentence: thrown.message };
  if (thrown instanceof WorkbookFileError) return { code: exitCodes.file, sentence: thrown.message };
  if (thrown instanceof Failure && thrown.kind === "cancelled")
    return { code: exitCodes.ended, sentence: "Ended. Nothing was written." };
  if (thrown instanceof Failure) {
    const isOfSheet = /^(?:table-gone|on-hold|sheet-|cells-|too-large)/.test(thrown.kind);
    return { code: isOfSheet ? exitCodes.file : exitCodes.service, sentence: sentenceOf(thrown) };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 1, sentence: `Something went wrong in regdata itself: ${message}` };
}
