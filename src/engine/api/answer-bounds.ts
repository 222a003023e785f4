import type { Ahj, Pagination, Warning } from "./schemas";

/** The parameters that an answer repeats, by their names in docs/interface.md. Each endpoint has some of them. */
export interface Asked {
  page?: number;
  ahj_id?: number;
  geoid?: string;
  collection_id?: string;
  ahj_ids?: readonly number[];
  geoids?: readonly string[];
  data_point_type_ids?: readonly number[];
}

/** The parts of data that repeat the request. Each endpoint has some of them. */
export interface Bound {
  id?: number | string;
  geoid?: string | null;
  collection_id?: string;
  pagination?: Pagination | null | undefined;
  items?: readonly { ahj?: Ahj; data_point_type?: { id: number } }[];
  ahjs?: readonly Ahj[];
  data_point_types?: readonly { id: number }[];
  rows?: readonly { ahj: Ahj }[];
}

/**
 * True if an answer is about what was asked for, because a gateway or a cache may give the answer to another request. It may lack things
 * that were asked for, but has no others.
 */
export type IsAnswerTo = (asked: Asked, data: Bound, warnings: readonly Warning[]) => boolean;

/**
 * True if all that came was asked for. Null counts as asked for, because AHJs may lack a geoID. Ids in warnings count only if nothing else
 * came; then one of them is enough.
 */
function areAsked(
  asked: readonly unknown[] | undefined,
  came: readonly unknown[],
  warned: readonly unknown[] = [],
): boolean {
  const all = new Set(asked).add(null);
  const isAsked = (each: unknown) => all.has(each);
  return !asked || (came.length > 0 || warned.length === 0 ? came.every(isAsked) : warned.some(isAsked));
}

/** The page is the one asked for. A page past the end may be empty, or the last once more. */
export const isPage: IsAnswerTo = ({ page }, { items, pagination }) =>
  !page || !items?.length || !pagination || pagination.page === page || pagination.total_pages < page;

export const isAhj: IsAnswerTo = ({ ahj_id }, { id }) => id === ahj_id;

export const isGeoid: IsAnswerTo = ({ geoid }, data) => data.geoid === geoid;

/** Upper and lower case mean the same in a UUID (docs/interface.md, "Left open"). */
const isSameUuid = (one: string, other = "") => one.toLowerCase() === other.toLowerCase();

export const isCollection: IsAnswerTo = ({ collection_id = "" }, { id }) =>
  isSameUuid(String(id), collection_id);

/** Values, a matrix and the results of a collection are of the AHJs and types asked for. */
export const isOfAsked: IsAnswerTo = (asked, data, warnings) => {
  const { items, rows = [], ahjs = [], data_point_types } = data;
  const who = items ? items.map((item) => item.ahj) : [...ahjs, ...rows.map((row) => row.ahj)];
  const types = items ? items.map((item) => item.data_point_type) : (data_point_types ?? []);
  return (
    isPage(asked, data, warnings) &&
    // An empty answer may come without data, and so without an id.
    (!data.collection_id || isSameUuid(data.collection_id, asked.collection_id)) &&
    areAsked(
      asked.ahj_ids,
      idsOf(who),
      warnings.flatMap((each) => each.excluded_ahj_ids),
    ) &&
    areAsked(
      asked.geoid === undefined ? asked.geoids : [asked.geoid],
      who.map((ahj) => ahj?.geoid),
      warnings.flatMap((each) => each.unmatched_geoids),
    ) &&
    areAsked(asked.data_point_type_ids, idsOf(types))
  );
};

const idsOf = (records: readonly ({ id: number } | undefined)[]) => records.map((record) => record?.id);
