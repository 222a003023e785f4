import { officeScripts } from "./office-script";

/** office.js loads more scripts; both of Microsoft's hosts are allowed, so that its move breaks no installed add-in. */
const officeHosts = officeScripts.map((address) => new URL(address).origin).join(" ");

/** Addresses of this computer. It has no certificate that others trust, so a developer's service may answer there without TLS. */
const loopback = ["http://localhost:*", "http://127.0.0.1:*", "https://localhost:*", "https://127.0.0.1:*"];

/**
 * The text of the Content-Security-Policy of the add-in's page. The page may load scripts of its own origin and office.js. It may connect
 * to the one service of a build that fixes its address, and otherwise to any address that the user enters. Styles may be inline, because
 * Fluent and office.js write them so.
 */
export function contentSecurityPolicy(serviceOrigin: string | null): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${officeHosts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${serviceOrigin ?? ["https:", ...loopback].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
  ].join("; ");
}

/** The policy of a page of the help: it may load its style sheet and its pictures, and no script at all. */
export const helpSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
