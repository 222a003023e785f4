import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../app";
import type { Ahj } from "../../api/schemas";
import { asFailure, Failure, type FailureKind } from "../../errors";
import type { DirectoryProgress } from "../../lookup/directory";
import { parsePastedGeoids, type PastedGeoids } from "../../lookup/geoid";

/** A pasted geoID that gives no jurisdiction, and why. */
export interface UnmatchedGeoid {
  geoid: string;
  kind: FailureKind;
}

export interface Jurisdictions {
  chosen: readonly Ahj[];
  unmatched: readonly UnmatchedGeoid[];
  /** What the last list was read as. */
  lastList: PastedGeoids | undefined;
  isResolving: boolean;
  /** While resolving waits for the request limit: until when. */
  waitingUntilMs: number | undefined;
  failure: Failure | undefined;
  add(ahj: Ahj): void;
  remove(ahjId: number): void;
  clear(): void;
  /** Resolves a pasted list of geoIDs and adds what it stands for. */
  addList(text: string): Promise<void>;
}

/** The jurisdictions chosen for an import. */
export function useJurisdictions({ lookup }: Session): Jurisdictions {
  const [chosen, setChosen] = useState<readonly Ahj[]>([]);
  const [unmatched, setUnmatched] = useState<readonly UnmatchedGeoid[]>([]);
  const [lastList, setLastList] = useState<PastedGeoids>();
  const [isResolving, setIsResolving] = useState(false);
  const [waitingUntilMs, setWaitingUntilMs] = useState<number>();
  const [failure, setFailure] = useState<Failure>();

  function addAll(ahjs: readonly Ahj[]) {
    setChosen((before) => {
      const byId = new Map([...before, ...ahjs].map((ahj) => [ahj.id, ahj]));
      return [...byId.values()];
    });
  }

  async function addList(text: string) {
    const list = parsePastedGeoids(text);
    setFailure(undefined);
    setLastList(list);
    setIsResolving(true);
    try {
      const resolutions = await lookup.directory.resolve(list.geoids, { onWait: setWaitingUntilMs });
      const found: Ahj[] = [];
      const missing: UnmatchedGeoid[] = [];
      for (const [geoid, resolution] of resolutions) {
        if (!(resolution instanceof Failure)) found.push(resolution);
        else if (unmatchedKinds.has(resolution.kind)) missing.push({ geoid, kind: resolution.kind });
        else throw resolution;
      }
      addAll(found);
      setUnmatched((before) => [...before.filter((known) => !resolutions.has(known.geoid)), ...missing]);
    } catch (thrown) {
      setFailure(asFailure(thrown, "unexpected-answer"));
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
  /** Starts loading, once; search works on what has arrived. */
  load(): void;
}

/** The whole directory, for searching; loaded when somebody wants to search. */
export function useDirectory({ lookup }: Session): LoadedDirectory {
  const [wanted, setWanted] = useState(false);
  const [progress, setProgress] = useState<DirectoryProgress>();
  const [failure, setFailure] = useState<Failure>();
  const [ahjs, setAhjs] = useState<readonly Ahj[]>([]);
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
          setAhjs(all);
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
  return { ahjs, progress, failure, load };
}
