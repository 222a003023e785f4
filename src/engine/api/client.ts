import { partsWithin } from "../../lists";
import { onAbort } from "../../async/on-abort";
import type * as z from "zod/mini";
import { config } from "../../config";
import { Failure } from "../../errors";
import type { Exchange, ExchangeOptions, Reply, Transport } from "../transport/exchange";
import { failureOfReply, isAddressTooLong } from "./answer-failure";
import { type Endpoint, type EndpointName, endpoints, type StateFilter } from "./endpoints";
import { letPageAnswer } from "./let-page-answer";
import { envelope, type Page, type Warning } from "./schemas";

interface Paging {
  page?: number;
  page_size?: number;
}
/** Exactly one of the two, as a list with commas (docs/interface.md, "12. Run a collection"). */
type Jurisdictions = { ahj_ids: readonly number[] } | { geoids: readonly string[] };

/** The parameters of each endpoint, in the path too, by their names in docs/interface.md, "Endpoints". */
export interface Arguments {
  listAhjs: Paging & Partial<Record<StateFilter, string>>;
  getAhj: { ahj_id: number };
  resolveGeoid: { geoid: string };
  listDataPoints: Paging & { ahj_ids?: readonly number[]; data_point_type_ids?: readonly number[] };
  listTypes: Paging;
  listCategories: Paging;
  listUnits: Record<never, never>;
  matrix: { ahj_ids: readonly number[]; data_point_type_ids: readonly number[] };
  exportMatrix: { ahj_ids: readonly number[]; data_point_type_ids: readonly number[] };
  listCollections: Paging;
  getCollection: { collection_id: string };
  runCollection: Paging & { collection_id: string } & Jurisdictions;
  exportCollection: { collection_id: string } & Jurisdictions;
  runCollectionForGeoid: Paging & { geoid: string; collection_id: string };
}

type AnswerSchema<Name extends EndpointName> = (typeof endpoints)[Name]["answer"];

/** The envelope's `data`, checked, and its warnings; for the two exports the CSV file's text. */
export interface Answer<Name extends EndpointName> {
  data: AnswerSchema<Name> extends z.ZodMiniType ? z.output<AnswerSchema<Name>> : string;
  warnings: Warning[];
  /** When the service gave it: earlier than it came where something on the way has kept it, as its `Age` says. */
  atMs: number;
}

/**
 * One method an endpoint. Each sends one request (see Transport for what is tried again) and fails with a
 * Failure: besides the transport's kinds wrong-key, no-rights, outside-subscription, not-found, invalid-request,
 * service-error, unexpected-answer. A key that the service refuses (401, or 422 about its header) ends every call of
 * this client that waits or is under way with that failure; later ones are sent.
 */
export type Client = {
  [Name in EndpointName]: (args: Arguments[Name], options?: ExchangeOptions) => Promise<Answer<Name>>;
};

export function createClient(transport: Sender): Client {
  const { withoutKey } = transport;
  const sender = { send: createSend(transport), withoutKey };
  const method = (endpoint: Endpoint) => (args: object, options?: ExchangeOptions) =>
    call(sender, endpoint, args, options);
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, endpoint]) => [name, method(endpoint)]),
  ) as unknown as Client;
}

type Sender = Pick<Transport, "send" | "withoutKey">;

/** Sends for one client; gives back answers with a good status only. */
function createSend({ send, withoutKey }: Sender): Transport["send"] {
  const underWay = new Set<AbortController>();

  const stopAll = (failure: Failure) => {
    for (const stop of underWay) stop.abort(failure);
  };

  async function sendUntil(
    signal: AbortSignal,
    exchange: Exchange,
    options: ExchangeOptions,
  ): Promise<Reply> {
    const onStatus = (status: number) => {
      options.onStatus?.(status);
      // Not only when its body is there: the answer has made room for the next by then.
      if (status === unauthorised) stopAll(failureOfReply({ status, body: "" }, withoutKey));
    };
    const reply = await send(exchange, { ...options, signal, onStatus });
    signal.throwIfAborted();
    if (reply.status >= 200 && reply.status <= 299) return reply;
    const failure = failureOfReply(reply, withoutKey);
    if (failure.kind === "wrong-key") stopAll(failure);
    throw failure;
  }

  return async (exchange, options = {}) => {
    const stop = new AbortController();
    const release = onAbort(options.signal, () => stop.abort(new Failure("cancelled")));
    underWay.add(stop);
    try {
      return await sendUntil(stop.signal, exchange, options);
    } catch (thrown) {
      throw stop.signal.aborted ? stop.signal.reason : thrown;
    } finally {
      underWay.delete(stop);
      release();
    }
  };
}

const unauthorised = 401;

