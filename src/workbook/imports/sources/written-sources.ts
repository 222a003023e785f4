import { groupBy } from "../../../lists";
import { type ColumnType, plainForm } from "../../sheet/layout/table-plan";
import type { TableColumns } from "../../sheet/tables/bound-table";
import type { ImportTables } from "../../sheet/tables/table-changes";
import { shownInCell } from "../../sheet/values/shown-number";
import { doesShow } from "../refresh/compare-answers";
import { isSourcesSheet, sourcesHeaders } from "./sources-sheet";

/** The citation of a value as the workbook's Sources sheets tell it. Somebody may have edited it. Dates are as the sheet shows them. */
export interface WrittenSource {
  /** The value as it was published. */
  value: string;
  reference: string | undefined;
  section: string | undefined;
  updated: string | undefined;
  retrieved: string | undefined;
}

/** A value of an import whose source is looked for. */
export interface SourceSought {
  type: ColumnType;
  ahjId: number;
  /** The jurisdiction as the row of the table names it; undefined if the table has no such column. */
  jurisdiction: string | undefined;
  /** The present address of the cell, with the sheet's name. */
  address: string;
  /** The value that the cell shows. */
  shown: unknown;
}

/** The citations on the workbook's Sources sheets. */
export interface WrittenSources {
  /**
   * The citation of a value, found by its question, its AHJ and the value itself. On a sheet without ids, the AHJ is found by its name or else
   * by the cell. Undefined if there is none, or if there are several that differ.
   */
  of(sought: SourceSought): WrittenSource | undefined;
}

interface SourceRow {
  question: string;
  address: string;
  jurisdiction: string;
  /** Undefined on a sheet of an earlier version. */
  ahjId: number | undefined;
  source: WrittenSource;
}

/** Larger Sources sheets are not read only to look at one cell. */
const mostRows = 100_000;

/** Reads all Sources sheets of the workbook, which are told by their headers. The service is not asked. */
export async function readWrittenSources(
  tables: Pick<ImportTables, "list" | "read">,
): Promise<WrittenSources> {
  const found = (await tables.list()).filter(isSourcesSheet);
  const rows: SourceRow[] = [];
  for (const { tableId } of found) {
    const { rowCount } = await tables.read(tableId, []);
    if (rowCount <= mostRows) rows.push(...rowsOf(await tables.read(tableId, sourcesHeaders)));
  }
  const byQuestion = groupBy(rows, ({ question }) => question);
  return {
    of({ type, ahjId, jurisdiction, address, shown }) {
      const own = (byQuestion.get(type.name) ?? []).filter((row) => {
        if (row.ahjId !== undefined) return row.ahjId === ahjId;
        return jurisdiction === undefined ? row.address === address : row.jurisdiction === jurisdiction;
      });
      const showing = own.flatMap(({ source }) => (saysValue(source.value, type, shown) ? [source] : []));
      const [first, ...others] = showing;
      const isSame = ({ reference, section }: WrittenSource) =>
        reference === first?.reference && section === first?.section;
      return others.every(isSame) ? showing.at(-1) : undefined;
    },
  };
}

/** True if a cell shows a published text. */
function saysValue(value: string, type: ColumnType, shown: unknown): boolean {
  const known = { value, reference: null, section: null, updatedAt: null };
  const place = { row: 0, header: "" };
  const cell = { value: shown, numberFormat: "General" };
  const ahj = { id: 0, name: "", type: "", state_code: "", geoid: null };
  return doesShow(known, { ahj, type, part: "value", place, shown: cell }, plainForm);
}

function rowsOf({ columns, rowCount }: TableColumns): SourceRow[] {
  const textsOf = (header: string) => {
    const column = columns.get(header);
    return (row: number) => {
      const value = column?.values[row];
      if (value === undefined || value === null || value === "") return undefined;
      return shownInCell(value, column?.numberFormats[row] ?? "General", null);
    };
  };
  const [address, jurisdiction, question, value, reference, section, updated, retrieved, ahjId] =
    sourcesHeaders.map(textsOf);
  return Array.from({ length: rowCount }, (_, row) => ({
    address: address?.(row) ?? "",
    jurisdiction: jurisdiction?.(row) ?? "",
    question: question?.(row) ?? "",
    ahjId: Number(ahjId?.(row)) || undefined,
    source: {
      value: value?.(row) ?? "",
      reference: reference?.(row),
      section: section?.(row),
      updated: updated?.(row),
      retrieved: retrieved?.(row),
    },
  }));
}
