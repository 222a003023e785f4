import { vi } from "vitest";

/** Remembers the digests that are asked for, so that `digestsMade` can wait for them. */
export function watchDigests(): void {
  vi.spyOn(crypto.subtle, "digest");
}

/**
 * Takes turns until no digest is under way. Node makes digests on threads of their own, which a busy machine may keep
 * waiting for any time; a played clock must not go on meanwhile.
 */
export async function turnsAndDigests(turns: number): Promise<void> {
  do {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  } while (await waitedForDigests());
}

async function waitedForDigests(): Promise<boolean> {
  const digest = vi.mocked(crypto.subtle.digest);
  const { results } = digest.mock;
  digest.mockClear();
  await Promise.allSettled(results.map(({ value }) => value as unknown));
  return results.length > 0;
}
