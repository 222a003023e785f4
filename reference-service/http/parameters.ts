/** The schemas of requests, which are checked as they arrive. An input that does not fit is 422 with a fault for each problem. */
import * as z from "zod/mini";
import { refuseInvalid } from "./envelope";

const text = z.string({
  error: ({ input }) => (Array.isArray(input) ? "must be given once" : "must be text"),
});

/** Any number of digits is accepted: a number too large for a double becomes the largest one, which is past every end and nobody's id. */
const saturated = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE));

const integer = z.pipe(
  text.check(z.regex(/^-?\d+$/, { error: "must be an integer" })),
  z.transform((digits: string) => saturated(Number(digits))),
);

/** A comma-separated list; blanks around its items are dropped. */
function listOf<Item extends z.ZodMiniType<unknown, string>>(item: Item) {
  return z.pipe(
    z.pipe(
      text,
      z.transform((list) => list.split(",").map((item) => item.trim())),
    ),
    z.array(item),
  );
}

function integerBetween(low: number, high: number, otherwise: number) {
  const error = high === Infinity ? `must be at least ${low}` : `must be ${low} to ${high}`;
  return z._default(
    z.pipe(integer, z.number().check(z.gte(low, { error }), z.lte(high, { error }))),
    otherwise,
  );
}

/** Both defaults are our choice (docs/interface.md, "Left open"). */
const paging = { page: integerBetween(1, Infinity, 1), page_size: integerBetween(1, 500, 100) };

const stateCodes = z.optional(
  listOf(
    z.pipe(
      text.check(z.regex(/^[A-Za-z]{2}$/, { error: "must be a state abbreviation of two letters" })),
      z.transform((code: string) => code.toUpperCase()),
    ),
  ),
);

const integers = z.optional(listOf(integer));
const geoids = z.optional(listOf(text.check(z.minLength(1, { error: "must not be empty" }))));

const ahjSelection = { ahj_ids: integers, geoids };

function exactlyOneSelection(query: { ahj_ids?: unknown; geoids?: unknown }): boolean {
  return (query.ahj_ids === undefined) !== (query.geoids === undefined);
}
const oneOfTheTwo = { error: "exactly one of ahj_ids and geoids is to be given", path: ["ahj_ids"] };

export const ahjPath = z.object({ ahj_id: integer });
export const pageQuery = z.object(paging);
export const ahjListQuery = z.object({ ...paging, state_code: stateCodes });
export const dataPointQuery = z.object({
  ...paging,
  ahj_ids: integers,
  state_code: stateCodes,
  data_point_type_ids: integers,
  category_ids: integers,
});
export const collectionDataQuery = z
  .object({ ...paging, ...ahjSelection })
  .check(z.refine(exactlyOneSelection, oneOfTheTwo));
export const collectionExportQuery = z.object(ahjSelection).check(z.refine(exactlyOneSelection, oneOfTheTwo));

const isInteger = (id: unknown) => typeof id === "number" && Number.isInteger(saturated(id));

const idList = z
  .array(z.pipe(z.custom<number>(isInteger, { error: "must be an integer" }), z.transform(saturated)), {
    error: ({ input }) => (input === undefined ? "is required" : "must be an array of integers"),
  })
  .check(z.minLength(1, { error: "must not be empty" }));

export const matrixBody = z.object(
  { ahj_ids: idList, data_point_type_ids: idList },
  { error: "must be a JSON object" },
);

type Place = "path" | "query" | "body";

function checked<Schema extends z.ZodMiniType>(
  place: Place,
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  return refuseInvalid(
    parsed.error.issues.map((issue) => ({
      loc: [place, ...issue.path.map(String)],
      msg: issue.message,
      type: issue.code,
    })),
  );
}

/** The path parameters, checked by `schema`; 422 if they don't fit. */
export function readPath<Schema extends z.ZodMiniType>(
  schema: Schema,
  values: Record<string, string>,
): z.infer<Schema> {
  return checked("path", schema, values);
}

/**
 * The query, checked by `schema`; 422 if it does not fit. A parameter given twice is a fault, so that neither value is silently dropped.
 */
export function readQuery<Schema extends z.ZodMiniType>(
  schema: Schema,
  search: URLSearchParams,
): z.infer<Schema> {
  const given = [...new Set(search.keys())].map((name) => {
    const all = search.getAll(name);
    return [name, all.length === 1 ? all[0] : all];
  });
  return checked("query", schema, Object.fromEntries(given));
}

/** The JSON body, checked by `schema`; 422 if it does not fit or is not JSON. */
export function readBody<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.infer<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    refuseInvalid([{ loc: ["body"], msg: "must be JSON", type: "json_invalid" }]);
  }
  return checked("body", schema, body);
}
