import * as z from "../../zod";
import { Failure, type FailureKind, type FormulaFailureKind } from "../../errors";
import type { Reply } from "../transport/exchange";

// Each field is checked on its own, so that an odd one does not hide the others.
const errorBody = z.object({
  error: z.catch(z.nullish(z.string()), null),
  description: z.catch(z.nullish(z.string()), null),
  detail: z.catch(
    z.nullish(
      z.union([
        z.string(),
        z.array(
          z.object({
            loc: z.catch(z.array(z.union([z.string(), z.number()])), []),
            msg: z.catch(z.string(), ""),
          }),
        ),
      ]),
    ),
    null,
  ),
});
type ErrorBody = z.infer<typeof errorBody>;

/** The kinds of failure whose sentence the service's own words add to. */
const quotedKinds = new Set<FailureKind>(["invalid-request", "not-found", "service-error"]);

const keyHeader = "header/x-api-key";

/** The failure that an answer with an error status means (docs/interface.md, "Errors"). The answer's body may be anything. */
export function failureOfReply(
  { status, body }: Pick<Reply, "status" | "body">,
  withoutKey: (text: string) => string,
): Failure {
  const parsed = parseErrorBody(body);
  const kind = kindOf(status, parsed);
  return new Failure(kind, {
    status,
    detail: quotedKinds.has(kind) ? quoted(withoutKey(bestText(parsed))) : "",
  });
}

/** True if the service itself says that it does not know this. A 404 without its words comes from a gateway, and says nothing about it. */
export function isUnknownToService({ kind, detail }: Failure): boolean {
  return kind === "not-found" && !!detail;
}

/** True if the service or a proxy refused the address as too long. */
export function isAddressTooLong({ status }: Failure): boolean {
  return status === 414 || status === 431;
}

/**
 * Says if a smaller request may pass: `yes` if the service says that this one was too large, `perhaps` if a gateway or a timeout cut it
 * off.
 */
export function mayPassSmaller({ kind, status, detail }: Failure): "yes" | "perhaps" | "no" {
  const isSizeRefusal =
    status === 422 && /too (many|large|big)|at most|exceed|limit|maximum/i.test(detail ?? "");
  if (status === 413 || isSizeRefusal) return "yes";
  return kind === "timeout" || status === 502 || status === 504 ? "perhaps" : "no";
}

/** True if every further request would fail in the same way. */
export function isForAll({ kind }: Failure): boolean {
  return forAll.has(kind);
}

const forAll = new Set<FailureKind>(["wrong-key", "no-rights", "rate-limited", "cancelled", "many-requests"]);

function kindOf(status: number, body: ErrorBody): FormulaFailureKind {
  const denied = body.error === "AHJ_ACCESS_DENIED";
  const aboutKey =
    Array.isArray(body.detail) && body.detail.some(({ loc }) => loc.join("/").toLowerCase() === keyHeader);
  if (status === 401 || aboutKey) return "wrong-key";
  if (status === 403) return denied ? "outside-subscription" : "no-rights";
  if (status === 404) return "not-found";
  if (status === 429) return "rate-limited";
  if (status >= 400 && status < 500) return "invalid-request";
  return status >= 500 ? "service-error" : "unexpected-answer";
}

function parseErrorBody(body: string): ErrorBody {
  try {
    const parsed = errorBody.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : {};
  } catch {
    // Proxies answer in HTML; the status says enough.
    return {};
  }
}

function bestText({ detail, description }: ErrorBody): string {
  return Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")
    : (detail ?? description ?? "");
}

/** The service's own words, cut to 300 characters. Characters that are invisible or change the direction of the text are removed. */
export function quoted(text: string): string {
  const shown = text.slice(0, 300).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ");
  return shown.trim() === "" ? "" : `The service says: “${shown}”`;
}
