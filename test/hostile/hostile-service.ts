import { createService } from "../../reference-service/service";
import type { Interception } from "../recorded-service";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Calls `change` with every object of an answer. */
function walk(value: unknown, change: (object: Json) => void) {
  if (!isObject(value)) return;
  for (const each of Object.values(value)) walk(each, change);
  if (!Array.isArray(value)) change(value);
}

/** The reference service with every object of its answers changed, as a hostile service might. */
export function saying(change: (object: Json) => void): Interception {
  const service = createService();
  return async (request) => {
    const answer = await service.fetch(request.clone());
    if (!answer.headers.get("Content-Type")?.includes("json")) return answer;
    const body = (await answer.json()) as unknown;
    walk(body, change);
    return Response.json(body, { status: answer.status, headers: answer.headers });
  };
}
