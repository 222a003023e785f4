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
  try {
    return digestOf(request);
    // eslint-disable-next-line no-unused-vars -- njs knows no catch without a name.
  } catch (failure) {
    // Such as a body that lies in a file. What can't be told from another question is found by nobody else.
    return request.variables.request_id;
  }
}

/** Of all that the service is told, as it is told it. */
function digestOf(request) {
  const told = request.variables;
  const body = request.requestBuffer;
  const isBodyHidden = request.method === "POST" && !body && told.http_content_length !== "0";
  const hash = crypto.createHash("sha256");
  [
    request.method,
    told.request_uri,
    told.http_x_api_key,
    told.http_accept,
    told.http_content_type,
    /gzip/.test(told.http_accept_encoding) ? "gzip" : "",
    isBodyHidden ? told.request_id : "",
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

// eslint-disable-next-line import/no-default-export -- njs imports nothing else.
export default { digest, tellAge };
