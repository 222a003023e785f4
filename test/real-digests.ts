import { vi } from "vitest";

/** Remembers the digests that are asked for, so that `digestsMade` can wait for them. */
export function watchDigests(): void {
  vi.spyOn(crypto.subtle, "digest");
}

/**
 * Waits for the digests under way. Node makes them on threads of their own, which a busy machine may keep waiting for any
 * time; a played clock must not go on meanwhile.
 */
export async function digestsMade(): Promise<void> {
  const digest = vi.mocked(crypto.subtle.digest);
  const { results } = digest.mock;
  digest.mockClear();
  await Promise.allSettled(results.map(({ value }) => value as unknown));
}
