/**
 * The address that a text is, or null. `URL.canParse` can't be relied on for this: Safari has it since 17 only, and once
 * Node 20 has compiled a call of it, it refuses an address with an ü.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
