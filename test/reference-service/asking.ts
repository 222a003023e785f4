/** Asks the reference service through its public interface, one Request at a time, as one organization. */
import type { Warning } from "../../src/engine/api/schemas";
import { createService, type Service, type ServiceOptions } from "../../reference-service/service";

/** A JSON answer as it was sent. */
export interface Body<Data> {
  response_type: string;
  description: string;
  data: Data;
  warnings?: Warning[];
  error?: string;
  status_code?: number;
  detail?: { loc: string[]; msg: string; type: string }[];
}

export interface Answer<Data> {
  status: number;
  headers: Headers;
  text: string;
  /** The text as JSON; undefined for CSV and empty answers. */
  body: Body<Data>;
}

/** Query parameters; an undefined one is not sent. */
export type Query = Record<string, string | number | undefined>;

export interface Asking {
  get<Data = unknown>(path: string, query?: Query): Promise<Answer<Data>>;
  post<Data = unknown>(path: string, body?: unknown, query?: Query): Promise<Answer<Data>>;
  send<Data = unknown>(path: string, init?: RequestInit): Promise<Answer<Data>>;
}

function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Asks with this key, or without one if it is null. */
export function asking(key: string | null, from: Service | ServiceOptions = {}): Asking {
  const service = "fetch" in from ? from : createService(from);
  const send = async <Data>(path: string, init: RequestInit = {}): Promise<Answer<Data>> => {
    const headers = new Headers(init.headers);
    if (key !== null) headers.set("X-API-Key", key);
    const response = await service.fetch(new Request(`http://service.test${path}`, { ...init, headers }));
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
    const body = (isJson ? JSON.parse(text) : undefined) as Body<Data>;
    return { status: response.status, headers: response.headers, text, body };
  };
  return {
    send,
    get: (path, query) => send(withQuery(path, query)),
    post: (path, body, query) =>
      send(withQuery(path, query), {
        method: "POST",
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "Content-Type": "application/json" },
        }),
      }),
  };
}

/** All items of a paged list, in the order of its pages. */
export async function allItems<Item>(ask: Asking, path: string, query: Query = {}): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await ask.get<{ items: Item[]; pagination: { total_pages: number } }>(path, {
      ...query,
      page,
      page_size: 500,
    });
    items.push(...body.data.items);
    if (page >= body.data.pagination.total_pages) return items;
  }
}
