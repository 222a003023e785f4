/**
 * Calls `act` when the signal is aborted, now if it is already. Returns what takes this back, for whoever is done
 * before. However many want to know, the signal has one listener, and none when they are done.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    act();
    return () => {};
  }
  const { acts, callAll } = hearersOf(signal);
  const hearer = () => act();
  signal.addEventListener("abort", callAll);
  acts.add(hearer);
  return () => {
    acts.delete(hearer);
    if (acts.size === 0) signal.removeEventListener("abort", callAll);
  };
}

interface Hearers {
  acts: Set<() => void>;
  callAll(): void;
}

const hearersBySignal = new WeakMap<AbortSignal, Hearers>();

function hearersOf(signal: AbortSignal): Hearers {
  const known = hearersBySignal.get(signal);
  if (known) return known;
  const acts = new Set<() => void>();
  const hearers = {
    acts,
    callAll() {
      for (const act of acts) act();
    },
  };
  hearersBySignal.set(signal, hearers);
  return hearers;
}
