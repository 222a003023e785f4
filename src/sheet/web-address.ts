import { parseUrl } from "../url";

/** Longer ones Excel may refuse. */
const mostCharacters = 2_000;

/** The web address that a text is or holds, of http or https: the only texts that become links. Undefined where there is none. */
export function webAddress(text: string): string | undefined {
  const [found] = /\bhttps?:\/\/[^\s<>"']+/i.exec(text) ?? [];
  const address = found?.replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, "");
  return address !== undefined && address.length <= mostCharacters && parseUrl(address) ? address : undefined;
}
