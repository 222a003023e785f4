import { parseUrl } from "../../../url";

/** The longest address that becomes a link, since Excel may refuse longer ones. Excel counts the encoded address. */
const mostCharacters = 2_000;

/** The http or https address that a text is or contains; undefined if there is none. Only such addresses become links. */
export function webAddress(text: string): string | undefined {
  const [found] = /\bhttps?:\/\/[^\s<>"']+/i.exec(text) ?? [];
  const [address] = /^.*[^.,;:!?)\]}]/.exec(found ?? "") ?? [];
  if (address === undefined || address.length > mostCharacters) return undefined;
  const encoded = parseUrl(address)?.href ?? "";
  return encoded !== "" && encoded.length <= mostCharacters ? address : undefined;
}

/** The web address, if the text is nothing else; otherwise undefined. */
export function wholeWebAddress(text: string): string | undefined {
  const whole = text.trim();
  // Most texts are no address, and there are many, so the cheap test comes first.
  return /^https?:/i.test(whole) && webAddress(whole) === whole ? whole : undefined;
}
