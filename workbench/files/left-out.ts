import type { BookContents } from "../book-contents";
import type { Drawings } from "../drawings";
import type { SheetFilters } from "../sheet-filters";
import type { OpenedXlsx } from "./read-xlsx";

/** Something that was made in the workbench and is in no file that it writes. */
export interface LeftOut {
  /** In the singular, such as "color scale". */
  kind: string;
  count: number;
}

/** Sentences about the parts of a workbook that its file leaves out; `before` is the file's earlier content, null for a new workbook. */
export function leftOutOf(
  { contents, document }: OpenedXlsx,
  before: OpenedXlsx | null,
  { drawings, sheetFilters }: { drawings: Pick<Drawings, "of">; sheetFilters: Pick<SheetFilters, "of"> },
): LeftOut[] {
  const wereProtected = new Set(before?.document.protectedSheets);
  const sheetFilterCount = contents.sheets.filter(({ id }) => sheetFilters.of(id) !== null).length;
  const counts: LeftOut[] = [
    { kind: "chart", count: drawings.of("chart").length },
    { kind: "picture", count: drawings.of("picture").length },
    { kind: "color scale", count: drawings.of("color-scale").length },
    { kind: "conditional format", count: drawings.of("cell-rule").length },
    { kind: "filter", count: changedFilters(contents, before?.contents) + sheetFilterCount },
    {
      kind: "sheet's protection",
      count: document.protectedSheets.filter((id) => !wereProtected.has(id)).length,
    },
  ];
  return counts.filter(({ count }) => count > 0);
}

/** Columns that are filtered otherwise than in the file. */
function changedFilters({ tables }: BookContents, before: BookContents | undefined): number {
  const alike = (one: readonly string[] | null | undefined, other: typeof one) =>
    JSON.stringify([...(one ?? [])].sort()) === JSON.stringify([...(other ?? [])].sort());
  return tables.reduce((count, { id, filters = {} }) => {
    const { filters: earlier = {} } = before?.tables.find((table) => table.id === id) ?? {};
    const columns = [...new Set([...Object.keys(filters), ...Object.keys(earlier)])].map(Number);
    return count + columns.filter((column) => !alike(filters[column], earlier[column])).length;
  }, 0);
}

/** "1 chart, 2 color scales". */
export function leftOutText(all: readonly LeftOut[]): string {
  const plural = (kind: string) => (kind === "sheet's protection" ? "sheets' protections" : `${kind}s`);
  return all.map(({ kind, count }) => `${count} ${count === 1 ? kind : plural(kind)}`).join(", ");
}
