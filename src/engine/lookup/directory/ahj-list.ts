import pMap from "p-map";
import { config } from "../../../config";
import type { Ahj, Page } from "../../api/schemas";
import { createPageCount, mustBePageOfList, pageUnlessGone } from "../../api/paged-list";
import type { ExchangeOptions } from "../../transport/exchange";
import { createSharedWork, type SharedWork } from "../shared-work";

/** A list of AHJs in pages: all entitled AHJs, or the entitled AHJs of one state. Its pages may be read in any order. */
export interface AhjList {
  /** Reads page 1, which tells the number of pages and AHJs. */
  readFirst(options?: ExchangeOptions): Promise<void>;
  /**
   * Reads every page, and once more if the list changed meanwhile. Pages that were read longer than config.pagesApartMs ago are read anew,
   * because an AHJ that has left the list since then has moved others onto pages that were read already.
   */
  readAll(options?: ExchangeOptions): Promise<void>;
  /** Takes over a list that was completely read before. */
  adopt(ahjs: readonly Ahj[]): void;
  /** Undefined until page 1 was read. */
  pages(): number | undefined;
  /** Pages that `readAll` has to ask for; undefined until page 1 was read. */
  pagesLeft(): number | undefined;
  /** The service's own count; undefined until page 1 was read. */
  total(): number | undefined;
  isRead(): boolean;
  /** AHJs that the service counts and no page showed; at least one if its count changed during each reading. */
  missing(): number;
  ahjs(): readonly Ahj[];
  /** When the oldest page was read; the present time if none was. */
  readAtMs(): number;
  /** The AHJ with this geoID; if there are several, the one with the lowest id. */
  byGeoid(geoid: string): Ahj | undefined;
}

export function createAhjList(
  fetchPage: (page: number, options: ExchangeOptions) => Promise<Page<Ahj>>,
  onPage: (page: readonly Ahj[]) => void,
): AhjList {
  const byId = new Map<number, Ahj>();
  const byGeoid = new Map<string, Ahj>();
  const reading = new Map<number, SharedWork<void>>();
  const read = new Set<number>();
  const count = createPageCount();
  let pages: number | undefined;
  let isRead = false;
  /** True if a page showed no new AHJ. Later pages would only repeat AHJs, whatever number of pages the service claims. */
  let isExhausted = false;
  let oldestMs = Infinity;

  function put(ahjs: readonly Ahj[]) {
    for (const ahj of ahjs) {
      byId.set(ahj.id, ahj);
      if (ahj.geoid === null) continue;
      const known = byGeoid.get(ahj.geoid);
      if (!known || ahj.id < known.id) byGeoid.set(ahj.geoid, ahj);
    }
    onPage(ahjs);
  }

  /** Reads a page. A caller that wants a page under way joins it. */
  function readPage(page: number, options?: ExchangeOptions): Promise<void> {
    let work = reading.get(page);
    if (!work) {
      work = createSharedWork(async (shared) => {
        const askedAtMs = Date.now();
        const answer = await pageUnlessGone(page, () => fetchPage(page, shared));
        if (!answer) return;
        pages = answer.pagination.total_pages;
        count.add(answer);
        oldestMs = Math.min(oldestMs, askedAtMs);
        read.add(page);
        const before = byId.size;
        put(answer.items);
        if (byId.size === before) isExhausted = true;
      });
      reading.set(page, work);
    }
    return work.join(options);
  }

  async function readEveryPage(options?: ExchangeOptions): Promise<void> {
    isExhausted = false;
    await readPage(1, options);
    function* otherPages() {
      for (let page = 2; !isExhausted && page <= (pages ?? 1); page += 1) {
        mustBePageOfList(page);
        yield page;
      }
    }
    await pMap(otherPages(), (page) => readPage(page, options), { concurrency: config.concurrentRequests });
  }

  const missing = () => count.missing(byId.size);

  /** Forgets the pages, because AHJs that were read may have left the list. */
  function restart() {
    for (const before of [reading, read, byId, byGeoid]) before.clear();
    count.restart();
    oldestMs = Infinity;
  }

  const areApart = () => Date.now() - oldestMs > config.pagesApartMs;

  const readingAll = createSharedWork(async (options) => {
    if (areApart()) restart();
    await readEveryPage(options);
    if (missing() > 0) {
      // A second reading finds AHJs that moved between pages.
      restart();
      await readEveryPage(options);
    }
    isRead = true;
  });

  return {
    readFirst: (options) => readPage(1, options),
    async readAll(options) {
      if (!isRead) await readingAll.join(options);
    },
    adopt(ahjs) {
      put(ahjs);
      isRead = true;
    },
    pages: () => pages,
    pagesLeft() {
      if (isRead) return 0;
      return pages === undefined ? undefined : Math.max(0, pages - (areApart() ? 0 : read.size));
    },
    total: () => count.total() ?? (isRead ? byId.size : undefined),
    isRead: () => isRead,
    missing,
    ahjs: () => [...byId.values()],
    readAtMs: () => Math.min(oldestMs, Date.now()),
    byGeoid: (geoid) => byGeoid.get(geoid),
  };
}
