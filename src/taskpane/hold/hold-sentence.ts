import { clockTime } from "../../errors";
import type { Hold } from "../../workbook/sheet/parts/hold-name";

/** Tells since when and by whom the workbook is on hold. The name is text from outside, so it stands in quotation marks. */
export function holdSentence({ sinceMs, by }: Hold): string {
  const since = sinceMs === null ? "" : ` since ${clockTime(sinceMs)}`;
  const person = by === null ? "" : `, by “${by}”`;
  return `On hold${since}${person}: the values stay, and nothing is asked.`;
}
