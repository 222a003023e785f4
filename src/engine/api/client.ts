import type * as z from "../../zod";
import { Failure } from "../../errors";
import { charsetOf } from "../transport/decoded-text";
import type { ExchangeOptions, Reply, Transport } from "../transport/exchange";
import type { Bound } from "./answer-bounds";
import { failureOfReply, quoted } from "./answer-failure";
import { type Endpoint, type EndpointName, endpoints, type StateFilter } from "./endpoints";
import { readEnvelope, type Refusal } from "./read-answer";
import type { Warning } from "./schemas";

/** Which page of a list to read, from 1 on. */
export interface Paging {
  page?: number;
  page_size?: number;
}
/** Exactly one of the two lists, sent with commas (docs/interface.md, "12. Run a collection"). */
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

/** A file as the service sent it. */
export interface CsvFile {
  bytes: ArrayBuffer;
  /** The encoding that the file's Content-Type names; null if it names none. */
  charset: string | null;
}

/** The envelope's `data`, checked, and its warnings; for the two exports the CSV file. */
export interface Answer<Name extends EndpointName> {
  data: AnswerSchema<Name> extends z.ZodMiniType ? z.output<AnswerSchema<Name>> : CsvFile;
  warnings: Warning[];
  /** When the service gave the answer. Header `Age` says if a cache on the way kept it, so that it arrived later. */
  atMs: number;
}

/** The body of an answer that the caller reads with `readAnswer`. */
export interface UnreadAnswer {
  body: ArrayBuffer;
  /** As `CsvFile.charset`. */
  charset: string | null;
  /** As `Answer.atMs`. */
  atMs: number;
  /** The failure to report if the body can't be read. */
  failureOf(refusal: Refusal): Promise<Failure>;
}

/**
 * One method for each endpoint. Each sends one request (`Transport` says what is tried again) and fails with a Failure: besides the
 * transport's kinds wrong-key, no-rights, outside-subscription, not-found, invalid-request, service-error, unexpected-answer. If the
 * service refuses the key (401, or 422 about its header), every call of this client that waits or is under way ends with that failure;
 * later calls are sent.
 */
export type Client = {
  [Name in EndpointName]: (args: Arguments[Name], options?: ExchangeOptions) => Promise<Answer<Name>>;
} & {
  /** Sends the request of `matrix` without reading the answer, which may have megabytes. */
  unreadMatrix(args: Arguments["matrix"], options?: ExchangeOptions): Promise<UnreadAnswer>;
};

export function createClient(transport: Sender): Client {
  const method = (endpoint: Endpoint) => (args: object, options?: ExchangeOptions) =>
    call(transport, endpoint, args, options);
  return {
    ...Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, method(endpoint)])),
    async unreadMatrix(args: Arguments["matrix"], options?: ExchangeOptions): Promise<UnreadAnswer> {
      const { ahj_ids, data_point_type_ids } = args;
      // A service that gives no answer to a large matrix may answer one of half the size.
      const size = ` ${Math.ceil(Math.log2(ahj_ids.length * data_point_type_ids.length))}`;
      const reply = await ask(transport, endpoints.matrix, args, { ...options, isFile: true, size });
      const body = reply.file ?? new ArrayBuffer();
      const failure = (refusal: Refusal) => failureOf(refusal, transport.masking);
      return { body, charset: charsetOf(reply.headers), atMs: answeredAtMs(reply), failureOf: failure };
    },
  } as unknown as Client;
}

type Sender = Pick<Transport, "send" | "endAll" | "masking">;

const unauthorized = 401;

/** Sends one request. Returns only an answer with a success status; any other becomes a failure. */
async function ask(
  { send, endAll, masking }: Sender,
  endpoint: Endpoint,
  args: object,
  { isFile, size = "", ...options }: ExchangeOptions & { isFile: boolean; size?: string },
): Promise<Reply> {
  const { path, rest } = fillPath(endpoint.path, args);
  const sent = endpoint.send === "body" ? { path, body: rest } : { path: path + queryString(rest) };
  const onStatus = (status: number) => {
    options.onStatus?.(status);
    // The calls end before the body is there, because the next request starts as soon as this answer's head has arrived.
    if (status === unauthorized) endAll(new Failure("wrong-key", { status }));
  };
  const reply = await send(
    { method: endpoint.method, endpoint: endpoint.path + size, ...sent, ...(isFile && { isFile }) },
    { ...options, onStatus },
  );
  if (reply.status >= 200 && reply.status <= 299) return reply;
  const failure = failureOfReply(reply, await masking());
  if (failure.kind === "wrong-key") endAll(failure);
  throw failure;
}

async function call(sender: Sender, endpoint: Endpoint, args: object, options?: ExchangeOptions) {
  const reply = await ask(sender, endpoint, args, { ...options, isFile: endpoint.answer === "csv" });
  const atMs = answeredAtMs(reply);
  if (endpoint.answer === "csv") return { data: csvFileOf(reply), warnings: [], atMs };
  const read = await readEnvelope(endpoint.answer, reply.body, (data, warnings) =>
    endpoint.isAnswerTo?.(args, data as Bound, warnings),
  );
  if (!("data" in read)) throw await failureOf(read, sender.masking);
  return { ...read, atMs };
}

async function failureOf(refusal: Refusal, masking: Sender["masking"]): Promise<Failure> {
  if ("unexpected" in refusal)
    return new Failure("unexpected-answer", { cause: refusal.unexpected, detail: refusal.detail });
  const withoutKey = await masking();
  return new Failure("service-error", { detail: quoted(withoutKey(refusal.refused)) });
}

/** Fails with unexpected-answer if the answer is no CSV file, such as a gateway's login page. */
function csvFileOf({ headers, file }: Reply): CsvFile {
  if (!/^\s*text\/csv\s*(;|$)/i.test(headers.get("Content-Type") ?? "") || !file) {
    throw new Failure("unexpected-answer", { detail: "It is not a CSV file, so nothing was saved." });
  }
  return { bytes: file, charset: charsetOf(headers) };
}

function answeredAtMs({ headers }: Reply): number {
  const ageSeconds = parseInt(headers.get("Age") ?? "");
  return ageSeconds > 0 ? Math.max(0, Date.now() - ageSeconds * 1_000) : Date.now();
}

function fillPath(template: string, args: object): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...args };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    // "." and ".." would lead to another path. Only somebody else can have put such an id into a workbook.
    if (!/^[\w~-][\w~.-]*$/.test(String(value))) throw new Failure("not-found");
    return String(value);
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
