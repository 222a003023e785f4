import { useCallback, useEffect, useMemo, useState } from "react";
import type { NamedLists } from "../../../settings/choices/named-lists";

export type Keeper = "device" | "workbook";

export interface NamedListsHere<List> {
  lists: Record<Keeper, readonly List[]>;
  /** What failed last, such as "read on this device"; undefined where nothing did. */
  problem: string | undefined;
  save(list: List, where: Keeper): void;
  remove(name: string, where: Keeper): void;
}

const places: Record<Keeper, string> = { device: "on this device", workbook: "in this workbook" };

/** The lists of a kind that the user keeps, as a screen shows and changes them. `kept` must stay the same. */
export function useNamedLists<List>(kept: Record<Keeper, NamedLists<List>>): NamedListsHere<List> {
  const [lists, setLists] = useState<Record<Keeper, readonly List[]>>({ device: [], workbook: [] });
  const [problem, setProblem] = useState<string>();
  const take = useCallback((where: Keeper, change: Promise<List[]>, otherwise: "read" | "saved") => {
    change.then(
      (now) => {
        setProblem(undefined);
        setLists((before) => ({ ...before, [where]: now }));
      },
      () => setProblem(`${otherwise} ${places[where]}`),
    );
  }, []);
  useEffect(() => {
    take("device", kept.device.read(), "read");
    take("workbook", kept.workbook.read(), "read");
  }, [kept, take]);
  return useMemo(
    () => ({
      lists,
      problem,
      save: (list, where) => take(where, kept[where].save(list), "saved"),
      remove: (name, where) => take(where, kept[where].remove(name), "saved"),
    }),
    [lists, problem, kept, take],
  );
}

export function namesOf(
  lists: Record<Keeper, readonly { name: string }[]>,
): Record<Keeper, readonly string[]> {
  const names = (of: readonly { name: string }[]) => of.map(({ name }) => name);
  return { device: names(lists.device), workbook: names(lists.workbook) };
}
