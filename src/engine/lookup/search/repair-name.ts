/** A letter of unknown shape, and one that may be missing, in the texts that `repairs` gives. Both are letters that no name has. */
export const unknownLetter = "\u1401";
const perhapsLetter = "\u1402";

/** A text may have been read in a wrong encoding twice, seldom three times. */
const mostRounds = 3;

/** True if a text has a sign that stands for a lost letter. */
export function hasLostLetter(text: string): boolean {
  return /[?\uFFFD]/.test(text);
}

/**
 * Texts that a name may have been before a wrong encoding, before HTML, or before somebody put "&" for "and" or a remark in brackets; the
 * likeliest first. Each may be wrong.
 */
export function repairs(text: string): readonly string[] {
  if (!/\P{ASCII}|[?&([]| and /iu.test(text)) return [];
  const plain = withoutEntities(text);
  const decoded = withoutWrongBytes(plain);
  const found = [
    plain,
    decoded,
    decoded.replace(/\s*&\s*/g, " and "),
    decoded.replace(/ and /gi, " & "),
    decoded.replace(/\s*[([][^()[\]]*[)\]]/g, " "),
    withUnknownLetters(decoded),
  ];
  return [...new Set(found)].filter((each) => each !== text);
}

/** The pattern of the keys that a key with unknown letters may stand for; undefined if it has none, or hardly another letter. */
export function patternOf(key: string): RegExp | undefined {
  if (!key.includes(unknownLetter)) return undefined;
  const known = key.replaceAll(unknownLetter, "").replaceAll(perhapsLetter, "");
  if (known.length < 3 || key.startsWith(unknownLetter)) return undefined;
  const pattern = key.replaceAll(unknownLetter, "\\p{L}").replaceAll(perhapsLetter, "\\p{L}?");
  return new RegExp(`^${pattern}$`, "u");
}

const signs: Readonly<Record<string, string>> = {
  ...{ amp: "&", apos: "'", lsquo: "'", rsquo: "'", nbsp: " ", ndash: "-" },
};

function withoutEntities(text: string): string {
  let decoded = text;
  // The sign & may be an entity itself: "&amp;ntilde;".
  for (let round = 0; round < mostRounds && decoded.includes("&"); round += 1) {
    decoded = decoded
      .replace(/&([a-z])(?:acute|grave|circ|tilde|uml|cedil|ring|caron|slash);/gi, "$1")
      .replace(/&([a-z]+);/gi, (entity, name: string) => signs[name.toLowerCase()] ?? entity)
      .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (entity, hex: string | undefined, digits: string) => {
        const code = hex === undefined ? Number(digits) : parseInt(hex, 16);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
      });
  }
  return decoded;
}

/** Reads UTF-8 again that was read as Windows-1252 ("DoÃ±a"), or as Mac Roman ("Do√±a"). */
function withoutWrongBytes(text: string): string {
  let decoded = text;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = decoded;
    decoded = decoded.replace(/\P{ASCII}{2,}/gu, (run) => {
      // Lower case has changed Ã, too.
      const texts = [run, run.replaceAll("ã", "Ã").replaceAll("â", "Â")];
      const found = texts.flatMap((each) => asUtf8(each, "windows") ?? asUtf8(each, "mac") ?? []);
      return found[0] ?? run;
    });
    if (decoded === before) break;
  }
  return decoded;
}

/**
 * The characters from byte 128 on in Windows-1252, up to where it equals Latin-1. The bytes without a character keep their own, as in
 * browsers. Some versions of Node read them all as Latin-1, so the platform's decoder can't be asked.
 */
export const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";
const upperBytes = Array.from({ length: 128 }, (_, at) => at + 128);
const bytesOf = {
  windows: () =>
    new Map([
      ...upperBytes.map((byte) => [String.fromCharCode(byte), byte] as const),
      ...Array.from(windows1252, (character, at) => [character, at + 128] as const),
    ]),
  mac: () => {
    const characters = new TextDecoder("macintosh").decode(Uint8Array.from(upperBytes));
    return new Map(upperBytes.map((byte, at) => [characters.charAt(at), byte]));
  },
};
const knownBytes = new Map<keyof typeof bytesOf, ReadonlyMap<string, number>>();

/** The text whose UTF-8 was read in the encoding; undefined if there is none. */
function asUtf8(run: string, encoding: keyof typeof bytesOf): string | undefined {
  const known = knownBytes.get(encoding) ?? bytesOf[encoding]();
  knownBytes.set(encoding, known);
  const bytes = Array.from(run, (character) => known.get(character) ?? 0);
  try {
    return bytes.includes(0)
      ? undefined
      : new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** Each sign for a lost letter, and each letter that is not ASCII, is an unknown letter; several in a row may have been one letter. */
function withUnknownLetters(text: string): string {
  return text.normalize("NFC").replace(/(?:\P{ASCII}|\?)+/gu, (run) => {
    const more = run === "\uFFFD" ? 1 : Math.min(run.length - 1, 3);
    return unknownLetter + perhapsLetter.repeat(more);
  });
}
