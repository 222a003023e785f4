import { Failure } from "../errors";

/** Waits; a cancelled wait ends at once with the failure `cancelled`. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Failure("cancelled"));
    const cancel = () => {
      clearTimeout(timer);
      reject(new Failure("cancelled"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", cancel);
      resolve();
    }, ms);
    signal?.addEventListener("abort", cancel, { once: true });
  });
}
