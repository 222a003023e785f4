import type { Ahj } from "../../api/schemas";

export function ahjLabel({ name, state_code }: Ahj): string {
  return `${name}, ${state_code}`;
}

/** `1 row`, `2 rows`; `jurisdiction` and the like take an s. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

export function waitingForLimit(untilMs: number): string {
  return `Your request limit is used up. Going on at ${new Date(untilMs).toLocaleTimeString()}.`;
}
