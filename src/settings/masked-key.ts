/** The key as it may be shown. */
export function maskedKey(key: string): string {
  return key.length >= 12 ? `••••${key.slice(-4)}` : "••••";
}
