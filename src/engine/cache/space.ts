/**
 * The names of spaces in the cache. A name is a SHA-256 fingerprint, so that whoever reads the disk learns
 * neither the key nor the address.
 */

/** The space of what one service address says to one key. */
export function spaceOf(baseUrl: string, key: string): Promise<string> {
  return fingerprint([baseUrl, key]);
}

/** The space of what one service address says to everyone. */
export function serviceSpace(baseUrl: string): Promise<string> {
  return fingerprint([baseUrl]);
}

async function fingerprint(parts: string[]): Promise<string> {
  // As JSON the parts can't run into each other.
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
