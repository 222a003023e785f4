import { config } from "../../../config";
import type { PublishedAnswer } from "../../sheet/layout/table-plan";
import { cellText } from "../../sheet/values/cell-value";
import type { ImportAnswers, LongText } from "./import-types";

/** True if a text may have to be cut. Line breaks may become shorter in a cell, and nothing becomes longer. */
export function isLongText(text: string | null): boolean {
  return text !== null && text.length > config.cellCharacters;
}

/** True if one of an answer's texts may have to be cut. */
export function isLong({ value, reference, section }: PublishedAnswer): boolean {
  return [value, reference, section].some(isLongText);
}

/** The texts that a table has to cut: values, and citations if the table shows them. */
export function longTexts({ ahjs, types, of }: ImportAnswers, hasCitations: boolean): LongText[] {
  const parts: LongText["part"][] = hasCitations ? ["value", "reference", "section"] : ["value"];
  const found: LongText[] = [];
  for (const ahj of ahjs) {
    for (const type of types) {
      const answer = of(ahj.id, type.id);
      for (const part of parts) {
        const text = answer?.[part] ?? "";
        if (cellText(text).length < text.replaceAll("\r\n", "\n").length)
          found.push({ ahj, type, part, text });
      }
    }
  }
  return found;
}
