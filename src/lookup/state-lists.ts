import * as z from "zod/mini";
import type { Client } from "../api/client";
import { type StateFilter, stateFilters } from "../api/endpoints";
import type { Ahj, Page } from "../api/schemas";
import type { DocumentCache } from "../cache/answer-cache";
import { config } from "../config";
import { asFailure } from "../errors";
import type { ExchangeOptions } from "../transport/transport";
import { type AhjList, createAhjList } from "./ahj-list";

/** The entitled AHJs of single states, where the service's filter works: its name is not in the interface. */
export interface StateLists {
  /** Reads what an earlier session has learnt of the filter. */
  recall(): Promise<void>;
  /** Whether the filter works; undefined until it was tried. */
  works(): boolean | undefined;
  /** Reads a state's AHJs. False where no filter works. */
  read(state: string, wholeTotal: number, options?: ExchangeOptions): Promise<boolean>;
  /** Takes a state's list that was read whole before. */
  adopt(state: string, ahjs: readonly Ahj[]): void;
  /** What has been read of a state. */
  list(state: string): AhjList | undefined;
}

const documentName = "state-filter";
const storedFilter = z.object({ name: z.nullable(z.enum(stateFilters)) });

export function createStateLists(
  client: Client,
  documents: DocumentCache,
  onPage: (page: readonly Ahj[]) => void,
): StateLists {
  const lists = new Map<string, AhjList>();
  /** Null where none works; undefined until they were tried. */
  let filter: StateFilter | null | undefined;
  let recalled: Promise<void> | undefined;

  async function readKept() {
    const document = (await documents.read([documentName])).get(documentName);
    const stored = storedFilter.safeParse(document?.content);
    if (stored.success) filter ??= stored.data.name;
  }

  function remember(name: StateFilter | null) {
    filter = name;
    documents.write(documentName, { fetchedAtMs: Date.now(), content: { name } });
  }

  async function fetchPage(name: StateFilter, state: string, page: number, options?: ExchangeOptions) {
    const { data } = await client.listAhjs({ [name]: state, page, page_size: config.pageSize }, options);
    return data;
  }

  /** Finds the filter's name by asking for a state's first page, which is kept where it proves right. */
  async function probe(state: string, wholeTotal: number, options?: ExchangeOptions) {
    for (const name of stateFilters) {
      const page = await fetchPage(name, state, 1, options).catch((thrown: unknown) => {
        if (asFailure(thrown, "unexpected-answer").kind === "invalid-request") return undefined;
        throw thrown;
      });
      if (!page || !isOfState(page, state)) continue;
      if (page.pagination.total >= wholeTotal) {
        // All there is lies in one state: the filter can't be told from none, and would save nothing.
        filter = null;
        return undefined;
      }
      remember(name);
      return page;
    }
    remember(null);
    return undefined;
  }

  function createList(name: StateFilter, state: string, first: Page<Ahj> | undefined): AhjList {
    let probed = first;
    return createAhjList(async (page, options) => {
      const known = page === 1 ? probed : undefined;
      probed = undefined;
      return known ?? fetchPage(name, state, page, options);
    }, onPage);
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
    async read(state, wholeTotal, options) {
      const first = filter === undefined ? await probe(state, wholeTotal, options) : undefined;
      if (!filter) return false;
      const list = lists.get(state) ?? createList(filter, state, first);
      lists.set(state, list);
      await list.readFirst(options);
      if (!list.ahjs().every((ahj) => ahj.state_code === state)) {
        // It worked once, or in an earlier session, and does no more.
        remember(null);
        lists.delete(state);
        return false;
      }
      await list.readAll(options);
      return true;
    },
  };
}

function isOfState({ items }: Page<Ahj>, state: string): boolean {
  return items.every((ahj) => ahj.state_code === state);
}
