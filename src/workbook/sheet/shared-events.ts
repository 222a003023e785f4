import { createListeners } from "../../async/listeners";

/** Registers a listener; returns a function that removes it. */
export type Register = (tell: () => void) => Promise<() => void>;

/**
 * Shares one registration among many listeners. With two registrations, removing one makes office.js tell Excel to send no more events, so
 * the other would get none either.
 */
export function createSharedEvents(register: Register): Register {
  const listeners = createListeners();
  let count = 0;
  let registered: Promise<() => void> | undefined;
  let unregister: (() => void) | undefined;
  return async (listener) => {
    const remove = listeners.add(listener);
    count += 1;
    registered ??= register(listeners.tell);
    try {
      unregister = await registered;
    } catch (thrown) {
      registered = undefined;
      count -= 1;
      remove();
      throw thrown;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      remove();
      count -= 1;
      if (count > 0) return;
      registered = undefined;
      unregister?.();
    };
  };
}
