/** What every answer is wrapped in: the envelope, the error envelope and the validation error. */
import { HTTPException } from "hono/http-exception";
import type { Pagination, Warning } from "../api/schemas";
import { streamedText } from "./streamed-text";

/** The service's error codes and their statuses. The interface names the first; the others are its silences. */
const errorStatuses = {
  AHJ_ACCESS_DENIED: 403,
  BODY_INCOMPLETE: 400,
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  NOT_FOUND: 404,
  GEOID_NOT_FOUND: 404,
  COLLECTION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const;
export type ErrorCode = keyof typeof errorStatuses;

/** One fault of a request (interface, "Validation error"). */
export interface Fault {
  /** Where: `path`, `query` or `body`, then the names and positions inside. */
  loc: string[];
  msg: string;
  type: string;
}

const jsonHeaders = { "Content-Type": "application/json" };

function json(body: unknown, status: number, headers?: Record<string, string>): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } });
}

function successEnvelope(description: string, data: object, warnings: readonly Warning[]): object {
  // `data` comes last: see `successByItems`.
  return { response_type: "success", description, ...(warnings.length > 0 && { warnings }), data };
}

/** 200 with the envelope; `warnings` is there only when there is something to warn of. */
export function success(description: string, data: object, warnings: readonly Warning[] = []): Response {
  return json(successEnvelope(description, data, warnings), 200);
}

/** The same answer for `data` that is nothing but lists, each item made and written only when it is sent. */
export function successByItems(
  description: string,
  lists: Record<string, Iterable<object>>,
  warnings: readonly Warning[],
): Response {
  function* pieces() {
    yield JSON.stringify(successEnvelope(description, {}, warnings)).slice(0, -"}}".length);
    let nextField = "";
    for (const [name, items] of Object.entries(lists)) {
      yield `${nextField}${JSON.stringify(name)}:[`;
      let nextItem = "";
      for (const item of items) {
        yield nextItem + JSON.stringify(item);
        nextItem = ",";
      }
      yield "]";
      nextField = ",";
    }
    yield "}}";
  }
  return new Response(streamedText(pieces()), { status: 200, headers: jsonHeaders });
}

/** The error envelope. */
export function refusal(code: ErrorCode, description: string, headers?: Record<string, string>): Response {
  const status = errorStatuses[code];
  return json({ response_type: "error", description, error: code, status_code: status }, status, headers);
}

/** Ends the request with the error envelope. */
export function refuse(code: ErrorCode, description: string): never {
  throw new HTTPException(errorStatuses[code], { res: refusal(code, description) });
}

/** Ends the request with 422 and the validation error. */
export function refuseInvalid(detail: Fault[]): never {
  throw new HTTPException(422, { res: json({ detail }, 422) });
}

export interface PageRequest {
  page: number;
  page_size: number;
}

export function paginationOf({ page, page_size }: PageRequest, total: number): Pagination {
  return { page, page_size, total, total_pages: Math.ceil(total / page_size) };
}

/** One page of a whole list; past its end, an empty one. */
export function pageOf<Item>(
  items: readonly Item[],
  asked: PageRequest,
): { items: Item[]; pagination: Pagination } {
  const start = (asked.page - 1) * asked.page_size;
  return {
    items: items.slice(start, start + asked.page_size),
    pagination: paginationOf(asked, items.length),
  };
}

/** "1 AHJ", "2 AHJs": a count with its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
