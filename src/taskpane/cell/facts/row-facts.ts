import type { CellSource } from "../../../workbook/imports/sources/cell-source";
import type { SavedImport } from "../../../workbook/imports/saved/saved-import";
import type { SelectedCell } from "../../../workbook/sheet/cells/selected-cell";
import type { PartOfAnswer } from "../../../workbook/sheet/layout/answer-parts";
import type { ColumnContent } from "../../../workbook/sheet/layout/table-plan";
import { shownInCell } from "../../../workbook/sheet/values/shown-number";
import type { KnownParts } from "./known-parts";

/** The words of the row of an import's table about one of its answers. Somebody may have edited it. */
export interface RowFacts {
  jurisdiction: string | undefined;
  ahjId: number;
  question: SavedImport["types"][number] | undefined;
  /** The value as a Sources sheet says that it was published; undefined without one. */
  value?: string;
  /** Undefined if the table has no such column, or the cell is empty. */
  reference: string | undefined;
  section: string | undefined;
  /** The days of the answer's last change and of its retrieval, as the sheet shows them. */
  updated: string | undefined;
  retrieved: string | undefined;
  /** Where the citation stands: in the row itself, or on a Sources sheet. */
  citedIn: "row" | "sources";
}

/** The words of the selected row about an import's answer; null for the answer of a formula. */
export function rowFacts({ table }: SelectedCell, { from, question }: CellSource): RowFacts | null {
  if (from.kind !== "import" || !table || !question) return null;
  const { saved } = from.kept;
  const under = (header: string | null | undefined) => {
    const text = String(table.values[table.headers.indexOf(header ?? "")] ?? "");
    return text === "" ? undefined : text;
  };
  const textOf = (isWanted: (content: ColumnContent) => boolean) =>
    under(saved.columns.find(({ content }) => isWanted(content))?.header);
  const part = (wanted: PartOfAnswer) =>
    textOf(
      (content) =>
        content.of === "answer" &&
        content.part === wanted &&
        (content.typeId === null || content.typeId === question.type),
    );
  const updated = part("updatedAt");
  const ofAhj = (field: "name" | "state_code") =>
    textOf((content) => content.of === "ahj" && content.field === field);
  const name = [ofAhj("name"), ofAhj("state_code")].filter((each) => each !== undefined).join(", ");
  return {
    jurisdiction: name || under(saved.listHeader),
    ahjId: Number(question.ahj),
    question: saved.types.find(({ id }) => id === question.type),
    reference: part("reference"),
    section: part("section"),
    updated: updated && shownInCell(Number(updated) || updated, "yyyy-mm-dd", null),
    retrieved: undefined,
    citedIn: "row",
  };
}

/**
 * The words about an answer that this device does not hold. If the row has no citation, the one on a Sources sheet is taken, unless the cell
 * shows another value than that sheet names.
 */
export async function citedFacts(
  { address, value }: SelectedCell,
  row: RowFacts,
  parts: Pick<KnownParts, "sources">,
): Promise<RowFacts> {
  const { question: type, jurisdiction, ahjId, reference, section } = row;
  if (!type || reference !== undefined || section !== undefined) return row;
  const written = (await parts.sources()).of({ type, ahjId, jurisdiction, address, shown: value });
  return written ? { ...row, ...written, updated: written.updated ?? row.updated, citedIn: "sources" } : row;
}
