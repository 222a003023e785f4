import { useEffect, useState, useSyncExternalStore } from "react";

/** A control that is at work from `start` to `end`. */
interface Started {
  subscribe(listener: () => void): () => void;
  getSnapshot(): object;
  start(): void;
  end(): void;
}

/** The state of a control and its actions. The control is made once, and at work while the component is drawn. */
export function useStarted<Control extends Started>(
  create: () => Control,
): ReturnType<Control["getSnapshot"]> & Omit<Control, keyof Started> {
  const [control] = useState(create);
  const { subscribe, getSnapshot, start, end, ...actions } = control;
  const state = useSyncExternalStore(subscribe, getSnapshot) as ReturnType<Control["getSnapshot"]>;
  useEffect(() => {
    start();
    return end;
  }, [start, end]);
  return { ...state, ...actions };
}
