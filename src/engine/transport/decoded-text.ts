/** The encoding that a Content-Type names; null if it names none. */
export function charsetOf(headers: Headers): string | null {
  const [, ...parameters] = (headers.get("Content-Type") ?? "").split(";");
  return parameters.map((each) => /^\s*charset="?([\w.:-]+)"?\s*$/i.exec(each)?.[1]).find(Boolean) ?? null;
}

/**
 * The text of a body or file, without its byte order mark: in UTF-16 if that mark says so, in UTF-8, or in `charset`, the encoding that its
 * Content-Type names. Null if it is in none of them, because a text with replacement characters would pass for what was published.
 */
export function decodedText(bytes: ArrayBuffer, charset: string | null): string | null {
  const [first, second] = new Uint8Array(bytes);
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  for (const encoding of [marked, "utf-8", charset]) {
    try {
      if (encoding) return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The bytes are in another encoding, or nobody knows an encoding of this name.
    }
  }
  return null;
}
