/**
 * For nginx with its JavaScript module (njs, which knows no destructuring), where a company has answers kept: under
 * what they are kept, and what their headers say.
 */
import crypto from "crypto";

/**
 * A digest of the whole question and of the key that it was asked with. nginx writes it into the kept file: neither the
 * key nor the question can be read there, and no other key finds the answer.
 */
function digest(request) {
  const headers = request.headersIn;
  const body = request.requestBuffer;
  // A body that can't be read here must not pass for another: its answer is found by nobody else.
  const isBodyHidden = request.method === "POST" && !body && headers["Content-Length"] !== "0";
  const hash = crypto.createHash("sha256");
  [
    request.method,
    request.variables.request_uri,
    headers["X-API-Key"],
    headers["Accept"],
    /gzip/.test(headers["Accept-Encoding"]) ? "gzip" : "",
    isBodyHidden ? request.variables.request_id : "",
  ].forEach((part) => hash.update((part || "") + "\n"));
  if (body) hash.update(body);
  return hash.digest("hex");
}

/** What was left of the limit when the answer came, and when that was, is of no use to whoever gets it from here. */
function tellAge(request) {
  if (request.variables.upstream_cache_status !== "HIT") return;
  const headers = request.headersOut;
  const ageMs = Date.now() - Date.parse(headers["Date"]);
  headers["Age"] = String(Math.max(0, Math.round(ageMs / 1000)));
  ["Date", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].forEach(
    (name) => delete headers[name],
  );
}

// eslint-disable-next-line no-restricted-syntax -- njs imports nothing else.
export default { digest, tellAge };
