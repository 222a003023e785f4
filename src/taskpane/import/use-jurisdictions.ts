import { useCallback, useEffect, useRef, useState } from "react";
import type { Session } from "../../app";
import type { Ahj } from "../../api/schemas";
import { asFailure, Failure, type FailureKind } from "../../errors";
import type { DirectoryProgress } from "../../lookup/edition";
import type { GeoidList } from "../../lookup/geoid";

/** A pasted geoID that gives no jurisdiction, and why. */
export interface UnmatchedGeoid {
  geoid: string;
  kind: FailureKind;
}

export interface Jurisdictions {
  chosen: readonly Ahj[];
  unmatched: readonly UnmatchedGeoid[];
  /** What the last list was read as. */
  lastList: GeoidList | undefined;
  isResolving: boolean;
  /** While resolving waits for the request limit: until when. */
  waitingUntilMs: number | undefined;
  failure: Failure | undefined;
  add(ahj: Ahj): void;
  remove(ahjId: number): void;
  clear(): void;
  /** Resolves geoIDs and adds what they stand for. Says whether that went well. */
  addList(list: GeoidList): Promise<boolean>;
  /** Stops resolving. */
  cancel(): void;
}

/** The jurisdictions chosen for an import. */
export function useJurisdictions({ lookup }: Session): Jurisdictions {
  const [chosen, setChosen] = useState<readonly Ahj[]>([]);
  const [unmatched, setUnmatched] = useState<readonly UnmatchedGeoid[]>([]);
  const [lastList, setLastList] = useState<GeoidList>();
  const [isResolving, setIsResolving] = useState(false);
  const [waitingUntilMs, setWaitingUntilMs] = useState<number>();
  const [failure, setFailure] = useState<Failure>();
  const resolving = useRef<AbortController | null>(null);

  function addAll(ahjs: readonly Ahj[]) {
    setChosen((before) => {
      const byId = new Map([...before, ...ahjs].map((ahj) => [ahj.id, ahj]));
      return [...byId.values()];
    });
  }

  async function addList(list: GeoidList): Promise<boolean> {
    const controller = new AbortController();
    resolving.current = controller;
    setFailure(undefined);
    setLastList(list);
    setIsResolving(true);
    try {
      const resolutions = await lookup.directory.resolve(list.geoids, {
        signal: controller.signal,
        onWait: setWaitingUntilMs,
      });
      const found: Ahj[] = [];
      const missing: UnmatchedGeoid[] = [];
      for (const [geoid, resolution] of resolutions) {
        if (!(resolution instanceof Failure)) found.push(resolution);
        else if (unmatchedKinds.has(resolution.kind)) missing.push({ geoid, kind: resolution.kind });
        else throw resolution;
      }
      addAll(found);
      setUnmatched((before) => [...before.filter((known) => !resolutions.has(known.geoid)), ...missing]);
      return true;
    } catch (thrown) {
      setFailure(asFailure(thrown, "unexpected-answer"));
      return false;
    } finally {
      setIsResolving(false);
      setWaitingUntilMs(undefined);
    }
  }

  return {
    chosen,
    unmatched,
    lastList,
    isResolving,
    waitingUntilMs,
    failure,
    add: (ahj) => addAll([ahj]),
    remove: (ahjId) => setChosen((before) => before.filter((ahj) => ahj.id !== ahjId)),
    clear() {
      setChosen([]);
      setUnmatched([]);
      setLastList(undefined);
      setFailure(undefined);
    },
    addList,
    cancel: () => resolving.current?.abort(),
  };
}

const unmatchedKinds = new Set<FailureKind>([
  "unknown-jurisdiction",
  "outside-subscription",
  "unresolved-jurisdiction",
]);

export interface LoadedDirectory {
  ahjs: readonly Ahj[];
  progress: DirectoryProgress | undefined;
  failure: Failure | undefined;
  /** AHJs that the service counts and did not list. */
  missing: number;
  /** Starts loading, once; search works on what has arrived. */
  load(): void;
}

/** The whole directory, for searching; loaded when somebody wants to search. */
export function useDirectory({ lookup }: Session): LoadedDirectory {
  const [wanted, setWanted] = useState(false);
  const [progress, setProgress] = useState<DirectoryProgress>();
  const [failure, setFailure] = useState<Failure>();
  const [ahjs, setAhjs] = useState<readonly Ahj[]>([]);
  const [missing, setMissing] = useState(0);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    lookup.directory
      .load((arrived) => {
        if (!current) return;
        setProgress(arrived);
        setAhjs(lookup.directory.known());
      })
      .then(
        (all) => {
          if (!current) return;
          setAhjs(all.ahjs);
          setMissing(all.missing);
          setProgress(undefined);
        },
        (thrown: unknown) => {
          if (!current) return;
          setFailure(asFailure(thrown, "unexpected-answer"));
          setWanted(false);
        },
      );
    return () => {
      current = false;
    };
  }, [lookup, wanted]);
  const load = useCallback(() => {
    setFailure(undefined);
    setWanted(true);
  }, []);
  return { ahjs, progress, failure, missing, load };
}
