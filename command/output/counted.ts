/** `1 cell`, `1,200 cells`: the same on every machine, for scripts. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
