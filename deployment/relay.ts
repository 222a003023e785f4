/**
 * The requests that a server beside the add-in relays to the service, and the headers that it lets through: one list for all such servers.
 */
import { endpoints } from "../src/engine/api/endpoints";
import { rateHeaders } from "../src/engine/transport/rate-headers";
import { config } from "../src/config";

export interface RelayedRoute {
  method: "GET" | "POST";
  /** Matches the path as it is sent, without query: source of a regular expression that JavaScript and PCRE read alike. */
  pattern: string;
}

/**
 * Matches a path parameter. Its characters are such that nothing on the way encodes or resolves them, so a path can't mean one thing here
 * and another at the service.
 */
const parameter = "[\\w~-][\\w~.-]*";

/** The routes of the fourteen endpoints; nothing else below /v1/ reaches the service. */
export const relayedRoutes: readonly RelayedRoute[] = Object.values(endpoints).map(({ method, path }) => ({
  method,
  pattern: path.replaceAll(/\{\w+\}/g, parameter),
}));

/** The methods that the service accepts at a path; none if it has no such path. */
export function relayedMethods(path: string): string[] {
  return relayedRoutes
    .filter(({ pattern }) => new RegExp(`^${pattern}$`).test(path))
    .map(({ method }) => method);
}

/** The only headers of a request that the service gets: no cookie, no Authorization, no origin. */
export const passedRequestHeaders = ["X-API-Key", "Accept", "Content-Type"] as const;

/** The only headers of the service's answer that `npm run serve` passes on, besides the length. */
export const passedAnswerHeaders = [
  "Content-Type",
  "Content-Encoding",
  "Content-Disposition",
  // The add-in refuses a redirect, and can't recognize it without this header.
  "Location",
  // The add-in dates a stored answer by this header.
  "Age",
  ...Object.values(rateHeaders),
] as const;

/**
 * Headers that the service may not set in the name of the server that relays it. nginx can't be given a list of headers to pass, so it
 * hides these by name: all headers by which an answer acts on the browser beyond itself.
 */
export const hiddenAnswerHeaders = [
  // Headers that say what the browser keeps for this address, and for how long.
  "Set-Cookie",
  "Set-Cookie2",
  "Clear-Site-Data",
  "Cache-Control",
  "Expires",
  "Pragma",
  "ETag",
  "Last-Modified",
  "Vary",
  "No-Vary-Search",
  "Service-Worker-Allowed",
  // Headers that say how the browser reaches this address.
  "Strict-Transport-Security",
  "Alt-Svc",
  "Public-Key-Pins",
  "Public-Key-Pins-Report-Only",
  "Expect-CT",
  "Upgrade",
  "Allow",
  // Headers that say who is told of what happens at this address.
  "NEL",
  "Report-To",
  "Reporting-Endpoints",
  "Content-Security-Policy",
  "Content-Security-Policy-Report-Only",
  "Referrer-Policy",
  "Attribution-Reporting-Register-Source",
  "Attribution-Reporting-Register-Trigger",
  "Observe-Browsing-Topics",
  // Headers that say which other pages may read or frame an answer.
  "Access-Control-Allow-Origin",
  "Access-Control-Allow-Credentials",
  "Access-Control-Allow-Headers",
  "Access-Control-Allow-Methods",
  "Access-Control-Allow-Private-Network",
  "Access-Control-Expose-Headers",
  "Access-Control-Max-Age",
  "Timing-Allow-Origin",
  "Cross-Origin-Resource-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Opener-Policy-Report-Only",
  "Cross-Origin-Embedder-Policy",
  "Cross-Origin-Embedder-Policy-Report-Only",
  "Origin-Agent-Cluster",
  "X-Frame-Options",
  "X-Permitted-Cross-Domain-Policies",
  // Headers that make the browser ask for a password in this server's name, or sign in.
  "WWW-Authenticate",
  "Proxy-Authenticate",
  "Authentication-Info",
  "Set-Login",
  "Activate-Storage-Access",
  // Headers that load or open other addresses, or say what pages may do.
  "Link",
  "Refresh",
  "SourceMap",
  "X-SourceMap",
  "Speculation-Rules",
  "Supports-Loading-Mode",
  "X-DNS-Prefetch-Control",
  "Origin-Trial",
  "Permissions-Policy",
  "Permissions-Policy-Report-Only",
  "Feature-Policy",
  "Document-Policy",
  "Document-Policy-Report-Only",
  "Accept-CH",
  "Critical-CH",
  "X-Content-Type-Options",
  "X-XSS-Protection",
  "X-UA-Compatible",
] as const;

/**
 * The headers of every answer below /v1/. Without no-store, a browser or CDN could keep an answer and show it to a user with another key.
 */
export const answerHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
} as const;

/** The add-in gives up earlier and ends its request, which ends the relay's as well. */
export const relayTimeoutMs = config.requestTimeoutMs + 5_000;

/** Each id takes up to ten digits and a comma. */
const bytesPerId = 11;

/**
 * The largest body that the add-in sends: a matrix of as many cells as config allows, all of one type. 30,000 AHJs x 200 types, 330 kB of
 * ids, fit in it several times.
 */
export const largestBodyBytes = bytesPerId * config.mostMatrixCells + 1_000;
