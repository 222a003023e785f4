/** Room on a disk as a user reads it. */
export function megabytes(bytes: number): string {
  return `about ${(bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;
}
