/**
 * Calls `act` when the signal is aborted, at once if it is already. Returns a function that removes `act`. The signal has one listener for
 * all callers, and none when they are done, because Node and browsers warn of many listeners on one signal.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    act();
    return nothing;
  }
  const { acts, callAll } = listenerOf(signal);
  const own = () => act();
  signal.addEventListener("abort", callAll);
  acts.add(own);
  return () => {
    acts.delete(own);
    if (acts.size === 0) signal.removeEventListener("abort", callAll);
  };
}

const nothing = () => {};

interface SignalListener {
  acts: Set<() => void>;
  callAll(): void;
}

const listenersBySignal = new WeakMap<AbortSignal, SignalListener>();

function listenerOf(signal: AbortSignal): SignalListener {
  const known = listenersBySignal.get(signal);
  if (known) return known;
  const acts = new Set<() => void>();
  const listener = {
    acts,
    callAll() {
      for (const act of acts) act();
    },
  };
  listenersBySignal.set(signal, listener);
  return listener;
}

/** A controller that is aborted with the signal. `release` stops it from following the signal. */
export function followSignal(signal: AbortSignal | undefined): {
  controller: AbortController;
  release(): void;
} {
  const controller = new AbortController();
  return { controller, release: onAbort(signal, () => controller.abort()) };
}
