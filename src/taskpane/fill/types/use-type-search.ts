import { useCallback, useMemo } from "react";
import type { DataPointType } from "../../../engine/api/schemas";
import type { Catalogue } from "../../../engine/lookup/catalogue/catalogue";
import type { FoundTypes, TypeFinder } from "../../../engine/lookup/search/find-types";
import { unitWords } from "../../cell/facts/unit-words";
import { shownName } from "../../ui/labels";
import type { FoundOption } from "../../ui/lists/SearchOptions";
import { type Loaded, useLoad } from "../../ui/loading/use-load";

/** The questions that a text finds; undefined until the questions and the search are loaded. */
export function useTypeSearch(
  catalogue: Pick<Catalogue, "categories">,
  types: readonly DataPointType[] | undefined,
  text: string,
): Loaded<FoundTypes> & { finder?: TypeFinder | undefined } {
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
  return value ? { ...others, value, finder } : others;
}

/** More results than this nobody looks through. */
const mostShown = 50;

/** The options of a search for questions, each with its unit and description; those with the ids `recent` come first. */
export function questionOptions(
  { value: found, failure }: Loaded<FoundTypes>,
  recent: readonly number[] = [],
): {
  options: FoundOption[];
  heading: string | undefined;
} {
  if (!found) return { options: [], heading: failure?.message ?? "The questions are not loaded yet" };
  const byId = new Map(found.types.map((type) => [type.id, type]));
  const first = recent.flatMap((id) => byId.get(id) ?? []);
  const shown = [...new Set([...first, ...found.types])].slice(0, mostShown);
  const options = shown.map((type) => ({
    value: String(type.id),
    label: `${shownName(type.name)} (${type.id})`,
    detail: [unitWords(type.unit_of_measure), type.description].map(shownName).filter(Boolean).join(" · "),
  }));
  if (options.length === 0) return { options, heading: "Nothing found. Try another word." };
  return { options, heading: found.areClose ? "No question has all these words. Closest:" : undefined };
}
