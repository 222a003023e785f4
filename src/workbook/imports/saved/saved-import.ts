import * as z from "../../../zod";
import { parseBaseUrl } from "../../../engine/transport/base-url";
import { savedFind, type SavedFind } from "../../../find/find-schema";
import { type StoredDigests, storedDigests } from "./cell-digests";
import { type PastRefresh, pastRefreshes } from "./refresh-history";
import {
  boundedText,
  columnList,
  cutLongTexts,
  naturalNumber,
  shownName,
  timeMs,
} from "../../sheet/parts/stored-values";
import { jsonPart, mostPartCharacters, readJsonPart } from "../../sheet/parts/json-part";
import {
  type ColumnContent,
  columnContents,
  isIdHeader,
  type PlannedColumn,
  type TableForm,
} from "../../sheet/layout/table-plan";

/** An import as the workbook remembers it: the question and how its runs went, never the key. */
export interface SavedImport {
  id: string;
  name: string;
  /** Excel's id of its table, which stays when the table is renamed or moved. */
  tableId: string;
  /** The base address of the service that gave the answers in the table. */
  service: string;
  /** The saved collection that was executed; null for a matrix. */
  collection: { id: string; name: string } | null;
  /** The conditions that chose the jurisdictions of the rows, if any. A refresh looks again for jurisdictions that meet them. */
  find?: SavedFind | null | undefined;
  form: TableForm;
  /** The contents of the columns, with the headers that they were given. */
  columns: PlannedColumn[];
  /** The header of the user's own column beside which the columns stand; null or undefined if they are a whole table. */
  listHeader?: string | null | undefined;
  /** The headers of the columns that say with it who is meant, such as State beside City. */
  listBeside?: string[] | undefined;
  /** The names in the list about which there was a doubt, by `keyOf`, each with the AHJ that the user has decided it means. */
  decided?: { key: string; ahjId: number }[] | undefined;
  types: { id: number; name: string; unit_of_measure: string }[];
  lastRun: ImportRun;
  /** The changes that earlier refreshes have found; undefined if an earlier build has written the import. */
  refreshes?: PastRefresh[] | undefined;
  /** The digests of its cells; null if they are not known, undefined if an earlier build has written the import. See `CellDigests`. */
  digests?: StoredDigests | null | undefined;
}

/** The result of a run or refresh. */
export interface ImportRun {
  atMs: number;
  /** The time since which the service may have changed answers that the run did not see. Earlier versions did not note it: then `atMs`. */
  asOfMs?: number | null | undefined;
  rows: number;
  values: number;
  /** The number of rows that kept their last values, because the key that refreshed was given no answers for them. */
  notRefreshed: number;
  /** The name of the connection that made the run, if its user lets the workbook keep it. */
  by?: string | null | undefined;
}

const content = z.union([
  z.object({ of: z.literal("ahj"), field: z.literal(columnContents.ahj) }),
  z.object({ of: z.literal("type"), field: z.literal(columnContents.type) }),
  z.object({
    of: z.literal("answer"),
    part: z.literal(columnContents.answer),
    typeId: z.nullable(z.int()),
  }),
  z.object({ of: z.literal("list"), field: z.literal(columnContents.list) }),
]) satisfies z.ZodMiniType<ColumnContent>;
/**
 * Rows are recognized by ids, so the header of a column of ids must be one of the add-in's: otherwise a foreign table with numbers could
 * pass for an import's.
 */
const column = z
  .object({ header: boundedText, content, numberFormat: z.nullish(boundedText) })
  .check(z.refine(isIdHeader));

/** An address in the form in which a connection keeps it. Any other text must not be shown as a place where a user should enter a key. */
const address = boundedText.check(
  z.refine((given) => {
    const parsed = parseBaseUrl(given);
    return "baseUrl" in parsed && parsed.baseUrl === given;
  }),
);

/** A limit for what a part takes. Nobody decides about so many names. */
export const mostDecided = 1_000;

const version = 1;
const stored = z.object({
  version: z.literal(version),
  id: boundedText.check(z.refine((id) => id !== "")),
  name: shownName,
  tableId: boundedText,
  service: address,
  collection: z.nullable(z.object({ id: boundedText, name: shownName })),
  find: z.nullish(savedFind),
  form: z.object({
    layout: z.literal(["wide", "long"]),
    hasCitations: z.boolean(),
    hasNotes: z.nullish(z.boolean()),
    hasDates: z.nullish(z.boolean()),
    hasCertainty: z.nullish(z.boolean()),
    hasDashes: z.nullish(z.boolean()),
  }),
  columns: columnList(column),
  listHeader: z.nullish(boundedText),
  listBeside: z.optional(columnList(boundedText)),
  decided: z.optional(
    z.array(z.object({ key: boundedText, ahjId: z.int() })).check(z.lengthAtMost(mostDecided)),
  ),
  types: columnList(z.object({ id: z.int(), name: shownName, unit_of_measure: boundedText })),
  lastRun: z.object({
    atMs: timeMs,
    asOfMs: z.nullish(timeMs),
    rows: naturalNumber,
    values: naturalNumber,
    notRefreshed: naturalNumber,
    by: z.nullish(shownName),
  }),
  // A damaged history, or damaged digests, do not make the import unreadable.
  refreshes: z.catch(z.optional(pastRefreshes), undefined),
  digests: z.catch(z.nullish(storedDigests), null),
});
const versioned = z.object({ version: z.number() });

/**
 * The namespace of the custom XML parts that hold imports. Each import has a part of its own, so that colleagues who refresh different
 * imports don't overwrite each other.
 */
export const importNamespace = "urn:regdata:import";

export function importXml({ digests, ...saved }: SavedImport): string {
  const short = JSON.parse(JSON.stringify(saved, cutLongTexts)) as object;
  // Digests are longer than any text of an import, and are of no use cut.
  return jsonPart("import", importNamespace, { version, ...short, digests });
}

/** Reads a part. Null if it is damaged, of an unknown version, or not written by the add-in; it is then left as it is. */
export function parseImportXml(xml: string): SavedImport | null {
  const parsed = stored.safeParse(readJsonPart("import", xml));
  if (!parsed.success) return null;
  const { version: _, ...saved } = parsed.data;
  return saved;
}

/** The reason why a part is not read as an import, as a sentence. */
export function refusalOf(xml: string): string {
  if (xml.length > mostPartCharacters) return "It is larger than any import is.";
  const other = versioned.safeParse(readJsonPart("import", xml));
  return other.success && other.data.version > version
    ? "A later version of RegData wrote it: update the add-in to use it."
    : "It is damaged, or not what RegData writes.";
}
