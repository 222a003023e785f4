import { performance } from "node:perf_hooks";
import { changedParts } from "../../test/xlsx/hand-made";
import {
  type CellChange,
  cellReference,
  type FileCell,
  openWorkbookFile,
  type WorkbookFile,
  WorkbookFileError,
} from "../../xlsx/workbook-file";

/** A cell as it is compared: value and formula under its sheet and place. */
export type Cells = Map<string, { value: FileCell["value"]; formula: string | undefined }>;

export interface Swept {
  /** `right`, or why not: `refused` with the sentence that the user reads, `wrong` with what differs. */
  outcome: "right" | "refused" | "wrong";
  says: string;
  /** How long it took to open, read, change and save. */
  ms: number;
  /** The file with the changes. */
  changed?: Uint8Array;
}

/** Parts that a change of cells may touch beside the sheet itself. */
const mayChange =
  /(^\[Content_Types\]\.xml|\/(calcChain|metadata\d*|styles)\.xml|\/_rels\/workbook\.xml\.rels)$/i;

/** One cell of each kind, below all that the sheet holds. */
function changesBelow(row: number): CellChange[] {
  return [
    { row, column: 0, value: 12.5 },
    { row, column: 1, value: "Text & <more>" },
    { row, column: 2, value: true },
    { row, column: 3, value: "#N/A", isError: true },
    { row, column: 4, formula: { text: "1+1" }, value: 2 },
    { row, column: 5, formula: { text: '_xldudf_REGDATA_VALUE("06001",1003)' }, value: "NEC 2020" },
    { row, column: 6, value: 3, style: 0 },
  ];
}

export function cellsOf(file: WorkbookFile): Cells {
  const cells: Cells = new Map();
  for (const sheet of file.sheets) {
    for (const { row, column, value, formula } of sheet.cells()) {
      if (value === null && !formula) continue;
      cells.set(`${sheet.name}!${cellReference(row, column)}`, { value, formula: formula?.text });
    }
  }
  return cells;
}

/** Opens a workbook, reads it, changes one cell of each kind, saves it, and reads it again. */
export function sweptFile(bytes: Uint8Array): Swept {
  const startMs = performance.now();
  const since = () => performance.now() - startMs;
  try {
    const file = openWorkbookFile(bytes);
    const before = cellsOf(file);
    const [sheet] = file.sheets;
    if (!sheet) return { outcome: "refused", says: "It has no worksheet.", ms: since() };
    let last = -1;
    for (const { row } of sheet.cells()) last = Math.max(last, row);
    const changes = last + 1 < 1_048_576 ? changesBelow(last + 1) : [];
    sheet.setCells(changes);
    const changed = file.save();
    const ms = since();
    const after = cellsOf(openWorkbookFile(changed));
    for (const { row, column, value, formula } of changes) {
      const key = `${sheet.name}!${cellReference(row, column)}`;
      const there = after.get(key);
      if (there?.value !== value || there?.formula !== formula?.text)
        return { outcome: "wrong", says: `${key} was not written`, ms };
      after.delete(key);
    }
    const differing = firstDifference(before, after);
    if (differing) return { outcome: "wrong", says: differing, ms };
    // Some programs write parts' names with backslashes.
    const others = changedParts(bytes, changed)
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name !== sheet.part && !mayChange.test(name));
    return others.length > 0
      ? { outcome: "wrong", says: `other parts: ${others.join(", ")}`, ms }
      : { outcome: "right", says: "", ms, changed };
  } catch (thrown) {
    if (!(thrown instanceof WorkbookFileError))
      return { outcome: "wrong", says: `it crashed: ${String(thrown)}`, ms: since() };
    return { outcome: "refused", says: thrown.message, ms: since() };
  }
}

/** The first cell that differs, as a sentence; undefined if none does. */
export function firstDifference(one: Cells, other: Cells): string | undefined {
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(key), other.get(key)];
    if (a?.formula !== b?.formula || !isSameValue(a?.value ?? null, b?.value ?? null))
      return `${key}: ${JSON.stringify(a)}, then ${JSON.stringify(b)}`;
  }
  return undefined;
}

function isSameValue(one: FileCell["value"], other: FileCell["value"]): boolean {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= Math.abs(one) * 1e-12;
  return one === other;
}
