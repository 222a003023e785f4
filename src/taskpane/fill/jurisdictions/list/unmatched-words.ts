import { allFailureKinds } from "../../../../sheet-failure-kinds";
import { shownName } from "../../../ui/labels";
import type { Unmatched } from "../jurisdiction-choice";

/** True if the entry was looked for as a name. */
export function isUnmatchedName({ kind }: Pick<Unmatched, "kind">): boolean {
  return kind === "nothing-found" || kind === "skipped";
}

/** An entry with its row, and the reason why it gave no jurisdiction. */
export function unmatchedLine({ given, kind, sentence, row }: Unmatched): string {
  const why = sentence ?? (kind === "skipped" ? "Skipped." : allFailureKinds[kind].sentence);
  return `${shownName(given)}${row === undefined ? "" : ` (row ${row.toLocaleString()})`}: ${why}`;
}
