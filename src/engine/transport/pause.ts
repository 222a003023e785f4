import { onAbort } from "../../async/on-abort";
import { cancelled } from "../../errors";

/** The longest delay that a browser's timer holds. With a longer one it fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits, at most some 24 days. A cancelled wait ends at once with the failure `cancelled`. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        release();
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    const release = onAbort(signal, () => {
      clearTimeout(timer);
      reject(cancelled);
    });
  });
}

/** The delay, up to a quarter longer or shorter, so that many who wait do not come back together. `random` is between 0 and 1. */
export function withJitter(ms: number, random: () => number): number {
  return ms * (0.75 + random() / 2);
}
