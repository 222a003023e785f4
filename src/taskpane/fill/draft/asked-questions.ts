import type { Collection, DataPointType } from "../../../engine/api/schemas";

/** The chosen questions, or a saved collection that is run as it is, with the questions that it names. */
export interface Questions {
  types: readonly DataPointType[];
  collection: Collection | null;
}

/** The questions of a step. `ofFind` has the ids of questions that a find added and nobody chose. */
export interface AskedQuestions extends Questions {
  ofFind: ReadonlySet<number>;
}

export const nothingAsked: AskedQuestions = { types: [], collection: null, ofFind: new Set() };

/** The questions after a person's choice, which replaces the old ones. A question of the find that is still there remains the find's. */
export function afterChoice({ ofFind }: AskedQuestions, chosen: Questions): AskedQuestions {
  const kept = chosen.types.flatMap(({ id }) => (ofFind.has(id) ? [id] : []));
  return { ...chosen, ofFind: new Set(kept) };
}

/** The questions with additional ones that a person wants. A question that the find added becomes the person's. */
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
 * The questions after a find is used: its own questions replace those of the last find. If a person has chosen all questions, nothing
 * changes.
 */
export function afterFind(asked: AskedQuestions, found: readonly DataPointType[]): AskedQuestions {
  const { types, collection, ofFind } = asked;
  if (collection || (types.length > 0 && ofFind.size === 0)) return asked;
  const chosen = types.filter(({ id }) => !ofFind.has(id));
  const isChosen = new Set(chosen.map(({ id }) => id));
  const put = found.filter(({ id }) => !isChosen.has(id));
  return { types: [...put, ...chosen], collection: null, ofFind: new Set(put.map(({ id }) => id)) };
}
