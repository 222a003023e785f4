/** Something that a signal can abort, such as an AbortController. */
interface Abortable {
  /** `reason` is that of the signal; a canceled call has none. */
  abort(reason?: unknown): void;
}

/**
 * Cancels one call of a formula. Thousands of calls wait at once, and an AbortSignal takes more of their time and memory than their answers
 * do. So a call has one only if it sends requests of its own.
 */
export class Cancel {
  aborted = false;
  /** One that follows, mostly the only one, and the others: a list for each call would take more memory. */
  private first: Abortable | undefined;
  private others: Set<Abortable> | undefined;
  private controller: AbortController | undefined;

  /** Cancels the call. Later calls of this function do nothing. */
  abort(): void {
    this.aborted = true;
    this.controller?.abort();
    const targets = [this.first, ...(this.others ?? [])];
    this.first = this.others = undefined;
    for (const target of targets) target?.abort();
  }

  follow(target: Abortable): void {
    if (this.first) (this.others ??= new Set()).add(target);
    else this.first = target;
  }

  unfollow(target: Abortable): void {
    if (this.first === target) this.first = undefined;
    this.others?.delete(target);
  }

  /** The signal for requests that are sent for this call alone. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted) this.controller.abort();
    return this.controller.signal;
  }
}

/** Aborts `target` when the signal is aborted, at once if it is already. */
export function followAbort(signal: AbortSignal | Cancel | undefined, target: Abortable): void {
  if (signal?.aborted) target.abort(signal instanceof Cancel ? undefined : signal.reason);
  else if (signal instanceof Cancel) signal.follow(target);
  else if (signal) {
    const { targets, abortAll } = listenerOf(signal);
    signal.addEventListener("abort", abortAll);
    targets.add(target);
  }
}

/** Has `target` no longer aborted with the signal. */
export function unfollowAbort(signal: AbortSignal | Cancel | undefined, target: Abortable): void {
  if (signal instanceof Cancel) signal.unfollow(target);
  else if (signal) {
    const { targets, abortAll } = listenerOf(signal);
    targets.delete(target);
    if (targets.size === 0) signal.removeEventListener("abort", abortAll);
  }
}

/** Calls `act` when the signal is aborted, at once if it is already. Returns a function that removes `act`. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  const target = { abort: act };
  followAbort(signal, target);
  return () => unfollowAbort(signal, target);
}

interface SignalListener {
  targets: Set<Abortable>;
  abortAll(): void;
}

/**
 * The one listener that a signal has for all that follow it. It has none once they are done, because Node and browsers warn of many
 * listeners on one signal.
 */
const listenersBySignal = new WeakMap<AbortSignal, SignalListener>();

function listenerOf(signal: AbortSignal): SignalListener {
  const known = listenersBySignal.get(signal);
  if (known) return known;
  const targets = new Set<Abortable>();
  const listener = {
    targets,
    abortAll() {
      for (const target of targets) target.abort(signal.reason);
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
  followAbort(signal, controller);
  return { controller, release: () => unfollowAbort(signal, controller) };
}
