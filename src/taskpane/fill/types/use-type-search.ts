import { useCallback, useMemo } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Catalogue } from "../../../engine/lookup/catalogue/catalogue";
import type { FoundTypes } from "../../../engine/lookup/search/find-types";
import { unitWords } from "../../cell/facts/unit-words";
import { shownName } from "../../ui/labels";
import type { FoundOption } from "../../ui/lists/SearchOptions";
import { type Loaded, useLoad } from "../../ui/loading/use-load";

/** The questions that a text finds; undefined until the questions and the search are loaded. */
export function useTypeSearch(
  catalogue: Pick<Catalogue, "categories">,
  types: readonly DataPointType[] | undefined,
  text: string,
): Loaded<FoundTypes> {
  const load = useCallback(async () => {
    if (!types) return undefined;
    const [{ createTypeFinder }, categories] = await Promise.all([
      import("../../../engine/lookup/search/find-types"),
      // The names of the categories only help the search, so they are not worth a request.
      catalogue.categories({ keptOnly: true }).catch(() => []),
    ]);
    return createTypeFinder(types, categories);
  }, [catalogue, types]);
  const { value: finder, ...others } = useLoad(load);
  const value = useMemo(() => finder?.find(text), [finder, text]);
  return value ? { ...others, value } : others;
}

/** More results than this nobody looks through. */
const mostShown = 50;

/** The options of a search for questions, each with its unit and description. */
export function questionOptions({ value: found, failure }: Loaded<FoundTypes>): {
  options: FoundOption[];
  heading: string | undefined;
} {
  if (!found) return { options: [], heading: failure?.message ?? "The questions are not loaded yet" };
  const options = found.types.slice(0, mostShown).map((type) => ({
    value: String(type.id),
    label: `${shownName(type.name)} (${type.id})`,
    detail: [unitWords(type.unit_of_measure), type.description].map(shownName).filter(Boolean).join(" · "),
  }));
  if (options.length === 0) return { options, heading: "Nothing found. Try another word." };
  return { options, heading: found.areClose ? "No question has all these words. Closest:" : undefined };
}
