/**
 * The text of a file, without its byte order mark; null if it can't be decoded. A byte order mark of UTF-16 counts before `charset`, whose
 * default is UTF-8.
 */
export function textOfBytes(bytes: Uint8Array, charset = "utf-8"): string | null {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  try {
    return new TextDecoder(marked ?? charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
