import { holdName } from "./hold-here";

/** A workbook on hold keeps the values that it has: nothing is asked of the service until somebody releases it. */
export interface Hold {
  /** The beginning of the hold, to the minute; null if it is not known. */
  sinceMs: number | null;
  /** The name that the person who put it on hold gave; null if there is none. It is text from outside. */
  by: string | null;
}

/** The longest name of a person that is kept. */
export const mostCharacters = 60;

const stored = /^="On hold since (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC(?: by (.+))?"$/;

/** The formula of the defined name: a text. */
export function holdFormula({ sinceMs, by }: Hold): string {
  const since =
    sinceMs === null ? "" : ` since ${new Date(sinceMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const person = by === null ? "" : ` by ${by.replaceAll('"', '""')}`;
  return `="On hold${since}${person}"`;
}

/** Reads the formula of the defined name. A workbook is on hold though somebody has changed the text: then the text says nothing. */
export function parseHold(formula: unknown): Hold {
  const [, day, time, person = ""] = stored.exec(String(formula)) ?? [];
  const sinceMs = Date.parse(`${day}T${time}Z`);
  return { sinceMs: Number.isNaN(sinceMs) ? null : sinceMs, by: personName(person.replaceAll('""', '"')) };
}

/**
 * Tells since when and by whom, such as ` since Nov 30, by “Anna”`; "" if neither is known. `time` writes the beginning. The name is text
 * from outside, so it stands in quotation marks.
 */
export function holdWords({ sinceMs, by }: Hold, time: (ms: number) => string): string {
  const since = sinceMs === null ? "" : ` since ${time(sinceMs)}`;
  const person = by === null ? "" : `, by “${by}”`;
  return since + person;
}

/** A person's name on one line; null if there is none. */
export function personName(text: string): string | null {
  const line = text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return [...line].slice(0, mostCharacters).join("").trim() || null;
}

/** Puts the workbook on hold; an earlier hold is replaced. Returns the name's formula. */
export async function writeHold(context: Excel.RequestContext, hold: Hold): Promise<string> {
  const formula = holdFormula(hold);
  const { names } = context.workbook;
  const before = names.getItemOrNullObject(holdName).load("name");
  await context.sync();
  if (before.isNullObject) names.add(holdName, formula, holdComment);
  else before.formula = formula;
  await context.sync();
  return formula;
}

/** Told in the Name Manager. */
const holdComment = "RegData asks for no values while this name is here. Delete it to release the workbook.";

/** Releases the workbook. */
export async function removeHold(context: Excel.RequestContext): Promise<void> {
  const name = context.workbook.names.getItemOrNullObject(holdName).load("name");
  await context.sync();
  if (name.isNullObject) return;
  name.delete();
  await context.sync();
}
