/** A count with its noun, such as `1 cell` or `1,200 cells`. It is the same on every machine, for scripts. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
