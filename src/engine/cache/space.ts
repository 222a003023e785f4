/**
 * The names of spaces in the cache. A name is a SHA-256 fingerprint, so that a reader of the disk learns neither the key nor the address.
 */

/** The name of the space for the answers that one service address gives to one key. */
export function spaceOf(baseUrl: string, key: string): Promise<string> {
  return fingerprint([baseUrl, key]);
}

/** The name of the space for the facts that one service address tells everyone. */
export function serviceSpace(baseUrl: string): Promise<string> {
  return fingerprint([baseUrl]);
}

async function fingerprint(parts: string[]): Promise<string> {
  // JSON keeps the parts distinct.
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
