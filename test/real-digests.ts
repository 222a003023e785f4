import { vi } from "vitest";

/** Digests that are being made. */
const underWay = new Set<Promise<ArrayBuffer>>();

/** Remembers the digests that are asked for, so that `turnsAndDigests` can wait for them. */
export function watchDigests(): void {
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, "digest").mockImplementation((...given) => {
    const made = digest(...given);
    underWay.add(made);
    return made.finally(() => underWay.delete(made));
  });
}

/**
 * Takes turns until no digest is under way. Node makes digests on threads of their own, which a busy machine may keep
 * waiting for any time; a played clock must not go on meanwhile.
 */
export async function turnsAndDigests(turns: number): Promise<void> {
  do {
    await Promise.allSettled(underWay);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  } while (underWay.size > 0);
}
