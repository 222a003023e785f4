import type { Ahj } from "../../engine/api/schemas";
import { clockTime } from "../../errors";
import type { OldAnswers } from "../../engine/lookup/old-answers";
import { hostOf } from "../../settings/connection-list";

const mostShown = 200;
const rightToLeft = /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** Makes a name from outside safe for a line: a very long name is cut, and no name can turn the direction of the text around it. */
export function shownName(name: string): string {
  const short = beginning(name, mostShown);
  return rightToLeft.test(short) ? `\u2068${short.replace(/\p{Bidi_Control}/gu, "\ufffd")}\u2069` : short;
}

/**
 * A formula in which every mark that is invisible, or that turns or hides the text around it, is written out: `[U+202E]`. Blanks other than
 * a space are such marks, too. The element that shows it must keep runs of spaces (`white-space: pre-wrap`).
 */
export function shownFormula(formula: string): string {
  return formula.replace(
    /(?! )[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (mark) => `[U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** A text, or its first characters and an ellipsis. */
export function beginning(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

export function ahjLabel({ name, state_code }: Ahj): string {
  return `${shownName(name)}, ${shownName(state_code)}`;
}

/** An AHJ's name with the facts that tell it from its namesakes: `Union, Polk County, IA · city · 1915377520`. */
export function placedAhjLabel({ id, name, state_code, type, geoid }: Ahj, county?: string): string {
  const place = shownName(county === undefined ? state_code : `${county}, ${state_code}`);
  return `${shownName(name)}, ${place} · ${type} · ${geoid ?? `AHJ ${id}`}`;
}

/** A label that tells apart AHJs with the same name and state. There are thousands of them. */
export function fullAhjLabel(ahj: Ahj): string {
  return `${ahjLabel(ahj)} (${ahj.type}, ${ahj.geoid ?? `AHJ ${ahj.id}`})`;
}

/** A count with its noun: `1 row`, `2 rows`. The plural only gets an s. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

export function oldAnswersSentence({ count, oldestMs }: OldAnswers): string {
  return `The service could not be asked: ${plural(count, "answer")} as of ${clockTime(oldestMs)} or later.`;
}

export function waitingForLimit(untilMs: number): string {
  return `Your request limit is used up. Continues at ${clockTime(untilMs)}.`;
}

/** Said where buttons that ask the service are missing. */
export const connectToRefresh = "Connect to refresh.";

/** Tells from where an import came, by the workbook's word. Only the host is shown, because the address is text from outside. */
export function serviceDetail(service: string): string {
  return `This workbook says that it came from “${beginning(hostOf(service), 100)}”.`;
}
