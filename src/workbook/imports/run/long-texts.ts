import { config } from "../../../config";
import { contentParts, partsShown, type PublishedAnswer } from "../../sheet/layout/answer-parts";
import type { TableForm } from "../../sheet/layout/table-plan";
import { cellText } from "../../sheet/values/cell-value";
import type { ImportAnswers, LongText } from "./import-types";

/** True if a text may have to be cut. Line breaks may become shorter in a cell, and nothing becomes longer. */
export function isLongText(text: string | null): boolean {
  return text !== null && text.length > config.cellCharacters;
}

/** True if one of an answer's texts may have to be cut. */
export function isLong(answer: PublishedAnswer): boolean {
  return contentParts.some((part) => isLongText(answer[part]));
}

/** The texts that a table of this form has to cut. */
export function longTexts({ ahjs, types, of }: ImportAnswers, form: TableForm): LongText[] {
  const parts = partsShown(form).filter((part) => contentParts.includes(part));
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
