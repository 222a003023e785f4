import { parseUrl } from "../../../url";

/** Longer ones Excel may refuse; it counts them as they are encoded. */
const mostCharacters = 2_000;

/** The web address that a text is or holds, of http or https: the only texts that become links. Undefined where there is none. */
export function webAddress(text: string): string | undefined {
  const [found] = /\bhttps?:\/\/[^\s<>"']+/i.exec(text) ?? [];
  const [address] = /^.*[^.,;:!?)\]}]/.exec(found ?? "") ?? [];
  if (address === undefined || address.length > mostCharacters) return undefined;
  const encoded = parseUrl(address)?.href ?? "";
  return encoded !== "" && encoded.length <= mostCharacters ? address : undefined;
}

/** The web address that a text is, and nothing else. */
export function wholeWebAddress(text: string): string | undefined {
  const whole = text.trim();
  // Most texts are none, and there are many.
  return /^https?:/i.test(whole) && webAddress(whole) === whole ? whole : undefined;
}
