/**
 * The shapes of the service's answers, checked once where they arrive (docs/interface.md). They accept what
 * docs/interface.md, "Left open", allows: unknown fields are ignored, ids may be strings of
 * digits, optional fields may be null or missing. Field names are the service's own.
 */
import * as z from "../../zod";

const count = z.pipe(z.custom<number | string>(isInteger), z.transform(Number));
const id = z.pipe(z.custom<number | string>(isId), z.transform(Number));
const text = z.string();
const textOrNull = z.pipe(
  z.nullish(text),
  z.transform((value) => value ?? null),
);
const textOrEmpty = z.pipe(
  z.nullish(text),
  z.transform((value) => value ?? ""),
);
/** A number, also if it is sent as text. Any other text stays, so that it is shown as it was sent. A number that JSON can't hold is refused. */
const numberOrText = z.pipe(
  z.nullish(
    z.custom<number | string>(
      (value) =>
        typeof value === "string" ||
        (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER),
    ),
  ),
  z.transform((value) => {
    const sent = typeof value === "string" ? value.trim() : (value ?? "");
    if (typeof sent === "number" || /^-?\d{1,15}(\.\d+)?$/.test(sent)) return Number(sent);
    return sent === "" ? null : sent;
  }),
);
const idList = z.pipe(
  z.nullish(z.array(id)),
  z.transform((value) => value ?? []),
);

/** An AHJ as lists, data point values, matrix rows and collection results carry it. */
export interface Ahj {
  id: number;
  name: string;
  type: string;
  state_code: string;
  geoid: string | null;
}

// One function checks a whole AHJ, because a check field by field takes four times as long for the directory's thirty thousand AHJs.
export const ahj = z.pipe(
  z.custom<Omit<Ahj, "id" | "geoid"> & { id: number | string; geoid?: string | null }>(isAhj),
  z.transform(({ id, name, type, state_code, geoid = null }): Ahj => ({
    id: Number(id),
    name,
    type,
    state_code,
    geoid,
  })),
);

/** An AHJ in detail: fields that a utility or a state may lack are null. */
export const ahjDetail = z.object({
  id,
  name: text,
  type: text,
  state_code: text,
  geoid: textOrNull,
  state_name: textOrNull,
  county: textOrNull,
  population: numberOrText,
  lat: numberOrText,
  lon: numberOrText,
});
export type AhjDetail = z.infer<typeof ahjDetail>;

export const dataPointType = z.object({
  id,
  name: text,
  description: textOrEmpty,
  unit_of_measure: textOrEmpty,
  category_ids: idList,
});
export type DataPointType = z.infer<typeof dataPointType>;

export const dataPointValue = z.object({
  id,
  ahj,
  data_point_type: dataPointType,
  value: textOrNull,
  reference: textOrNull,
  section: textOrNull,
  updated_at: text,
});
export type DataPointValue = z.infer<typeof dataPointValue>;

export const category = z.object({ id, name: text });
export type Category = z.infer<typeof category>;

export const unit = z.object({ name: text });
export type Unit = z.infer<typeof unit>;

export const collection = z.object({
  id: text,
  organization_id: text,
  name: text,
  description: textOrEmpty,
  data_point_type_ids: idList,
  category_ids: idList,
  created_at: text,
  updated_at: text,
});
export type Collection = z.infer<typeof collection>;

export const pagination = z.object({
  page: count,
  page_size: count,
  total: count,
  total_pages: count,
});
export type Pagination = z.infer<typeof pagination>;

/** A matrix cell: the published text and its citation. */
export interface MatrixCell {
  value: string | null;
  reference: string | null;
  section: string | null;
}
/** A matrix cell as it arrives. Fields that would be null may be missing. */
export type MatrixCellSent = { [Field in keyof MatrixCell]?: MatrixCell[Field] | undefined };

// The cells are checked but not copied: a matrix may have 160,000 cells, and copying each cell would take longer than parsing the JSON.
const matrixCells = z.custom<Readonly<Record<string, MatrixCellSent | null | undefined>>>(
  (values) => isRecord(values) && Object.values(values).every(isMatrixCell),
);

