import { useCallback, useEffect, useMemo, useState } from "react";
import type { NamedLists } from "../../../settings/choices/named-lists";
import { createPartStorage, type PartStorage } from "../../../workbook/sheet/parts/part-storage";
import type { PaneApp } from "../../pane-app";

export type Keeper = "device" | "workbook";

export interface NamedListsHere<List> {
  lists: Record<Keeper, readonly List[]>;
  names: Record<Keeper, readonly string[]>;
  /** The action that failed last, such as "read on this device"; undefined if none did. */
  problem: string | undefined;
  save(list: List, where: Keeper): void;
  remove(name: string, where: Keeper): void;
}

const places: Record<Keeper, string> = { device: "on this device", workbook: "in this workbook" };

/**
 * The user's lists of one kind, stored on the device and in the workbook's part with this namespace, and the actions on them. `create` must
 * stay the same.
 */
export function useNamedLists<List extends { name: string }>(
  { storage, workbook }: PaneApp,
  create: (storage: PaneApp["storage"] | PartStorage) => NamedLists<List>,
  namespace: string,
): NamedListsHere<List> {
  const kept = useMemo(
    () => ({ device: create(storage), workbook: create(createPartStorage(workbook, namespace)) }),
    [storage, workbook, create, namespace],
  );
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
      names: { device: namesOf(lists.device), workbook: namesOf(lists.workbook) },
      problem,
      save: (list, where) => take(where, kept[where].save(list), "saved"),
      remove: (name, where) => take(where, kept[where].remove(name), "saved"),
    }),
    [lists, problem, kept, take],
  );
}

const namesOf = (lists: readonly { name: string }[]) => lists.map(({ name }) => name);
