import { inParallel } from "../../../async/in-parallel";
import { config } from "../../../config";
import type { Ahj, Page } from "../../api/schemas";
import { createPageCount, mustBePageOfList, pageUnlessGone } from "../../api/paged-list";
import type { ExchangeOptions } from "../../transport/exchange";
import { createSharedWork, type SharedWork } from "../shared-work";

/** A list of AHJs that the service sends in pages: all entitled AHJs, or the entitled AHJs of one state. */
export interface AhjList {
  /** Reads page 1, which tells the number of pages and AHJs. */
  readFirst(options?: ExchangeOptions): Promise<void>;
  /**
   * Reads every page, and all of them once more if the list changed meanwhile. If the oldest page was read more than `config.pagesApartMs`
   * ago, all pages are read again: when an AHJ leaves the list, later AHJs move to earlier pages, and a page that is kept would miss them.
   */
  readAll(options?: ExchangeOptions): Promise<void>;
  /** Takes over the AHJs of a list that was completely read before. */
  adopt(ahjs: readonly Ahj[]): void;
  /** The number of pages; undefined until page 1 was read. */
  pages(): number | undefined;
  /** Pages that `readAll` has to ask for; undefined until page 1 was read. */
  pagesLeft(): number | undefined;
  /** The service's own count; undefined until page 1 was read. */
  total(): number | undefined;
  isRead(): boolean;
  /** The number of AHJs that the service counted but no page showed. At least 1 if the service's count changed during each reading. */
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
  /** Requests for pages, under way or done, so that each page is asked for once. */
  const pageWorks = new Map<number, SharedWork<void>>();
  const pagesRead = new Set<number>();
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

  /** Reads a page, unless it was read. A caller that wants a page under way joins the request. */
  function readPage(page: number, options?: ExchangeOptions): Promise<void> {
    let work = pageWorks.get(page);
    if (!work) {
      work = createSharedWork(async (shared) => {
        const askedAtMs = Date.now();
        const answer = await pageUnlessGone(page, () => fetchPage(page, shared));
        if (!answer) return;
        pages = answer.pagination.total_pages;
        count.add(answer);
        oldestMs = Math.min(oldestMs, askedAtMs);
        pagesRead.add(page);
        const before = byId.size;
        put(answer.items);
        if (byId.size === before) isExhausted = true;
      });
      pageWorks.set(page, work);
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
    await inParallel(otherPages(), config.concurrentRequests, (page) => readPage(page, options));
  }

  const missing = () => count.missing(byId.size);

  /** Forgets the pages, because AHJs that were read may have left the list. */
  function restart() {
    for (const kept of [pageWorks, pagesRead, byId, byGeoid]) kept.clear();
    count.restart();
    oldestMs = Infinity;
  }

  const areTooOld = () => Date.now() - oldestMs > config.pagesApartMs;

  const readingAll = createSharedWork(async (options) => {
    if (areTooOld()) restart();
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
      return pages === undefined ? undefined : Math.max(0, pages - (areTooOld() ? 0 : pagesRead.size));
    },
    total: () => count.total() ?? (isRead ? byId.size : undefined),
    isRead: () => isRead,
    missing,
    ahjs: () => [...byId.values()],
    readAtMs: () => Math.min(oldestMs, Date.now()),
    byGeoid: (geoid) => byGeoid.get(geoid),
  };
}