async function call(
  { send, withoutKey }: Sender,
  endpoint: Endpoint,
  args: object,
  options?: ExchangeOptions,
) {
  const { path, rest } = fillPath(endpoint.path, args);
  const reply = await send(
    endpoint.send === "body"
      ? { method: endpoint.method, path, body: rest }
      : { method: endpoint.method, path: path + queryString(rest) },
    options,
  );
  const atMs = answeredAtMs(reply);
  if (endpoint.answer === "csv") return { data: reply.body, warnings: [], atMs };

  const sent = parseJson(reply.body);
  await letPageAnswer();
  const wrapped = envelope.safeParse(sent);
  if (!wrapped.success) throw new Failure("unexpected-answer", { cause: wrapped.error });
  if (wrapped.data.response_type === "error") {
    throw new Failure("service-error", { detail: withoutKey(wrapped.data.description) });
  }
  const data = endpoint.answer.safeParse(wrapped.data.data);
  if (!data.success) throw new Failure("unexpected-answer", { cause: data.error });
  await letPageAnswer();
  return { data: data.data, warnings: wrapped.data.warnings, atMs };
}

function answeredAtMs({ headers }: Reply): number {
  const ageSeconds = parseInt(headers.get("Age") ?? "");
  return Date.now() - (ageSeconds > 0 && ageSeconds <= 86_400 ? ageSeconds * 1_000 : 0);
}

function fillPath(template: string, args: object): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...args };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path, rest };
}

function queryString(parameters: Record<string, unknown>): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.map(encode).join(",") : encode(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the answer, which may hold the key.
    throw new Failure("unexpected-answer");
  }
}

type ReadPage<Data> = (
  paging: Required<Paging>,
) => Promise<{ data: Data; warnings: Warning[]; atMs: number }>;

/**
 * The pages of a list, from page 1 on. Ends with the last page by the newest answer's own count, or with one
 * that is empty or not found: the list may shrink while it is read.
 */
export async function* pages<Item, Data extends Page<Item>>(
  read: ReadPage<Data>,
): AsyncGenerator<{ data: Data; warnings: Warning[]; atMs: number }> {
  for (let page = 1; ; page += 1) {
    const answer = await read({ page, page_size: config.pageSize }).catch((failure: unknown) => {
      if (page > 1 && failure instanceof Failure && failure.kind === "not-found") return undefined;
      throw failure;
    });
    if (answer === undefined) return;
    yield answer;
    if (answer.data.items.length === 0 || page >= answer.data.pagination.total_pages) return;
  }
}

/**
 * A whole list, each record once. `missing` counts records that the list has and no page showed; it is at least one where
 * the list's total changed at each reading.
 */
export interface WholeList<Item> {
  items: Item[];
  warnings: Warning[];
  missing: number;
  /** When the service gave the oldest of its pages. */
  atMs: number;
}

/** Reads every page. A list that shifted while it was read is read once more. */
export async function readAll<Item extends { id: number | string }>(
  read: ReadPage<Page<Item>>,
  onPage?: (read: number, total: number) => void,
): Promise<WholeList<Item>> {
  const byId = new Map<number | string, Item>();
  const warnings: Warning[] = [];
  let missing = 0;
  let atMs = Infinity;
  for (let reading = 1; reading <= 2; reading += 1) {
    let total: number | undefined;
    missing = 0;
    // What was read before may be there no more.
    byId.clear();
    for await (const answer of pages(read)) {
      for (const item of answer.data.items) byId.set(item.id, item);
      warnings.push(...answer.warnings);
      const now = answer.data.pagination.total;
      // Where a record goes, one of the next page moves to one that was read: it is on neither.
      if (now !== (total ?? now)) missing = 1;
      total = now;
      atMs = Math.min(atMs, answer.atMs);
      onPage?.(byId.size, now);
    }
    missing = Math.max(missing, (total ?? 0) - byId.size);
    if (missing === 0) break;
  }
  return { items: [...byId.values()], warnings, missing, atMs };
}

/** Cuts a list for a GET query so that each whole address stays below config.maxAddressLength. */
export function queryChunks<Item extends number | string>(
  items: readonly Item[],
  addressLengthBesides: number,
): Item[][] {
  return partsWithin(items, (item) => encode(item).length + 1, {
    room: config.maxAddressLength - addressLengthBesides,
  });
}

/** Sends a list for a GET query, in halves where its address proves too long: one answer for each part. */
export async function inShortAddresses<Item, Result>(
  items: readonly Item[],
  send: (part: readonly Item[]) => Promise<Result>,
): Promise<Result[]> {
  try {
    return [await send(items)];
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !isAddressTooLong(thrown) || items.length < 2) throw thrown;
    const half = Math.ceil(items.length / 2);
    const parts = [items.slice(0, half), items.slice(half)];
    return (await Promise.all(parts.map((part) => inShortAddresses(part, send)))).flat();
  }
}
