import * as z from "../../../zod";
import { isWithinAge } from "../../cache/age";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { asFailure, isUnavailable } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { readDocument } from "../kept-document";
import { createSharedWork, type SharedWork } from "../shared-work";

interface Kept<Item> {
  items: Item[];
  fetchedAtMs: number;
}

/**
 * A list that is fetched once a day and kept on disk. If the service can't be asked, the kept list stays good.
 */
export function createKeptList<Item extends z.ZodMiniType>(
  documents: DocumentCache,
  name: string,
  item: Item,
  fetchList: (options: ExchangeOptions) => Promise<z.output<Item>[]>,
): (options?: ExchangeOptions, maxAgeMs?: number) => Promise<z.output<Item>[]> {
  let kept: Kept<z.output<Item>> | undefined;
  let recalled: Promise<void> | undefined;
  let fetching: SharedWork<z.output<Item>[]> | undefined;

  async function recall() {
    const found = await readDocument(documents, name, z.array(item));
    if (found) kept ??= { items: found.content, fetchedAtMs: found.fetchedAtMs };
  }

  async function fetchAndKeep(options: ExchangeOptions) {
    try {
      const items = await fetchList(options);
      kept = { items, fetchedAtMs: Date.now() };
      documents.write(name, { fetchedAtMs: kept.fetchedAtMs, content: items });
      return items;
    } finally {
      fetching = undefined;
    }
  }

  return async (options, maxAgeMs = config.directoryAgeMs) => {
    await (recalled ??= recall());
    if (kept && isWithinAge(kept.fetchedAtMs, maxAgeMs)) return kept.items;
    fetching ??= createSharedWork(fetchAndKeep);
    try {
      return await fetching.join(options);
    } catch (thrown) {
      if (kept && isUnavailable(asFailure(thrown))) return kept.items;
      throw thrown;
    }
  };
}
