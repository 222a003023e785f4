import { useCallback, useEffect, useState } from "react";
import { asFailure, type Failure } from "../../../errors";

export interface Loaded<Value> {
  value?: Value;
  failure?: Failure;
  retry(): void;
}

/** Runs `load` whenever it changes, so pass a stable function. `retry` runs it again. */
export function useLoad<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Omit<Loaded<Value>, "retry">>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let current = true;
    setLoaded({});
    load().then(
      (value) => current && setLoaded({ value }),
      (thrown: unknown) => current && setLoaded({ failure: asFailure(thrown) }),
    );
    return () => {
      current = false;
    };
  }, [load, tries]);
  const retry = useCallback(() => setTries((before) => before + 1), []);
  return { ...loaded, retry };
}
