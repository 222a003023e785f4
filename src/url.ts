/**
 * Parses a text as an address; null if it is none. `URL.canParse` can't be relied on for this: Safari has it only since 17, and once Node
 * 20 has compiled a call of it, it refuses an address with an ü.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
