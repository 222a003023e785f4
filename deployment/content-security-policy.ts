/** Where Microsoft serves office.js; the store takes add-ins that load it from nowhere else. */
const officeScripts = "https://appsforoffice.microsoft.com";

/** Loopback has no certificate that others trust; the service of a developer may answer there in the clear. */
const loopback = ["http://localhost:*", "http://127.0.0.1:*", "https://localhost:*", "https://127.0.0.1:*"];

/**
 * What the add-in's page may load, as the text of a Content-Security-Policy: scripts of its own origin and office.js,
 * and connections to the one service of a build that fixes its address, else to wherever the user's key is entered for.
 * Styles may be written inline, which Fluent and office.js do.
 */
export function contentSecurityPolicy(serviceOrigin: string | null): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${officeScripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${serviceOrigin ?? ["https:", ...loopback].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
  ].join("; ");
}

/** What a page of the help may load: its style sheet and its pictures, and no script whatever. */
export const helpSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
