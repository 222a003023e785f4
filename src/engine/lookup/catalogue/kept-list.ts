import * as z from "../../../zod";
import { isWithinAge } from "../../cache/age";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { asFailure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { readDocument } from "../kept-document";
import type { OldAnswerNotes } from "../old-answers";
import { createSharedWork, type SharedWork } from "../shared-work";

/** A list, and the number of items that the service counts and did not list, though the list was read twice. */
export interface Listed<Item> {
  items: Item[];
  missing: number;
}

interface Kept<Item> extends Listed<Item> {
  fetchedAtMs: number;
}

export interface KeptListDependencies {
  documents: DocumentCache;
  old: Pick<OldAnswerNotes, "isBetter" | "note">;
}

/**
 * A list that is fetched once a day and kept on disk, unless items are missing. If the service can't be asked, the kept list stays good.
 */
export function createKeptList<Item extends z.ZodMiniType>(
  { documents, old }: KeptListDependencies,
  name: string,
  item: Item,
  fetchList: (options: ExchangeOptions) => Promise<Listed<z.output<Item>>>,
): (options?: ExchangeOptions, maxAgeMs?: number) => Promise<Listed<z.output<Item>>> {
  let kept: Kept<z.output<Item>> | undefined;
  let recalled: Promise<void> | undefined;
  let fetching: SharedWork<Listed<z.output<Item>>> | undefined;

  async function recall() {
    const found = await readDocument(documents, name, z.array(item));
    if (found) kept ??= { items: found.content, missing: 0, fetchedAtMs: found.fetchedAtMs };
  }

  async function fetchAndKeep(options: ExchangeOptions) {
    try {
      const { items, missing } = await fetchList(options);
      const fetchedAtMs = Date.now();
      if (missing === 0) {
        kept = { items, missing, fetchedAtMs };
        documents.write(name, { fetchedAtMs, content: items });
        old.note(name, undefined);
      }
      return { items, missing };
    } finally {
      fetching = undefined;
    }
  }

  return async (options, maxAgeMs = config.directoryAgeMs) => {
    await (recalled ??= recall());
    if (kept && isWithinAge(kept.fetchedAtMs, maxAgeMs)) return kept;
    fetching ??= createSharedWork(fetchAndKeep);
    try {
      return await fetching.join(options);
    } catch (thrown) {
      if (kept && old.isBetter(asFailure(thrown), name, kept.fetchedAtMs)) return kept;
      throw thrown;
    }
  };
}
