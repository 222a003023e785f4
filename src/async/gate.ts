import { onAbort } from "./on-abort";
import { Failure } from "../errors";

/** Pauses work between two of its steps while it is closed. */
export interface Gate {
  close(): void;
  open(): void;
  /** Resolves as soon as the gate is open. Fails with cancelled at the signal. */
  pass(signal?: AbortSignal): Promise<void>;
}

export function createGate(): Gate {
  let isOpen = true;
  const waiting = new Set<() => void>();
  return {
    close() {
      isOpen = false;
    },
    open() {
      isOpen = true;
      for (const goOn of waiting) goOn();
      waiting.clear();
    },
    async pass(signal) {
      if (isOpen) return;
      await new Promise<void>((resolve, reject) => {
        const goOn = () => {
          release();
          resolve();
        };
        const release = onAbort(signal, () => {
          waiting.delete(goOn);
          reject(new Failure("cancelled"));
        });
        waiting.add(goOn);
      });
    },
  };
}
