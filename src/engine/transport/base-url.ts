import { config } from "../../config";
import { parseUrl } from "../../url";

/**
 * The service's base address as a user may paste it, cleaned: without blanks, trailing slash or `/v1`.
 * Returns a sentence instead where the key could not be sent there safely: http is for loopback only.
 */
export function parseBaseUrl(text: string): { baseUrl: string } | { problem: string } {
  const url = parseUrl(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) {
    return { problem: "Write the whole address as your service gives it, beginning with https://." };
  }
  if (url.protocol === "http:" && !loopbackHosts.has(url.hostname)) {
    return { problem: "Only https:// keeps your key secret on the way; http:// is for this machine alone." };
  }
  if (url.username || url.password || url.search || url.hash) {
    return { problem: "The address must end with its path: no user name, no ? and no #." };
  }
  const baseUrl = url.origin + url.pathname.replace(/\/+$/, "").replace(/\/v1$/, "");
  return baseUrl.length > config.maxBaseUrlLength ? { problem: "This address is too long." } : { baseUrl };
}

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
