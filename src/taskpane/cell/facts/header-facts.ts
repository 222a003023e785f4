import type { DataPointType } from "../../../engine/api/schemas";
import type { KeptLookup } from "../../../app";
import type { TypeName } from "../../../engine/lookup/lookup";
import { asFailure } from "../../../errors";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import { idHeaders, importRows } from "../../../workbook/imports/saved/import-rows";
import type { TableHeaderHere } from "../../../workbook/sheet/cells/selected-cell";
import { isNoValue } from "../../../workbook/sheet/layout/no-value";
import type { ColumnContent, PlannedColumn } from "../../../workbook/sheet/layout/table-plan";
import type { ImportTables } from "../../../workbook/sheet/tables/table-changes";

/** A question, as far as it is known. */
export interface QuestionFacts {
  name: string;
  unit: string;
  /** Null if the catalogue does not have it. */
  type: DataPointType | null;
  categories: string[];
}

/** The known facts of a column's header. */
export interface HeaderFacts {
  /** Null for the header of a formula's result. */
  importName: string | null;
  /** The column's content; "own" for a column of the user's, "list" for the column beside which an import stands. */
  column: ColumnContent | "own" | "list";
  /** The question of a column with answers. */
  question: QuestionFacts | null;
  /** The number of rows with jurisdictions, and of those with a value in this column; null if they can't be read. */
  filled: { rows: number; cells: number } | null;
}

type Catalogue = Pick<KeptLookup, "ask" | "catalogue">;

/** The stored facts of a question. Its description and categories come with the catalogue. */
export async function questionFacts(
  name: TypeName,
  { ask, catalogue }: Catalogue,
): Promise<QuestionFacts | null> {
  const { types } = await ask({ types: [name] }, { keptOnly: true });
  const type = types[0] ?? null;
  if (!type) return null;
  const all = await catalogue.categories({ keptOnly: true }).catch(() => []);
  const categories = all.filter(({ id }) => type.category_ids.includes(id)).map((each) => each.name);
  return { name: type.name, unit: type.unit_of_measure, type, categories };
}

/** The known facts of a header of an import's table. */
export async function headerFacts(
  { headers, column }: TableHeaderHere,
  { saved }: KeptImport,
  dependencies: Catalogue & { tables: Pick<ImportTables, "read"> },
): Promise<HeaderFacts> {
  const header = headers[column] ?? "";
  const content = saved.columns.find((each) => each.header === header)?.content;
  const ofUser = header === saved.listHeader ? "list" : "own";
  const facts = { importName: saved.name, column: content ?? ofUser, question: null, filled: null } as const;
  if (!content) return facts;
  const typeId = content.of === "answer" ? content.typeId : null;
  const known = saved.types.find(({ id }) => id === typeId);
  const question =
    typeId === null
      ? null
      : ((await questionFacts(typeId, dependencies)) ??
        (known && { name: known.name, unit: known.unit_of_measure, type: null, categories: [] }) ??
        null);
  const filled = await count({ header, content }, saved, dependencies.tables).catch((thrown: unknown) => {
    if (asFailure(thrown).kind === "internal") throw thrown;
    return null;
  });
  return { ...facts, question, filled };
}

async function count(
  { header, content }: PlannedColumn,
  saved: KeptImport["saved"],
  tables: Pick<ImportTables, "read">,
): Promise<HeaderFacts["filled"]> {
  const table = await tables.read(saved.tableId, [header, ...idHeaders(saved)]);
  const rows = importRows(saved, table);
  const values = table.columns.get(header)?.values ?? [];
  const part = content.of === "answer" ? content.part : content.field;
  const filled = rows.filter(({ row }) => !isNoValue(values[row], part, saved.form));
  return { rows: rows.length, cells: filled.length };
}
