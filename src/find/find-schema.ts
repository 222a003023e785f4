import * as z from "../zod";
import { type Condition } from "./conditions/condition";
import { operatorIds } from "./conditions/operators";
import { config } from "../config";
import type { Find } from "./find";

/**
 * The jurisdictions that a find looks at: all of the subscription, all of some states, or some that were chosen one by one. `kinds` leaves
 * only those of these kinds, such as counties; undefined or empty means any.
 */
export type FindScope =
  | { kind: "all"; kinds?: readonly string[] | undefined }
  | { kind: "states"; states: readonly string[]; kinds?: readonly string[] | undefined }
  | { kind: "chosen"; ahjIds: readonly number[] };

/** A find as a workbook remembers it. */
export interface SavedFind extends Find {
  within: FindScope;
  /**
   * Jurisdictions with rows in the find's table that did not meet the conditions at the last run. They have left already, so a refresh does
   * not report them.
   */
  left?: readonly number[] | null | undefined;
}

const mostCharacters = 2_000;
const mostChosen = 100_000;
/** The most jurisdictions that are remembered to have left. A refresh reports any others again. */
export const mostLeft = 100_000;

const text = z.string().check(z.lengthAtMost(mostCharacters));
const listOf = <Item extends z.ZodMiniType>(item: Item, most: number) =>
  z.array(item).check(z.lengthAtMost(most));

const condition = z.object({
  type: z.object({ id: z.int(), name: text, unit_of_measure: text }),
  operator: z.literal(operatorIds),
  operand: text,
}) satisfies z.ZodMiniType<Condition>;

const kinds = z.optional(listOf(text, 20));

/** The shape of a find in a workbook's text. Anything else is refused. */
export const savedFind = z.object({
  match: z.literal(["all", "any"]),
  conditions: listOf(condition, config.mostConditions),
  within: z.union([
    z.object({ kind: z.literal("all"), kinds }),
    z.object({ kind: z.literal("states"), states: listOf(text, 100), kinds }),
    z.object({ kind: z.literal("chosen"), ahjIds: listOf(z.int(), mostChosen) }),
  ]),
  left: z.nullish(listOf(z.int(), mostLeft)),
}) satisfies z.ZodMiniType<SavedFind>;
