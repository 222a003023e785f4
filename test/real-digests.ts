import { vi } from "vitest";

/** Digests that have not been made yet. */
const underWay = new Set<Promise<ArrayBuffer>>();

/** Keeps track of the digests that are asked for, so that `turnsAndDigests` can wait for them. */
export function watchDigests(): void {
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "digest").mockImplementation((...given) => {
    const made = digest(...given);
    underWay.add(made);
    return made.finally(() => underWay.delete(made));
  });
}

/**
 * Yields to the event loop until no digest is under way. Node makes digests on threads of their own, and on a busy machine they may take
 * any time, and a fake clock must not advance meanwhile.
 */
export async function turnsAndDigests(turns: number): Promise<void> {
  do {
    await Promise.allSettled(underWay);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  } while (underWay.size > 0);
}
