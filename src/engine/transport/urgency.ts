/** The urgency of work. Work may become urgent while its requests wait, and stays urgent. */
export interface Urgency {
  isUrgent(): boolean;
  /** Calls `act` when the work becomes urgent; never if it is urgent already. Returns a function that removes `act`. */
  onRaise(act: () => void): () => void;
}

export interface RaisableUrgency extends Urgency {
  /** Makes the work urgent, and tells the listeners before it returns. */
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

/** Turns a boolean into an urgency that does not change. Default: not urgent. */
export function urgencyOf(urgent: boolean | Urgency = false): Urgency {
  return typeof urgent === "boolean" ? createUrgency(urgent) : urgent;
}
