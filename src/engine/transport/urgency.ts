/** Whether work is urgent, which it may become while its requests wait; it does not cease to be. */
export interface Urgency {
  isUrgent(): boolean;
  /** Calls `act` when it becomes urgent; never where it is already. Returns what takes this back. */
  onRaise(act: () => void): () => void;
}

export interface RaisableUrgency extends Urgency {
  /** Makes it urgent, and tells those who want to know before it returns. */
  raise(): void;
}

export function createUrgency(fromTheStart: boolean): RaisableUrgency {
  const listeners = new Set<() => void>();
  let isUrgent = fromTheStart;
  return {
    isUrgent: () => isUrgent,
    onRaise(act) {
      const listener = () => act();
      if (!isUrgent) listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    raise() {
      isUrgent = true;
      for (const tell of listeners) tell();
      listeners.clear();
    },
  };
}

/** What was said as yes or no does not change. Default: no. */
export function urgencyOf(urgent: boolean | Urgency = false): Urgency {
  return typeof urgent === "boolean" ? createUrgency(urgent) : urgent;
}