function isMatrixCell(cell: unknown): boolean {
  if (cell === null) return true;
  return isRecord(cell) && isText(cell.value) && isText(cell.reference) && isText(cell.section);
}

function isAhj(value: unknown): boolean {
  return (
    isRecord(value) &&
    isId(value.id) &&
    [value.name, value.type, value.state_code].every((field) => typeof field === "string") &&
    isText(value.geoid)
  );
}

function isInteger(value: unknown): boolean {
  return typeof value === "string" ? /^\d{1,15}$/.test(value) : Number.isSafeInteger(value);
}

function isId(value: unknown): boolean {
  return isInteger(value) && Number(value) > 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === null || value === undefined;
}

export const matrixReport = z.object({
  ahjs: z.array(ahj),
  data_point_types: z.array(dataPointType),
  /** The keys of `values` are ids of data point types. If a key is missing or its cell is null, the AHJ has no value. */
  rows: z.array(z.object({ ahj, values: matrixCells })),
  /** Present if the service sends the matrix in pages, which docs/interface.md, "Left open", allows. */
  pagination: z.optional(z.nullable(pagination)),
});
export type MatrixReport = z.infer<typeof matrixReport>;

export const warning = z.object({
  code: textOrEmpty,
  message: textOrEmpty,
  excluded_ahj_ids: idList,
  unmatched_geoids: z.pipe(
    z.nullish(z.array(text)),
    z.transform((value) => value ?? []),
  ),
});
export type Warning = z.infer<typeof warning>;

/** One page of a list, and its place in the whole. */
export interface Page<Item> {
  items: Item[];
  pagination: Pagination;
}

const emptyPage = { items: [], pagination: { page: 1, page_size: 1, total: 0, total_pages: 0 } };

/** A record with an id of 0 or below can't be used, so it counts as missing from its list and spoils no other. */
const isUsable = (record: unknown) => !isRecord(record) || !isInteger(record.id) || isId(record.id);

export function page<Item extends z.ZodMiniType>(item: Item) {
  return z.pipe(
    z.transform((data: unknown) => {
      // Without data the list is empty. docs/interface.md, "Left open", allows that.
      const sent = data ?? emptyPage;
      return isRecord(sent) && Array.isArray(sent.items)
        ? { ...sent, items: sent.items.filter(isUsable) }
        : sent;
    }),
    z.object({ items: z.array(item), pagination }),
  );
}

/** A page of the results of running a collection: data point values, with the collection's id and name. */
export const collectionResults = z.pipe(
  z.transform((data: unknown) => data ?? { ...emptyPage, collection_id: "", collection_name: "" }),
  z.object({ items: z.array(dataPointValue), pagination, collection_id: text, collection_name: text }),
);
export type CollectionResults = z.infer<typeof collectionResults>;

/** A unit of measure. Several shapes are accepted, because the interface names none (docs/interface.md, "Left open"). */
const unitEntry = z.union([
  z.pipe(
    text,
    z.transform((name) => ({ name })),
  ),
  z.pipe(
    z.custom<Record<string, unknown>>(isRecord),
    z.transform((entry, context) => {
      const name = [entry.name, entry.label, entry.symbol, entry.unit, entry.abbreviation].find(
        (candidate) => typeof candidate === "string" && candidate !== "",
      );
      if (typeof name !== "string") {
        context.issues.push({ code: "custom", message: "a unit without a name", input: entry });
        return z.NEVER;
      }
      return { name };
    }),
  ),
]);
export const unitList = z.pipe(
  z.union([
    z.array(unitEntry),
    z.pipe(
      z.object({ items: z.array(unitEntry) }),
      z.transform((data) => data.items),
    ),
    z.pipe(
      z.object({ units: z.array(unitEntry) }),
      z.transform((data) => data.units),
    ),
  ]),
  z.transform((units): Unit[] => units),
);

/** The envelope of every JSON answer. The endpoint's own schema checks `data`. */
export const envelope = z.object({
  response_type: text,
  description: textOrEmpty,
  data: z.unknown(),
  warnings: z.pipe(
    z.nullish(z.array(warning)),
    z.transform((value) => value ?? []),
  ),
});
