/** Characters that nobody sees: of control, of writing direction, of width zero, byte order marks, and soft hyphens. */
const invisible = /[\p{Cc}\p{Cf}\u{115F}\u{1160}\u{3164}]/gu;
const quotes = new Set("\"'‘’‚‛“”„`´");

/** The sign or number in front of an item: `- 06001`, `2. Alameda County`. */
const bullet = /^(?:[•·▪‣*–—-]|\d{1,3}[.)])\s+(?=\S)/;

/** Cuts a bracket off an end whose partner is missing or stands at the other end: `["06001"` is an item of a list of programs. */
function withoutBrackets(text: string): string {
  const [first, last] = [text.charAt(0), text.charAt(text.length - 1)];
  const opens = "[({".includes(first) && first !== "";
  const closes = "])}".includes(last) && last !== "";
  const isPaired = (inner: string) => /[[({]/.test(inner) === /[\])}]/.test(inner);
  if (opens && closes && isPaired(text.slice(1, -1))) return text.slice(1, -1).trim();
  if (opens && !/[\])}]/.test(text)) return text.slice(1).trim();
  return closes && !/[[({]/.test(text) ? text.slice(0, -1).trim() : text;
}

/** Cuts quotes off both ends, character by character: a pattern would take minutes for a text full of quotes. */
function withoutOuterQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && quotes.has(text.charAt(start))) start += 1;
  while (end > start && quotes.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end).trim();
}

/**
 * A text without what came into it on its way: characters that nobody sees, quotes and apostrophes around it, and the `="…"` with which
 * files keep Excel from cutting zeros. Blanks of all kinds become one blank; digits of full width become usual ones.
 */
export function tidyText(text: string): string {
  const visible = text
    .replace(/[\t\r\n]+/g, " ")
    .replace(invisible, "")
    .replace(/[\uFF10-\uFF19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[\u2010-\u2012\u2212\uFE63\uFF0D]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
  const bare = withoutOuterQuotes(withoutBrackets(withoutOuterQuotes(visible.replace(bullet, ""))));
  return /^=\s*"*([\w.,+ -]+)$/.exec(bare)?.[1] ?? bare;
}

/** The characters of a text that are no letters, digits or usual signs, as code points such as U+2603; a message can't show all of them. */
export function strangeCharacters(text: string): string[] {
  const strange = text.match(/[^\p{L}\p{M}\p{N}\x20-\x7E]/gu) ?? [];
  return [...new Set(strange)].map(
    (character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
}
