import * as z from "zod/mini";
import { jsonPart, readJsonPart } from "../sheet/json-part";
import type { ColumnContent, PlannedColumn, TableForm } from "../sheet/table-plan";

z.config({ jitless: true });

/** An import as the workbook remembers it: the question and how it went, never the key. */
export interface SavedImport {
  id: string;
  name: string;
  /** Excel's id of its table, which stays when the table is renamed or moved. */
  tableId: string;
  /** Base address of the service that was asked. */
  service: string;
  /** The saved collection that was executed; null for a matrix. */
  collection: { id: string; name: string } | null;
  form: TableForm;
  /** What the columns hold, by the headers that they were given. */
  columns: PlannedColumn[];
  /** The header of the user's own column beside which they stand, if they are not a whole table. */
  listHeader?: string | null | undefined;
  types: { id: number; name: string; unit_of_measure: string }[];
  lastRun: ImportRun;
}

/** How a run or refresh went. */
export interface ImportRun {
  atMs: number;
  rows: number;
  values: number;
  /** Rows that kept their last values, because the service did not give them to whoever refreshed. */
  notRefreshed: number;
}

// Of zod only what the formulas' script has already: what else is used here would become a part of that script.
const count = z.custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= 0);
const flag = z.literal([true, false]);
const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= mostColumns),
    z.array(item),
  );
const mostColumns = 16_384;
const ahjFields = ["id", "name", "type", "state_code", "geoid"] as const;
const content = z.union([
  z.object({ of: z.literal("ahj"), field: z.literal(ahjFields) }),
  z.object({ of: z.literal("type"), field: z.literal(["id", "name", "unit"]) }),
  z.object({
    of: z.literal("answer"),
    part: z.literal(["value", "reference", "section"]),
    typeId: z.nullable(z.int()),
  }),
]) satisfies z.ZodMiniType<ColumnContent>;

const version = 1;
const stored = z.object({
  version: z.literal(version),
  id: z.custom<string>((id) => typeof id === "string" && id !== ""),
  name: z.string(),
  tableId: z.string(),
  service: z.string(),
  collection: z.nullable(z.object({ id: z.string(), name: z.string() })),
  form: z.object({ layout: z.literal(["wide", "long"]), hasCitations: flag, hasNotes: z.nullish(flag) }),
  columns: listOf(z.object({ header: z.string(), content })),
  listHeader: z.nullish(z.string()),
  types: listOf(z.object({ id: z.int(), name: z.string(), unit_of_measure: z.string() })),
  lastRun: z.object({ atMs: z.number(), rows: count, values: count, notRefreshed: count }),
});

/** Of the custom XML parts that hold imports, one each: colleagues who refresh two imports don't meet. */
export const importNamespace = "urn:regdata:import";

export function importXml(saved: SavedImport): string {
  return jsonPart("import", importNamespace, { version, ...saved });
}

/** Null where it is none of ours, or of a version that this one does not know: it is left as it is. */
export function parseImportXml(xml: string): SavedImport | null {
  const parsed = stored.safeParse(readJsonPart("import", xml));
  if (!parsed.success) return null;
  const { version: _, ...saved } = parsed.data;
  return saved;
}
