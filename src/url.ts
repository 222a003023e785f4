/**
 * The address that a text is, or null. `URL.canParse` does the same nowhere reliably: Safari has it since 17
 * only, and Node 20 says no to an ü once it has compiled the call (Node's fast call takes Latin-1 for UTF-8).
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
