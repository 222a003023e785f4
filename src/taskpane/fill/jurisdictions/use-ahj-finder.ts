import { useEffect, useState } from "react";
import type { Ahj } from "../../../engine/api/schemas";
import type { Places } from "../../../engine/lookup/directory/places";
import type { AhjFinder } from "../../../engine/lookup/search/find-ahjs";
import { asFailure, type Failure } from "../../../errors";

const none: AhjFinder = { find: () => [] };

/** Searches these jurisdictions. Until they are prepared for searching, it searches the ones before. */
export function useAhjFinder(
  ahjs: readonly Ahj[],
  places: Places,
): { finder: AhjFinder; failure: Failure | undefined } {
  const [finder, setFinder] = useState(none);
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    if (ahjs.length === 0) return;
    let isCurrent = true;
    import("../../../engine/lookup/search/find-ahjs")
      .then(({ createAhjFinder }) => createAhjFinder(ahjs, places))
      .then(
        (prepared) => isCurrent && setFinder(prepared),
        (thrown: unknown) => isCurrent && setFailure(asFailure(thrown)),
      );
    return () => {
      isCurrent = false;
    };
  }, [ahjs, places]);
  return { finder, failure };
}
