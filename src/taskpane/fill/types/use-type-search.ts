import { useCallback, useMemo } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import { type Loaded, useLoad } from "../../ui/loading/use-load";

/** The questions that match a text, best first; undefined until the questions and the search are loaded. */
export function useTypeSearch(
  types: readonly DataPointType[] | undefined,
  text: string,
): Loaded<DataPointType[]> {
  const load = useCallback(async () => {
    if (!types) return undefined;
    const { createTypeFinder } = await import("../../../engine/lookup/search/find-types");
    return createTypeFinder(types);
  }, [types]);
  const { value: finder, ...others } = useLoad(load);
  const value = useMemo(() => finder?.find(text), [finder, text]);
  return value ? { ...others, value } : others;
}
