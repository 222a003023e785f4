import { withDetail, withTextsLost } from "../cells/changed-meanwhile";

/** A cell in which somebody has written, and what it holds. */
export interface WrittenCell {
  address: string;
  held: unknown;
}

/** Rows or a sheet that were added and are to go again. */
interface Added {
  /** Queues a reading. The returned function gives, after the request, the cells in which somebody else has written. */
  queueOthers(): () => WrittenCell[];
  /** Queues the removal. */
  remove(): void;
  /** A sentence for what stays, because somebody has written there, or because Excel refuses to remove it; then there are no others. */
  whyItStays(others: readonly WrittenCell[]): string;
}

/**
 * Removes what was added before something failed, unless somebody has written in it. Returns the failure, which says what stays. A text of
 * the last moment goes with it, so it is read in the request that removes, and told.
 */
export async function takeBackAdded(
  context: Excel.RequestContext,
  thrown: unknown,
  { queueOthers, remove, whyItStays }: Added,
): Promise<unknown> {
  try {
    const looked = queueOthers();
    await context.sync();
    const others = looked();
    if (others.length > 0) return withDetail(thrown, whyItStays(others));
    const gone = queueOthers();
    remove();
    await context.sync();
    return withTextsLost(
      thrown,
      gone().map(({ held }) => held),
    );
  } catch {
    return withDetail(thrown, whyItStays([]));
  }
}
