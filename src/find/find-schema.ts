import * as z from "zod/mini";
import { type Condition } from "./conditions/condition";
import { operatorIds } from "./conditions/operators";
import { type Find, mostConditions } from "./find";

/** Among whom is looked: all jurisdictions of the subscription, those of states, or some that were chosen one by one. */
export type FindScope =
  | { kind: "all" }
  | { kind: "states"; states: readonly string[] }
  | { kind: "chosen"; ahjIds: readonly number[] };

/** A find as a workbook remembers it. */
export interface SavedFind extends Find {
  within: FindScope;
  /** Jurisdictions of rows of its table that did not answer so at the last run: they have left, and are no news. */
  left?: readonly number[] | null | undefined;
}

const mostCharacters = 2_000;
const mostChosen = 100_000;
/** As many are remembered to have left: of more, the next refresh tells again. */
export const mostLeft = 100_000;

const text = z.string().check(z.refine((given) => given.length <= mostCharacters));
const listOf = <Item extends z.ZodMiniType>(item: Item, most: number) =>
  z.array(item).check(z.refine((items) => items.length <= most));

const condition = z.object({
  type: z.object({ id: z.int(), name: text, unit_of_measure: text }),
  operator: z.literal(operatorIds),
  operand: text,
}) satisfies z.ZodMiniType<Condition>;

/** What a workbook's text may hold as a find; anything else is refused. */
export const savedFind = z.object({
  match: z.literal(["all", "any"]),
  conditions: listOf(condition, mostConditions),
  within: z.union([
    z.object({ kind: z.literal("all") }),
    z.object({ kind: z.literal("states"), states: listOf(text, 100) }),
    z.object({ kind: z.literal("chosen"), ahjIds: listOf(z.int(), mostChosen) }),
  ]),
  left: z.nullish(listOf(z.int(), mostLeft)),
}) satisfies z.ZodMiniType<SavedFind>;
