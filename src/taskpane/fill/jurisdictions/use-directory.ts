import { useCallback, useEffect, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { asFailure, type Failure } from "../../../errors";
import type { DirectoryProgress } from "../../../engine/lookup/directory/edition";
import { plural, waitingForLimit } from "../../ui/labels";

export interface ShownDirectory {
  /** The AHJs that have arrived so far. */
  ahjs: readonly Ahj[];
  isWhole: boolean;
  /** True if all AHJs of a state have arrived, or all AHJs. */
  hasAll(state: string | undefined): boolean;
  /** Says beside the search how much has arrived. It stays when all has, so that nothing below moves under the mouse. */
  hint: string | undefined;
  failure: Failure | undefined;
  /** The number of AHJs that the service counts and did not list. */
  missing: number;
  /** Loads one state, or else the whole directory, unless that was done. Meanwhile the search works on what has arrived. */
  load(state?: string): void;
}

/** A state that was asked for, or the whole directory if `state` is undefined, and how far it is. */
interface Asked {
  state: string | undefined;
  progress?: DirectoryProgress | undefined;
  waitingUntilMs?: number | undefined;
  failure?: Failure | undefined;
  /** Undefined until all has arrived. */
  arrived?: { ahjs: number; missing: number } | undefined;
}

/** So few letters find too much to be worth the requests. */
const fewestLetters = 2;

/** True if a search of this text, within a state or not, is worth asking the service for jurisdictions. */
export const isWorthLoading = (text: string, state?: string) =>
  state !== undefined || text.trim().length >= fewestLetters;

/** The directory for searching. It is loaded when the user wants to search: a state alone, if one is chosen. */
export function useDirectory({ lookup }: Session): ShownDirectory {
  const { directory } = lookup;
  const [asked, setAsked] = useState<Asked>();
  const [ahjs, setAhjs] = useState<readonly Ahj[]>([]);
  const [isWhole, setIsWhole] = useState(false);
  const isAsked = asked !== undefined && asked.failure === undefined;
  const state = asked?.state;
  useEffect(() => {
    if (!isAsked) return;
    const stop = new AbortController();
    const { signal } = stop;
    const tell = (change: Partial<Asked>) => {
      if (!signal.aborted) setAsked((before) => ({ state, ...before, ...change }));
    };
    const options = { signal, onWait: (waitingUntilMs: number) => tell({ waitingUntilMs }) };
    const onProgress = (progress: DirectoryProgress) => {
      if (signal.aborted) return;
      tell({ progress, waitingUntilMs: undefined });
      setAhjs(directory.known());
    };
    const loading =
      state === undefined ? directory.load(onProgress, options) : directory.list(state, options);
    loading.then(
      (listed) => {
        if (signal.aborted) return;
        setAhjs(state === undefined ? listed.ahjs : directory.known());
        if (state === undefined) setIsWhole(true);
        tell({ arrived: { ahjs: listed.ahjs.length, missing: listed.missing } });
      },
      (thrown: unknown) => tell({ failure: asFailure(thrown) }),
    );
    // Another state, or all, is asked for instead.
    return () => stop.abort();
  }, [directory, isAsked, state]);
  const load = useCallback(
    (wanted?: string) =>
      setAsked((before) =>
        before && !before.failure && before.state === wanted ? before : { state: wanted },
      ),
    [],
  );
  return {
    ahjs,
    isWhole,
    hasAll: (wanted) =>
      isWhole || (wanted !== undefined && wanted === asked?.state && asked.arrived !== undefined),
    hint: asked && !asked.failure ? wordsOf(asked) : undefined,
    failure: asked?.failure,
    missing: asked?.arrived?.missing ?? 0,
    load,
  };
}

function wordsOf({ state, progress, waitingUntilMs, arrived }: Asked): string {
  const where = state === undefined ? "" : ` in ${state}`;
  if (arrived) return plural(arrived.ahjs, "jurisdiction") + where;
  if (waitingUntilMs !== undefined)
    return `${waitingForLimit(waitingUntilMs)}${state === undefined ? " Choose a state to search it first." : ""}`;
  if (!progress) return `Loading${where}…`;
  return `Loading ${progress.loaded.toLocaleString()} of ${progress.total.toLocaleString()}`;
}
