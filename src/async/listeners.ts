/** Functions that want to be called when something happens. */
export interface Listeners<Told extends unknown[]> {
  /** Adds a listener. Returns a function that removes the listener. */
  add(listener: (...told: Told) => void): () => void;
  tell(...told: Told): void;
}

export function createListeners<Told extends unknown[] = []>(): Listeners<Told> {
  const listeners = new Set<(...told: Told) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(...told) {
      for (const listener of listeners) listener(...told);
    },
  };
}
