/** Matches a text that calls the word after it a key, as headers, settings and code do. */
const namedKey = /(?:x-api-key|api[-_ ]?key|regdata_key)\\?["']?\s*[:=]\s*\\?["']?[!-~]{6,}/i;
/** Words of a text that may each be one token. Web addresses are left out, because their paths hold ids of many kinds. */
const word = /[\w-]+/g;
const webAddress = /\bhttps?:\/\/\S+/gi;
const leastCharacters = 24;
const leastHexCharacters = 32;
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * True if a text that a person or an add-in wrote seems to hold an API key: the text calls it one, or has a long word that looks random.
 * The interface does not say what form keys have, so this is a guess.
 */
export function looksLikeKey(text: string): boolean {
  if (namedKey.test(text)) return true;
  if (text.length < leastCharacters) return false;
  return (text.replace(webAddress, " ").match(word) ?? []).some(isRandom);
}

function isRandom(token: string): boolean {
  if (token.length < leastCharacters || guid.test(token)) return false;
  if (/^[0-9a-f]+$/i.test(token))
    return token.length >= leastHexCharacters && /\d/.test(token) && /[a-f]/i.test(token);
  const digits = token.match(/\d/g)?.length ?? 0;
  return digits >= 3 && /[a-z]/.test(token) && /[A-Z]/.test(token);
}
