import { config } from "../../config";
import { Failure } from "../../errors";
import type { Paging } from "./client";
import type { Page, Warning } from "./schemas";

interface PageAnswer<Data> {
  data: Data;
  warnings: Warning[];
  atMs: number;
}
type ReadPage<Data> = (paging: Required<Paging>) => Promise<PageAnswer<Data>>;

/** Reads one page. Resolves to undefined if a page after the first is not found, because the list became shorter while it was read. */
export async function pageUnlessGone<Answer>(
  page: number,
  read: (page: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  return read(page).catch((failure: unknown) => {
    if (page > 1 && failure instanceof Failure && failure.kind === "not-found") return undefined;
    throw failure;
  });
}

/** Compares what the pages of one reading say of the list's total with how many records were read. */
export interface PageCount {
  add(page: Page<unknown>): void;
  /** The newest page's total, from any reading. */
  total(): number | undefined;
  /** Begins another reading: totals are compared anew. */
  restart(): void;
  /**
   * Records that the list has and no page showed. At least 1 if the total changed between pages: a record may have moved
   * onto a page that was already read, so it may have been missed.
   */
  missing(recordsRead: number): number;
}

export function createPageCount(): PageCount {
  let total: number | undefined;
  let isFirst = true;
  let hasShifted = false;
  return {
    add({ pagination }) {
      if (!isFirst && pagination.total !== total) hasShifted = true;
      total = pagination.total;
      isFirst = false;
    },
    total: () => total,
    restart() {
      isFirst = true;
      hasShifted = false;
    },
    missing: (recordsRead) => Math.max(hasShifted ? 1 : 0, (total ?? 0) - recordsRead),
  };
}

/** Fails with unexpected-answer beyond the number of pages that any list has, because a service could send pages forever. */
export function mustBePageOfList(page: number): void {
  if (page > config.mostPages) throw new Failure("unexpected-answer");
}

/**
 * The pages of a list, from page 1 on. Ends with the last page by the newest answer's own count, with one that is not found,
 * because the list may shrink while it is read, or with one that shows no new record, because a service or a cache may ignore
 * which page is asked for. Fails with unexpected-answer, too, beyond config.mostPages.
 */
export async function* pages<Item extends { id: number | string }, Data extends Page<Item>>(
  read: ReadPage<Data>,
): AsyncGenerator<PageAnswer<Data>> {
  const seen = new Set<number | string>();
  for (let page = 1; ; page += 1) {
    mustBePageOfList(page);
    const answer = await pageUnlessGone(page, () => read({ page, page_size: config.pageSize }));
    if (answer === undefined) return;
    yield answer;
    const seenBefore = seen.size;
    for (const { id } of answer.data.items) seen.add(id);
    if (seen.size === seenBefore || page >= answer.data.pagination.total_pages) return;
  }
}

/** A whole list, each record once. */
export interface WholeList<Item> {
  items: Item[];
  warnings: Warning[];
  /** See `PageCount.missing`, after the last reading. */
  missing: number;
  /** When the service gave the oldest of its pages. */
  atMs: number;
}

/** The failure of a list that lacks records: what it lacks is not to be taken for what there is not. */
export function gapFailure(missing: number, noun: string, plural = `${noun}s`): Failure {
  const detail = `The service counts ${missing} ${missing === 1 ? noun : plural} that it does not list.`;
  return new Failure("unexpected-answer", { detail });
}

/** Reads every page. A list that shifted while it was read is read once more. */
export async function readAll<Item extends { id: number | string }>(
  read: ReadPage<Page<Item>>,
  onPage?: (read: number, total: number) => void,
): Promise<WholeList<Item>> {
  const byId = new Map<number | string, Item>();
  const warnings: Warning[] = [];
  const count = createPageCount();
  let atMs = Infinity;
  for (let reading = 1; reading <= 2; reading += 1) {
    count.restart();
    // The list may no longer hold some records that the first reading found.
    byId.clear();
    for await (const answer of pages(read)) {
      for (const item of answer.data.items) byId.set(item.id, item);
      warnings.push(...answer.warnings);
      count.add(answer.data);
      atMs = Math.min(atMs, answer.atMs);
      onPage?.(byId.size, answer.data.pagination.total);
    }
    if (count.missing(byId.size) === 0) break;
  }
  return { items: [...byId.values()], warnings, missing: count.missing(byId.size), atMs };
}
