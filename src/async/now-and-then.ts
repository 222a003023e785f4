import { withTimeout } from "./timeout";

/**
 * Returns a function that does the work if it was last done `everyMs` ago, and waits for it at most `patienceMs()`. Work that fails is done
 * again when its time has come. The first call does it at once, or from `fromMs` on.
 */
export function nowAndThen(
  work: () => Promise<unknown>,
  { everyMs, patienceMs, fromMs = 0 }: { everyMs: number; patienceMs: () => number; fromMs?: number },
): () => Promise<void> {
  let nextMs = fromMs;
  let working: Promise<unknown> | undefined;
  return async () => {
    if (Date.now() >= nextMs) {
      nextMs = Date.now() + everyMs;
      working = withTimeout(work(), patienceMs(), () => new Error("too late")).catch(() => undefined);
    }
    await working;
  };
}
