/** The forms of all JSON answers: the envelope, the error envelope and the validation error. */
import type { Pagination, Warning } from "../../src/engine/api/schemas";
import { jsonText } from "./json-text";

/** The service's error codes and their statuses. All but the first are our choice (docs/interface.md, "Left open"). */
const errorStatuses = {
  AHJ_ACCESS_DENIED: 403,
  BODY_INCOMPLETE: 400,
  API_KEY_MISSING: 401,
  API_KEY_INVALID: 401,
  NOT_FOUND: 404,
  AHJ_NOT_FOUND: 404,
  GEOID_NOT_FOUND: 404,
  COLLECTION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
} as const;
type ErrorCode = keyof typeof errorStatuses;

/** One fault of a request (docs/interface.md, "Validation error"). */
export interface Fault {
  /** The fault's place: `path`, `query` or `body`, then the names and positions inside. */
  loc: string[];
  msg: string;
  type: string;
}

interface SuccessBody {
  response_type: "success";
  description: string;
  warnings?: readonly Warning[];
  /** A list in the data may be lazy: see `jsonText`. */
  data: { pagination?: Pagination; [field: string]: unknown };
}

interface ErrorBody {
  response_type: "error";
  description: string;
  error: ErrorCode;
  status_code: number;
}

interface ValidationBody {
  detail: readonly Fault[];
}

/** A JSON answer that is not written yet, so it can still be changed. */
export interface JsonAnswer {
  status: number;
  headers?: Record<string, string>;
  body: SuccessBody | ErrorBody | ValidationBody;
}

/** An answer in another form than JSON is a Response. */
export type Answer = JsonAnswer | Response;

/** Status 200 with the envelope; `warnings` is left out if there are none. */
export function success(
  description: string,
  data: SuccessBody["data"],
  warnings: readonly Warning[] = [],
): JsonAnswer {
  const body: SuccessBody = {
    response_type: "success",
    description,
    ...(warnings.length > 0 && { warnings }),
    data,
  };
  return { status: 200, body };
}

export function refusal(
  code: ErrorCode,
  description: string,
  headers: Record<string, string> = {},
): JsonAnswer {
  const status = errorStatuses[code];
  return {
    status,
    headers,
    body: { response_type: "error", description, error: code, status_code: status },
  };
}

/** Ends a request with an answer other than success when it is thrown. */
class Refusal extends Error {
  constructor(readonly answer: JsonAnswer) {
    super(`refused with ${answer.status}`);
  }
}

/** Ends the request with the error envelope. */
export function refuse(code: ErrorCode, description: string): never {
  throw new Refusal(refusal(code, description));
}

/** Ends the request with 422 and the validation error. */
export function refuseInvalid(detail: readonly Fault[]): never {
  throw new Refusal({ status: 422, body: { detail } });
}

/** The answer of `answer`, or its refusal. Other errors are passed on. */
export async function answerOrRefusal(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

export function written(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  const { status, headers, body } = answer;
  return new Response(jsonText(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

export interface PageRequest {
  page: number;
  page_size: number;
}

export function paginationOf({ page, page_size }: PageRequest, total: number): Pagination {
  return { page, page_size, total, total_pages: Math.ceil(total / page_size) };
}

/** One page of a whole list. A page past the end is empty. */
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

/** A count with its noun: "1 AHJ", "2 AHJs". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
