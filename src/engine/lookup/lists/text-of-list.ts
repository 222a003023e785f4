import { windows1252 } from "../search/repair-name";

/**
 * The text of a file with a list: UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252, in which Excel saves CSV files; null
 * if the bytes are no text.
 */
export function textOfList(bytes: Uint8Array): string | null {
  const [first = 0, second = 0] = bytes;
  const marked =
    [first, second].join() === "255,254"
      ? "utf-16le"
      : [first, second].join() === "254,255"
        ? "utf-16be"
        : null;
  const charset = marked ?? unmarkedUtf16(bytes) ?? "utf-8";
  const text = decoded(bytes, charset) ?? fromWindows(bytes);
  // eslint-disable-next-line no-control-regex
  return text === null || /[\0-\x08\x0E-\x1A\x7F-\x9F]/.test(text) ? null : text;
}

/** Windows-1252, which differs from Latin-1 in the bytes from 128 to 159. Node decodes it as Latin-1. */
function fromWindows(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => windows1252[byte - 128] ?? String.fromCharCode(byte)).join("");
}

/** UTF-16 without a mark: every other byte of usual letters and digits is zero. */
function unmarkedUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  const start = bytes.subarray(0, 200);
  const zerosAt = (rest: number) => start.filter((byte, at) => byte === 0 && at % 2 === rest).length;
  const half = start.length / 4;
  if (start.length < 4 || bytes.length % 2 === 1) return null;
  return zerosAt(1) > half && zerosAt(0) === 0
    ? "utf-16le"
    : zerosAt(0) > half && zerosAt(1) === 0
      ? "utf-16be"
      : null;
}

function decoded(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
