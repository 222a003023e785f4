import { withTimeout } from "../../async/timeout";
import { SheetFailure } from "../../sheet-failure";
import { excelFailure } from "./excel-failure";
import { dateSystem } from "./values/serial-date";

/** The serial number of January 1, 1970, in workbooks that count days from 1899-12-30, and in those that count from 1904-01-01. */
export const epochSerials = { 1900: 25_569, 1904: 24_107 };

/**
 * Has dates counted as this workbook counts them. Excel's API does not name the date system, but its function DATE follows it
 * (`Excel.Functions.date` in @types/office-js).
 */
export async function learnDateSystem(context: Excel.RequestContext): Promise<void> {
  const epoch = context.workbook.functions.date(1970, 1, 1).load("value");
  await context.sync();
  useDateSystem(epoch.value === epochSerials[1904]);
}

export function useDateSystem(uses1904: boolean): void {
  Object.assign(dateSystem, { epochSerial: epochSerials[uses1904 ? 1904 : 1900], isKnown: true });
}

/** Excel answers at once, unless a cell is being edited or a dialog is open. */
const patienceMs = 10_000;
let learning: Promise<void> | undefined;

/** The same for formulas, which have no context; all that wait share one request. Fails with a Failure. */
export function learnDates(excel: typeof Excel): Promise<void> {
  learning ??= excel
    .run({ delayForCellEdit: true }, learnDateSystem)
    .catch((thrown: unknown) => {
      throw excelFailure(thrown);
    })
    .finally(() => (learning = undefined));
  return withTimeout(learning, patienceMs, () => new SheetFailure("cell-editing"));
}
