import { useCallback, useMemo, useState } from "react";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { SavedFind } from "../../../find/find-schema";
import type { Jurisdictions } from "../jurisdictions/use-jurisdictions";

/** What a find has found, as it becomes the jurisdictions of an import. */
export interface Found {
  ahjs: readonly Ahj[];
  /** Undefined where they are a plain list from now on. */
  find: SavedFind | undefined;
  /** Its conditions in a line. */
  words: string;
  /** The questions of its conditions. */
  types: readonly DataPointType[];
}

export interface FoundJurisdictions {
  /** The find that the chosen jurisdictions come from; undefined where they are no find's. */
  living: (Found & { find: SavedFind }) | undefined;
  /** They came from one, and the user has changed them since. */
  isChanged: boolean;
  use(found: Found): void;
  /** The chosen jurisdictions stay, as a plain list. */
  forget(): void;
}

/** Makes what was found the chosen jurisdictions, and knows for how long they are those. */
export function useFound({ chosen, clear, add }: Jurisdictions): FoundJurisdictions {
  const [last, setLast] = useState<Found>();
  const isSame = useMemo(() => {
    const ids = new Set(last?.ahjs.map(({ id }) => id));
    return ids.size === chosen.length && chosen.every(({ id }) => ids.has(id));
  }, [last, chosen]);
  const find = last?.find;
  const living = useMemo(
    () => (last && find && isSame ? { ...last, find } : undefined),
    [last, find, isSame],
  );
  const forget = useCallback(() => setLast(undefined), []);
  return {
    living,
    isChanged: find !== undefined && !isSame && chosen.length > 0,
    use(found) {
      clear();
      add(found.ahjs);
      setLast(found);
    },
    forget,
  };
}
