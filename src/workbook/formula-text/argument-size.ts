import { parseA1Ref } from "@borgar/fx";
import { config } from "../../config";
import { readArgument } from "./formula-call";

/** The number of rows and columns of an argument; null if that can't be told without calculating. */
export function argumentSize(text: string): { rows: number; columns: number } | null {
  const argument = readArgument(text);
  if (argument.kind === "value") {
    const rows = Array.isArray(argument.value) ? (argument.value as unknown[][]) : [[argument.value]];
    return { rows: rows.length, columns: rows[0]?.length ?? 0 };
  }
  const reference = parseA1Ref(text);
  if (!reference || !("range" in reference) || !reference.range) return null;
  // References to whole columns name no rows, and references to whole rows name no columns.
  const { top, left, bottom, right } = reference.range;
  return {
    rows: (bottom ?? config.sheetRows - 1) - (top ?? 0) + 1,
    columns: (right ?? config.sheetColumns - 1) - (left ?? 0) + 1,
  };
}
