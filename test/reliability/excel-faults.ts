import type { PlayedExcel } from "../excel/open-excel";
import { givenUp, imported, operationNames } from "./operations";
import { excelSays, type Expected, type ExpectedOutcomes, fails, type Outcome, partly, right } from "./outcomes";
import type { Fault, Playing } from "./run";

const excelWords = (words: string) => `Excel says: “${words}”.`;
const refused = (detail: string) => fails("sheet-refused", { detail });
const notRemembered = (outcome: Outcome) =>
  partly(`The workbook does not remember this import. ${sentenceOf(outcome)}`);
const sentenceOf = (outcome: Outcome) => ("sentence" in outcome ? outcome.sentence : "");
const lost = refused("What had been written could not be taken back.");
const notTakenBack = partly(sentenceOf(lost));

/** A formula asks nothing of the workbook. */
function all(outcome: Expected, except: Partial<ExpectedOutcomes> = {}): ExpectedOutcomes {
  return { all: outcome, formula: right(), spill: right(), ...except };
}

/** Excel refuses one request, whichever it is. */
function refusal(code: number, words: string): ExpectedOutcomes {
  const failed = refused(excelWords(words));
  const importing = [failed, right(), notRemembered(failed), right()];
  return all(importing, {
    refresh: [failed, right(), partly(sentenceOf(failed)), right()],
    again: [failed, right()],
    freeze: [failed, right()],
  });
}

const sheetNamed = ({ spreadsheet }: PlayedExcel, name: string) =>
  spreadsheet.sheets().find((sheet) => sheet.name === name)?.id ?? "";

function fault(
  name: string,
  at: Fault["at"],
  playing: Playing,
  expected: ExpectedOutcomes,
): Fault {
  return { name, ...(at && { at }), play: () => playing, expected };
}

const refusing = (code: number, times: number): Playing => ({
  begin: ({ fail }) => fail(code, times, "workbook"),
});

export const excelFaults: Fault[] = [
  fault("A cell is being edited (5004)", "each request to Excel", refusing(5004, 1), refusal(5004, "Excel is in cell-editing mode.")),
  fault("Too many requests (5102)", "each request to Excel", refusing(5102, 1), refusal(5102, "Too many requests are in progress.")),
  fault("The payload is too large (5103)", "each request to Excel", refusing(5103, 1), refusal(5103, "The request payload size has exceeded the limit.")),
  fault("Access denied (7000)", "each request to Excel", refusing(7000, 1), refusal(7000, "")),
];
export const unused = { givenUp, imported, operationNames, excelSays, notTakenBack, sheetNamed };
