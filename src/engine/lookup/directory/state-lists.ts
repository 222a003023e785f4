import * as z from "../../../zod";
import type { Client } from "../../api/client";
import { type StateFilter, stateFilters } from "../../api/endpoints";
import type { Ahj, Page } from "../../api/schemas";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { asFailure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { type AhjList, createAhjList } from "./ahj-list";
import { readDocument } from "../kept-document";
import { createSharedWork, type SharedWork } from "../shared-work";

/** The entitled AHJs of single states, if one of the filter's possible names works (docs/interface.md, "Left open"). */
export interface StateLists {
  /** Reads what an earlier session has learned about the filter. */
  recall(): Promise<void>;
  /** True if the filter works; undefined until it was tried. */
  works(): boolean | undefined;
  /** Reads page 1 of a state's AHJs. Page 1 of `whole` must have been read. Resolves to false if no filter works. */
  readFirst(state: string, whole: AhjList, options?: ExchangeOptions): Promise<boolean>;
  /** Reads all of a state's AHJs; otherwise like `readFirst`. */
  read(state: string, whole: AhjList, options?: ExchangeOptions): Promise<boolean>;
  /** Takes over a state's list that was completely read before. */
  adopt(state: string, ahjs: readonly Ahj[]): void;
  /** The list of a state, as far as it has been read. */
  list(state: string): AhjList | undefined;
}

const documentName = "state-filter";
const storedFilter = z.object({ name: z.nullable(z.literal(stateFilters)) });

export function createStateLists(
  client: Client,
  documents: DocumentCache,
  onPage: (page: readonly Ahj[]) => void,
): StateLists {
  const lists = new Map<string, AhjList>();
  /** The filter's name; null if none works; undefined until they were tried. */
  let filter: StateFilter | null | undefined;
  let recalled: Promise<void> | undefined;
  let probing: SharedWork<void> | undefined;
  /** The page that the probe brought. The state's list takes it. */
  let probed: { state: string; page: Page<Ahj> } | undefined;

  async function readKept() {
    const kept = await readDocument(documents, documentName, storedFilter);
    if (kept && filter === undefined) filter = kept.content.name;
  }

  function remember(name: StateFilter | null) {
    filter = name;
    documents.write(documentName, { fetchedAtMs: Date.now(), content: { name } });
  }

  async function fetchPage(name: StateFilter, state: string, page: number, options?: ExchangeOptions) {
    const { data } = await client.listAhjs({ [name]: state, page, page_size: config.pageSize }, options);
    return data;
  }

  /** Finds the filter's name by asking for a state's first page. The page is kept if the name proves right. */
  async function probe(state: string, whole: AhjList, options: ExchangeOptions): Promise<void> {
    const total = whole.total() ?? 0;
    const proves = (page: Page<Ahj>, asked: string) =>
      page.items.length > 0 && areOfState(page.items, asked) && page.pagination.total < total;
    for (const name of stateFilters) {
      const page = await tryPage(name, state, options);
      // No page, or a page of all states, shows that the name means nothing to the service.
      if (!page || !areOfState(page.items, state)) continue;
      // An empty page may be right, or the filter may want something other than a postal code.
      const other = whole.ahjs().find((ahj) => ahj.state_code !== state)?.state_code;
      const otherPage = page.items.length === 0 && other ? await tryPage(name, other, options) : undefined;
      if (!proves(page, state) && !(otherPage && other && proves(otherPage, other))) continue;
      remember(name);
      probed = { state, page };
      return;
    }
    // If all AHJs lie in one state, the results don't show if the filter works, and it would save nothing.
    if (new Set(whole.ahjs().map((ahj) => ahj.state_code)).size > 1) remember(null);
    else filter = null;
  }

  async function tryPage(name: StateFilter, state: string, options: ExchangeOptions) {
    try {
      return await fetchPage(name, state, 1, options);
    } catch (thrown) {
      if (asFailure(thrown).kind === "invalid-request") return undefined;
      throw thrown;
    }
  }

  function createList(name: StateFilter, state: string): AhjList {
    return createAhjList(async (page, options) => {
      const known = page === 1 && probed?.state === state ? probed.page : undefined;
      if (known) probed = undefined;
      return known ?? fetchPage(name, state, page, options);
    }, onPage);
  }

  /** The list of a state, with page 1 read; undefined if no filter works. */
  async function begin(state: string, whole: AhjList, options?: ExchangeOptions) {
    if (filter === undefined) {
      probing ??= createSharedWork((shared) => probe(state, whole, shared));
      await probing.join(options);
    }
    if (!filter) return undefined;
    const list = lists.get(state) ?? createList(filter, state);
    lists.set(state, list);
    await list.readFirst(options);
    return areOfState(list.ahjs(), state) ? list : giveUp(state);
  }

  /** Gives up a filter that worked once, or in an earlier session, and no longer does. */
  function giveUp(state: string): undefined {
    remember(null);
    lists.delete(state);
  }

  return {
    recall: () => (recalled ??= readKept()),
    works: () => (filter === undefined ? undefined : filter !== null),
    list: (state) => lists.get(state),
    adopt(state, ahjs) {
      const list = createAhjList(() => Promise.reject(new Error("read already")), onPage);
      list.adopt(ahjs);
      lists.set(state, list);
    },
    readFirst: async (state, whole, options) => (await begin(state, whole, options)) !== undefined,
    async read(state, whole, options) {
      const list = await begin(state, whole, options);
      if (!list) return false;
      await list.readAll(options);
      if (areOfState(list.ahjs(), state)) return true;
      giveUp(state);
      return false;
    },
  };
}

function areOfState(ahjs: readonly Ahj[], state: string): boolean {
  return ahjs.every((ahj) => ahj.state_code === state);
}
