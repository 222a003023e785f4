/**
 * Cancels one call of a formula. Thousands of calls wait at once, and an AbortSignal takes more of their time and memory than their answers
 * do. So a call has one only if it sends requests of its own.
 */
export class Cancel {
  aborted = false;
  private acts: (() => void)[] | undefined;
  private controller: AbortController | undefined;

  /** Cancels the call. Later calls of this function do nothing. */
  abort(): void {
    this.aborted = true;
    this.controller?.abort();
    const acts = this.acts ?? [];
    this.acts = undefined;
    for (const act of acts) act();
  }

  /** Calls `act` when the call is canceled. It may also be called when nobody waits for it anymore. */
  onAbort(act: () => void): void {
    // Mostly there is one, and an array that grows would take the memory of many.
    if (this.acts) this.acts.push(act);
    else this.acts = [act];
  }

  /** The signal for requests that are sent for this call alone. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted) this.controller.abort();
    return this.controller.signal;
  }
}

/**
 * Calls `act` when the signal is aborted, at once if it is already. Returns a function that removes `act`. The signal has one listener for
 * all callers, and none when they are done, because Node and browsers warn of many listeners on one signal.
 */
export function onAbort(signal: AbortSignal | Cancel | undefined, act: () => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    act();
    return nothing;
  }
  if (signal instanceof Cancel) {
    signal.onAbort(act);
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
