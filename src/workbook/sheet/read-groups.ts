import { Failure } from "../../errors";
import { isAnswerTooLong } from "./excel-failure";
import type { TableSize } from "./layout/table-plan";

/**
 * Reads cells in groups, with a request for each. A group whose texts are longer than the 5 MB that Excel on the web answers at most is read
 * in halves, in the same order; `halvesOf` gives a single group if it can't be cut. `queue` makes the ranges of a group anew,
 * because Excel knows none that it has refused to read, and returns a function that is called after the request; if it returns false, no
 * more is read. Returns true if all was read. Fails with cancelled.
 */
export async function readGroups<Group>(
  context: Excel.RequestContext,
  groups: readonly Group[],
  {
    queue,
    halvesOf,
    signal,
  }: {
    queue: (group: Group) => () => boolean | void;
    halvesOf: (group: Group) => Group[];
    signal?: AbortSignal | undefined;
  },
): Promise<boolean> {
  const open = [...groups].reverse();
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (signal?.aborted) throw new Failure("cancelled");
    const take = queue(group);
    try {
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
    } catch (thrown) {
      const halves = halvesOf(group);
      if (!isAnswerTooLong(thrown) || halves.length < 2) throw thrown;
      open.push(...halves.reverse());
      continue;
    }
    if (take() === false) return false;
  }
  return true;
}

/** Adjoining rows, counted from 0. */
export interface RowGroup {
  start: number;
  rows: number;
}

/** Reads rows in groups of at most so many cells; see `readGroups`. */
export function readRowGroups(
  context: Excel.RequestContext,
  { rows, columns }: TableSize,
  most: number,
  queue: (group: RowGroup) => () => void,
): Promise<boolean> {
  const groups = rowGroups({ start: 0, rows }, Math.max(1, Math.floor(most / columns)));
  return readGroups(context, groups, { queue, halvesOf: halvesOfRows });
}

/** The rows in groups of at most so many. */
export function rowGroups({ start, rows }: RowGroup, most: number): RowGroup[] {
  return Array.from({ length: Math.ceil(rows / most) }, (_, index) => {
    const first = index * most;
    return { start: start + first, rows: Math.min(most, rows - first) };
  });
}

/** The rows in two groups, or a single row as it is. */
export const halvesOfRows = (group: RowGroup): RowGroup[] => rowGroups(group, Math.ceil(group.rows / 2));
