import { useCallback, useEffect, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Session } from "../../../app";
import { asFailure, type Failure } from "../../../errors";
import type { DirectoryProgress } from "../../../engine/lookup/directory/edition";
import { plural } from "../../ui/labels";

export interface ShownDirectory {
  /** The AHJs that have arrived so far. */
  ahjs: readonly Ahj[];
  isWhole: boolean;
  /** Says beside the search how much has arrived. It stays when all has, so that nothing below moves under the mouse. */
  hint: string | undefined;
  failure: Failure | undefined;
  /** The number of AHJs that the service counts and did not list. */
  missing: number;
  /** Starts loading, once. Meanwhile the search works on what has arrived. */
  load(): void;
}

/** The whole directory for searching. It is loaded when the user wants to search. */
export function useDirectory({ lookup }: Session): ShownDirectory {
  const [wanted, setWanted] = useState(false);
  const [progress, setProgress] = useState<DirectoryProgress>();
  const [failure, setFailure] = useState<Failure>();
  const [ahjs, setAhjs] = useState<readonly Ahj[]>([]);
  const [isWhole, setIsWhole] = useState(false);
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
          setIsWhole(true);
          setMissing(all.missing);
          setProgress(undefined);
        },
        (thrown: unknown) => {
          if (!current) return;
          setFailure(asFailure(thrown));
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
  const hint = isWhole ? plural(ahjs.length, "jurisdiction") : wanted ? loadingWords(progress) : undefined;
  return { ahjs, isWhole, hint, failure, missing, load };
}

const loadingWords = (progress: DirectoryProgress | undefined) =>
  progress ? `Loading ${progress.loaded.toLocaleString()} of ${progress.total.toLocaleString()}` : "Loading…";
