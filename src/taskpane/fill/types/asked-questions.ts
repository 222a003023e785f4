import type { DataPointType } from "../../../engine/api/schemas";
import type { Questions } from "./TypePicker";

/** The questions of a step, and which of them a find has put in: nobody chose those. */
export interface AskedQuestions extends Questions {
  ofFind: ReadonlySet<number>;
}

export const nothingAsked: AskedQuestions = { types: [], collection: null, ofFind: new Set() };

/** What a person chose, in place of what was there: a question of the find that stays is still the find's. */
export function afterChoice({ ofFind }: AskedQuestions, chosen: Questions): AskedQuestions {
  const kept = chosen.types.flatMap(({ id }) => (ofFind.has(id) ? [id] : []));
  return { ...chosen, ofFind: new Set(kept) };
}

/** With questions that a person wants besides; one that the find has put in is the person's from now on. */
export function withWanted(
  { types, ofFind }: AskedQuestions,
  wanted: readonly DataPointType[],
): AskedQuestions {
  const ids = new Set(wanted.map(({ id }) => id));
  const there = new Set(types.map(({ id }) => id));
  return {
    types: [...types, ...wanted.filter(({ id }) => !there.has(id))],
    collection: null,
    ofFind: new Set([...ofFind].filter((id) => !ids.has(id))),
  };
}

/**
 * The questions once a find is used: its own take the place of those of the find before. Where a person has chosen all that is there,
 * it stays as it is.
 */
export function afterFind(asked: AskedQuestions, found: readonly DataPointType[]): AskedQuestions {
  const { types, collection, ofFind } = asked;
  if (collection || (types.length > 0 && ofFind.size === 0)) return asked;
  const chosen = types.filter(({ id }) => !ofFind.has(id));
  const isChosen = new Set(chosen.map(({ id }) => id));
  const put = found.filter(({ id }) => !isChosen.has(id));
  return { types: [...put, ...chosen], collection: null, ofFind: new Set(put.map(({ id }) => id)) };
}
