import { useCallback, useEffect, useMemo, useState } from "react";
import type { NamedLists } from "../../../settings/choices/named-lists";

export interface NamedListsHere<List> {
  lists: readonly List[];
  /** What failed last; undefined where nothing did. */
  problem: "read" | "kept" | undefined;
  save(list: List): void;
  remove(name: string): void;
}

/** The user's own lists of a kind, as a screen shows and changes them. `kept` must stay the same. */
export function useNamedLists<List>(kept: NamedLists<List>): NamedListsHere<List> {
  const [lists, setLists] = useState<readonly List[]>([]);
  const [problem, setProblem] = useState<"read" | "kept">();
  const take = useCallback((change: Promise<List[]>, otherwise: "read" | "kept") => {
    change.then(
      (now) => {
        setProblem(undefined);
        setLists(now);
      },
      () => setProblem(otherwise),
    );
  }, []);
  useEffect(() => take(kept.read(), "read"), [kept, take]);
  return useMemo(
    () => ({
      lists,
      problem,
      save: (list) => take(kept.save(list), "kept"),
      remove: (name) => take(kept.remove(name), "kept"),
    }),
    [lists, problem, kept, take],
  );
}
