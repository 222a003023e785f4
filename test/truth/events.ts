import fc from "fast-check";

/** How often each kind of event comes, relative to the others. */
const shares = {
  enter: 14,
  "enter-again": 4,
  argument: 4,
  "clear-cell": 1,
  "copy-cell": 1,
  "own-cell": 2,
  "values-change": 8,
  "subscription-changes": 3,
  "fault-begins": 5,
  "fault-ends": 3,
  "time-passes": 6,
  outage: 4,
  "answer-age": 1,
  connect: 3,
  forget: 1,
  clear: 1,
  import: 6,
  refresh: 8,
  cancel: 2,
  "refresh-formulas": 4,
  freeze: 1,
  unfreeze: 1,
  "table-edit": 2,
  "table-sort": 2,
  "table-delete-row": 2,
  "table-own-row": 1,
  "table-own-column": 1,
  "table-rename-header": 1,
  reopen: 2,
};

export type EventKind = keyof typeof shares;

/** An event; its details follow from its seed. */
export interface Played {
  kind: EventKind;
  seed: number;
  /** The time until the next event: until all rests, or in milliseconds. */
  pause: number | "rest";
}

const kinds = (Object.entries(shares) as [EventKind, number][]).map(([kind, weight]) => ({
  weight,
  arbitrary: fc.constant(kind),
}));

const event: fc.Arbitrary<Played> = fc.record({
  kind: fc.oneof(...kinds),
  seed: fc.nat(0x7fffffff),
  pause: fc.constantFrom<Played["pause"][]>("rest", "rest", 0, 60, 400, 3_000),
});

/** A whole case: the world's seed, and its events. */
export const cases = fc.record({
  seed: fc.noShrink(fc.nat(0x7fffffff)),
  events: fc.array(event, { minLength: 4, maxLength: 12, size: "max" }),
});
