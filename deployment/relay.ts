/** What a server beside the add-in relays to the service, and what it lets through: one list for all such servers. */
import { endpoints } from "../src/engine/api/endpoints";
import { rateHeaders } from "../src/engine/transport/rate-headers";
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

/**
 * All that a server says of the service's answer besides its status, body and length, if it can be told what passes
 * (`npm run serve`).
 */
export const passedAnswerHeaders = [
  "Content-Type",
  "Content-Encoding",
  "Content-Disposition",
  // The add-in refuses to follow it, and can't tell a redirect without it.
  "Location",
  // The add-in dates a kept answer by it.
  "Age",
  ...Object.values(rateHeaders),
] as const;

/**
 * What the service may not say in the name of the server that relays it. nginx can't be told what passes, so it hides
 * these by name: all headers by which an answer acts on the browser beyond itself.
 */
export const hiddenAnswerHeaders = [
  // What the browser keeps for this address, and for how long.
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
  // How it reaches this address.
  "Strict-Transport-Security",
  "Alt-Svc",
  "Public-Key-Pins",
  "Public-Key-Pins-Report-Only",
  "Expect-CT",
  "Upgrade",
  "Allow",
  // Who is told of what happens here.
  "NEL",
  "Report-To",
  "Reporting-Endpoints",
  "Content-Security-Policy",
  "Content-Security-Policy-Report-Only",
  "Referrer-Policy",
  "Attribution-Reporting-Register-Source",
  "Attribution-Reporting-Register-Trigger",
  "Observe-Browsing-Topics",
  // Who else may read it.
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
  // Who asks: a dialog for a password in this server's name, or a sign-in.
  "WWW-Authenticate",
  "Proxy-Authenticate",
  "Authentication-Info",
  "Set-Login",
  "Activate-Storage-Access",
  // What is loaded or opened besides, and what pages may do.
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
