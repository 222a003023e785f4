/** The formulas that a bench asks: always the same, spread as a user's would be. */
import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import { chance } from "../../../reference-service/seeded";
import type { Ask } from "./ask";

/** The same number of AHJs from every state, as far as the state has them, drawn in no order. */
export function spreadOverStates(ahjs: readonly Ahj[], count: number): Ahj[] {
  const places = new Map<string, number>();
  const ranked = drawn(ahjs).map((ahj) => {
    const place = places.get(ahj.state_code) ?? 0;
    places.set(ahj.state_code, place + 1);
    return { ahj, place };
  });
  return ranked
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ ahj }) => ahj);
}

/** Some items of a list, drawn at random but the same each time. */
export function drawn<Item extends { id: number }>(items: readonly Item[], count = items.length): Item[] {
  return items
    .map((item) => ({ item, lot: chance(item.id, 1) }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, count)
    .map(({ item }) => item);
}

/** A filled range: one row for each AHJ, one column for each type, in the order in which Excel calls. */
export function filledRange(ahjs: readonly Ahj[], types: readonly Pick<DataPointType, "id">[]): Ask[] {
  return ahjs.flatMap(({ geoid }) =>
    geoid === null ? [] : types.map((type) => ({ geoid, typeId: type.id })),
  );
}

/** `count` different pairs out of all pairs of an AHJ and a type. */
export function sparsePairs(ahjs: readonly Ahj[], types: readonly DataPointType[], count: number): Ask[] {
  return filledRange(ahjs, types)
    .map((ask, at) => ({ ask, lot: chance(at, 2) }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, count)
    .map(({ ask }) => ask);
}
