import { config } from "../../config";
import { parseUrl } from "../../url";

/**
 * Cleans the service's base address as a user may paste it: without blanks, trailing slash or `/v1`. Returns a sentence instead if the key
 * could not be sent there safely: http is for loopback only.
 */
export function parseBaseUrl(text: string): { baseUrl: string } | { problem: string } {
  const url = parseUrl(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) {
    return { problem: "Write the full address, beginning with https://." };
  }
  if (url.protocol === "http:" && !loopbackHosts.has(url.hostname)) {
    return {
      problem:
        "Only https:// keeps your key secret on the way. http:// works for localhost and 127.0.0.1 only.",
    };
  }
  if (url.username || url.password || url.search || url.hash) {
    return { problem: "The address can't have a user name, a ? or a #." };
  }
  const baseUrl = url.origin + withoutEnding(url.pathname);
  return baseUrl.length > config.maxBaseUrlLength ? { problem: "This address is too long." } : { baseUrl };
}

/** The loopback hosts that the page's policy can name. It knows no form for an address of IPv6. */
const loopbackHosts = new Set(["localhost", "127.0.0.1"]);

const withoutEnding = (path: string) => path.replace(/(?:\/+v1)?\/*$/, "");

/** True if a browser makes something else of an address than a person reads in it, in its host or its path. */
export function isReadOtherwise(text: string, baseUrl: string): boolean {
  return withoutEnding(text.trim()).toLowerCase() !== baseUrl.toLowerCase();
}
