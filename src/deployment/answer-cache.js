/**
 * For nginx with its JavaScript module (njs), where a company has answers kept: under what they are kept, and what
 * their headers say.
 */
import crypto from "crypto";

/**
 * A digest of the whole question and of the key that it was asked with. nginx writes it into the kept file: neither the
 * key nor the question can be read there, and no other key finds the answer.
 */
function digest(request) {
  const { method, headersIn, variables, requestBuffer } = request;
  const isBodyHidden =
    requestBuffer === undefined && method === "POST" && headersIn["Content-Length"] !== "0";
  const hash = crypto.createHash("sha256");
  for (const part of [
    method,
    variables.request_uri,
    headersIn["X-API-Key"],
    headersIn["Accept"],
    /gzip/.test(headersIn["Accept-Encoding"]) ? "gzip" : "",
    // A body that can't be read here must not pass for another: its answer is found by nobody else.
    isBodyHidden ? variables.request_id : "",
  ]) {
    hash.update((part || "") + "\n");
  }
  if (requestBuffer) hash.update(requestBuffer);
  return hash.digest("hex");
}

/** What was left of the limit when the answer came, and when that was, is of no use to whoever gets it from here. */
function tellAge(request) {
  const { headersOut, variables } = request;
  if (variables.upstream_cache_status !== "HIT") return;
  const ageMs = Date.now() - Date.parse(headersOut["Date"]);
  headersOut["Age"] = String(Math.max(0, Math.round(ageMs / 1000)));
  // By it the add-in reads the service's clock.
  delete headersOut["Date"];
  for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"])
    delete headersOut[name];
}

// eslint-disable-next-line no-restricted-syntax -- njs imports nothing else.
export default { digest, tellAge };
