/** What a server beside the add-in relays to the service, and what it lets through: one list for all such servers. */
import { endpoints } from "../src/engine/api/endpoints";
import { config } from "../src/config";

export interface RelayedRoute {
  method: "GET" | "POST";
  /** Of the path as it is sent, without query: source of a regular expression that JavaScript and PCRE read alike. */
  pattern: string;
}

/**
 * A path parameter: characters that nothing on the way encodes or resolves, so that a path can't mean one thing here
 * and another at the service.
 */
const parameter = "[\\w~-][\\w~.-]*";

/** The fourteen endpoints; nothing else below /v1/ reaches the service. */
export const relayedRoutes: readonly RelayedRoute[] = Object.values(endpoints).map(({ method, path }) => ({
  method,
  pattern: path.replaceAll(/\{\w+\}/g, parameter),
}));

/** The methods that the service is asked with at a path; none where it has no such path. */
export function relayedMethods(path: string): string[] {
  return relayedRoutes
    .filter(({ pattern }) => new RegExp(`^${pattern}$`).test(path))
    .map(({ method }) => method);
}

/** All that the service is told of a request besides its address and body: no cookie, no Authorization, no origin. */
export const passedRequestHeaders = ["X-API-Key", "Accept", "Content-Type"] as const;

/** What the service may not say in the name of the server that relays it. */
export const hiddenAnswerHeaders = [
  "Set-Cookie",
  "Strict-Transport-Security",
  "Cache-Control",
  "Expires",
  "Pragma",
  "Access-Control-Allow-Origin",
  "Access-Control-Allow-Credentials",
  "Access-Control-Expose-Headers",
] as const;

/** On every answer below /v1/. Kept under its address by a browser or CDN, it would be shown to whoever has another key. */
export const answerHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
} as const;

/** The add-in gives up first, and ends its request; then the relay ends its own. */
export const relayTimeoutMs = config.requestTimeoutMs + 5_000;

/** An id of ten digits and its comma. */
const bytesPerId = 11;

/**
 * The largest body that the add-in sends: a matrix of as many cells as config allows, all of one type. It fits 30,000
 * AHJs x 200 types, 330 kB of ids, several times.
 */
export const largestBodyBytes = bytesPerId * config.mostMatrixCells + 1_000;
