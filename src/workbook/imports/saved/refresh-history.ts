import * as z from "../../../zod";
import { jsonPart, readJsonPart } from "../../sheet/parts/json-part";
import type { Workbook } from "../../sheet/workbook";
import { boundedText, naturalNumber, shownName, timeMs } from "../../sheet/parts/stored-values";

/** A value that a refresh found changed. Long texts are cut. */
export interface PastChange {
  ahjId: number;
  typeId: number;
  /** The header of a column that describes jurisdictions. Such a change has `noType`. */
  column?: string | undefined;
  /** The jurisdiction as the list of changes named it. */
  name: string;
  before: string | null;
  after: string | null;
  /** True if it is not known whether the service or a person had entered the earlier text. */
  isUnsure?: boolean | undefined;
}

/** In place of a type's id, since earlier versions of the add-in refuse a history with a change that has none. */
export const noType = 0;

/** A refresh as the workbook remembers it. */
export interface PastRefresh {
  atMs: number;
  /** The number of values that it found changed; `changes` may hold fewer. */
  changed: number;
  changes: PastChange[];
  /** Jurisdictions that the find gave for the first time (`entered`) or no longer gave (`left`), as the list of changes named them. */
  entered?: string[] | undefined;
  left?: string[] | undefined;
}

/** The most bytes of an import's refreshes. */
export const mostHistoryBytes = 250_000;
export const mostRefreshes = 100;
const mostChanges = 500;
const mostTextCharacters = 200;

const names = z.optional(z.array(shownName).check(z.lengthAtMost(mostChanges)));
const past = z.object({
  entered: names,
  left: names,
  atMs: timeMs,
  changed: naturalNumber,
  changes: z
    .array(
      z.object({
        ahjId: naturalNumber,
        typeId: z.int(),
        column: z.optional(shownName),
        name: shownName,
        before: z.nullable(boundedText),
        after: z.nullable(boundedText),
        isUnsure: z.optional(z.boolean()),
      }),
    )
    .check(z.lengthAtMost(mostChanges)),
});
/** The refreshes of an import, newest first. */
export const pastRefreshes = z.array(past).check(z.lengthAtMost(mostRefreshes));

/** The refreshes after another one, which comes first. The oldest go if they take too much space; the newest stays. */
export function withRefresh(earlier: readonly PastRefresh[], refresh: PastRefresh): PastRefresh[] {
  const others = earlier.filter(({ atMs }) => atMs !== refresh.atMs);
  const all = [cut(refresh), ...others].slice(0, mostRefreshes);
  let bytes = 0;
  const past = all.findIndex((each) => (bytes += bytesOf(each)) > mostHistoryBytes);
  return past < 0 ? all : all.slice(0, Math.max(1, past));
}

/** The namespace of the custom XML parts in which earlier builds kept refreshes, one for each import. */
export const historyNamespace = "urn:regdata:history";

const earlierPart = z.object({ version: z.literal(1), importId: boundedText, refreshes: pastRefreshes });

/**
 * The refreshes of an import that an earlier build has kept, newest first, and the ids of the parts that hold them. If colleagues had
 * refreshed an import at once, it has two parts.
 */
export async function readEarlierHistory(
  workbook: Pick<Workbook, "readParts">,
  importId: string,
): Promise<{ partIds: string[]; refreshes: PastRefresh[] }> {
  const parts = (await workbook.readParts(historyNamespace)).flatMap(({ id, xml }) => {
    const { data } = earlierPart.safeParse(readJsonPart("history", xml));
    return data?.importId === importId ? [{ id, refreshes: data.refreshes }] : [];
  });
  const refreshes = parts.flatMap((part) => part.refreshes);
  refreshes.sort((one, other) => other.atMs - one.atMs);
  return { partIds: parts.map(({ id }) => id), refreshes };
}

/** The size of a refresh in its part, or slightly more. */
function bytesOf(refresh: PastRefresh): number {
  return new TextEncoder().encode(jsonPart("history", historyNamespace, refresh)).length;
}

function cut({ atMs, changed, changes, entered, left }: PastRefresh): PastRefresh {
  const short = (given: string) =>
    given.length > mostTextCharacters ? `${given.slice(0, mostTextCharacters)}…` : given;
  const cutNames = (given: readonly string[]) => given.slice(0, mostChanges).map(short);
  return {
    atMs,
    changed,
    ...(entered && { entered: cutNames(entered) }),
    ...(left && { left: cutNames(left) }),
    changes: changes.slice(0, mostChanges).map(({ name: of, column, before, after, ...change }) => ({
      ...change,
      name: short(of),
      ...(column !== undefined && { column: short(column) }),
      before: before === null ? null : short(before),
      after: after === null ? null : short(after),
    })),
  };
}
