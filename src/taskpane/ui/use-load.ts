import { useEffect, useState } from "react";
import { asFailure, type Failure } from "../../errors";

export interface Loaded<Value> {
  value?: Value;
  failure?: Failure;
}

/** Runs `load` whenever it changes, so hand in a stable function. */
export function useLoad<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value>>({});
  useEffect(() => {
    let current = true;
    setLoaded({});
    load().then(
      (value) => current && setLoaded({ value }),
      (thrown: unknown) => current && setLoaded({ failure: asFailure(thrown, "unexpected-answer") }),
    );
    return () => {
      current = false;
    };
  }, [load]);
  return loaded;
}
