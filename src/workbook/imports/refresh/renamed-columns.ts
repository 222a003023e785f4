import { isNoValue } from "../../sheet/layout/no-value";
import type { TableColumns } from "../../sheet/tables/bound-table";
import { type CellDigests, serviceCellKey } from "../saved/cell-digests";
import { ahjPlaces, answerPlaces, type ImportRow } from "../saved/import-rows";
import type { SavedImport } from "../saved/saved-import";

/** A column of an import whose header somebody has changed, by both headers. */
export interface RenamedColumn {
  before: string;
  after: string;
}

/**
 * The columns of an import that are missing, each with a header of the table that is none of the import's and stands beside the column that
 * was its neighbor. Only the cells tell whether it is the same column: see `withSameCells`.
 */
export function columnsInPlace(
  { columns, listHeader }: Pick<SavedImport, "columns" | "listHeader">,
  headers: readonly string[],
): RenamedColumn[] {
  const own = [...columns.map(({ header }) => header), ...(listHeader ? [listHeader] : [])];
  const isOther = (header: string | undefined) => header !== undefined && !own.includes(header);
  const beside = (neighbor: string | undefined, step: number) => {
    const at = headers.indexOf(neighbor ?? "");
    return neighbor === undefined || at < 0 ? undefined : headers[at + step];
  };
  return columns.flatMap(({ header: before }, index) => {
    if (headers.includes(before)) return [];
    const near = [beside(columns[index - 1]?.header, 1), beside(columns[index + 1]?.header, -1)];
    const [after, another = after] = [...new Set(near.filter(isOther))];
    return after !== undefined && after === another ? [{ before, after }] : [];
  });
}

/** The renamed columns of which most filled cells still hold what was written under the header before. `table` has them by the new one. */
export function withSameCells(
  renamed: readonly RenamedColumn[],
  saved: Pick<SavedImport, "columns" | "types" | "form">,
  { table, rows, digests }: { table: TableColumns; rows: readonly ImportRow[]; digests: CellDigests },
): RenamedColumn[] {
  return renamed.filter(({ before, after }) => {
    const columns = followed(saved.columns, { before, after }).filter(({ header }) => header === after);
    let [filled, same] = [0, 0];
    for (const places of [
      answerPlaces({ ...saved, columns }, table, rows),
      ahjPlaces({ columns }, table, rows),
    ])
      for (const place of places) {
        const shown = place.shown?.value ?? "";
        if (isNoValue(shown, place.part, saved.form)) continue;
        filled += 1;
        if (digests.isAsWritten(serviceCellKey(place), shown)) same += 1;
      }
    return same > filled / 2;
  });
}

/** The import's columns, with the header that somebody has given one of them. */
export function followed(
  columns: SavedImport["columns"],
  { before, after }: RenamedColumn,
): SavedImport["columns"] {
  return columns.map((column) => (column.header === before ? { ...column, header: after } : column));
}

/** The import without a column that its user leaves. A question without columns can be chosen again by a change of the import. */
export function withoutColumn(
  { columns, types, collection }: SavedImport,
  { before }: RenamedColumn,
): Pick<SavedImport, "columns" | "types"> {
  const left = columns.filter(({ header }) => header !== before);
  const isAsked = (id: number) =>
    left.some(({ content }) => content.of === "answer" && [id, null].includes(content.typeId));
  return { columns: left, types: collection ? types : types.filter(({ id }) => isAsked(id)) };
}

/** Keeps the digests of columns that are not in the table: if one was renamed, its cells are known by them. */
export function keepDigestsOfMissing(
  { columns }: Pick<SavedImport, "columns">,
  missing: readonly string[],
  { kept, written }: { kept: CellDigests; written: CellDigests },
): void {
  if (missing.length === 0) return;
  const contents = columns.flatMap(({ header, content }) => (missing.includes(header) ? [content] : []));
  const ahjIds = kept.ahjIds();
  for (const { typeId, part, after } of kept.columns()) {
    const isMissing = contents.some((content) =>
      content.of === "answer"
        ? typeId !== null && part === content.part && [typeId, null].includes(content.typeId)
        : content.of === "ahj" && typeId === null && part === content.field,
    );
    if (!isMissing) continue;
    ahjIds.forEach((ahjId, place) => {
      const digest = after[place];
      if (digest !== undefined) written.set({ ahjId, typeId, part }, digest, digest);
    });
  }
}
