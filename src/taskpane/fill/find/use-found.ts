import { useCallback, useMemo, useState } from "react";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { SavedFind } from "../../../find/find-schema";
import type { Jurisdictions } from "../jurisdictions/use-jurisdictions";

/** The result of a find, as it becomes the jurisdictions of an import. */
export interface FoundChoice {
  ahjs: readonly Ahj[];
  /** Undefined if the jurisdictions are a plain list from now on. */
  find: SavedFind | undefined;
  /** The find's conditions in a line. */
  words: string;
  /** The questions of the find's conditions. */
  types: readonly DataPointType[];
}

export interface FoundJurisdictions {
  /** The find that the chosen jurisdictions come from; undefined if they come from none. */
  living: (FoundChoice & { find: SavedFind }) | undefined;
  /** True if they came from a find and the user has changed them since. */
  isChanged: boolean;
  use(found: FoundChoice): void;
  /** Turns the chosen jurisdictions into a plain list. */
  forget(): void;
}

/** Makes a find's result the chosen jurisdictions, and notices when the user changes them. */
export function useFound({ chosen, clear, add }: Jurisdictions): FoundJurisdictions {
  const [last, setLast] = useState<FoundChoice>();
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
