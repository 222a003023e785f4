/** A size in bytes as users read it. */
export function megabytes(bytes: number): string {
  return `about ${(bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;
}
