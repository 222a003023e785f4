import { config } from "../../../config";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { Operator } from "../../../find/conditions/operators";
import type { FindScope } from "../../../find/find-schema";
import type { Match } from "../../../find/heaps";

/** The jurisdictions to look among. */
export type Within =
  | Exclude<FindScope, { kind: "chosen" }>
  /** The jurisdictions chosen in the pane, or those of an import's rows. */
  | { kind: "chosen"; ahjs: readonly Ahj[] };

/** A condition while the user writes it. A typed value stays when question or operator change, if it can be used with them. */
export interface ConditionDraft {
  id: number;
  /** Null until a question is chosen. */
  type: DataPointType | null;
  /** The text typed into the search for a question while none is chosen. */
  searchText: string;
  operator: Operator;
  /** The values as typed; the second one is used only if the operator takes two. */
  operands: readonly [string, string];
}

/** The conditions that jurisdictions have to meet, while the user writes them. */
export interface FindDraft {
  within: Within;
  /** The states that were chosen last. They come back when the user returns from another choice. */
  lastStates: readonly string[];
  match: Match;
  conditions: readonly ConditionDraft[];
}

export type FindAction =
  | { type: "look-within"; within: Within }
  | { type: "match"; match: Match }
  /** Sets all at once. Places stay if none are named here, and so do conditions. */
  | { type: "describe"; within: Within | undefined; match: Match; conditions: readonly ConditionDraft[] }
  | { type: "add-condition" }
  | { type: "change-condition"; condition: ConditionDraft }
  | { type: "remove-condition"; id: number };

/** A condition that is not begun. */
export const blankCondition: ConditionDraft = {
  id: 0,
  type: null,
  searchText: "",
  operator: "is",
  operands: ["", ""],
};

export const emptyFind: FindDraft = {
  within: { kind: "all" },
  lastStates: [],
  match: "all",
  conditions: [newCondition([])],
};

/** The draft after an action. There is always a condition, if only a blank one. */
export function findAfter(draft: FindDraft, action: FindAction): FindDraft {
  const { conditions } = draft;
  switch (action.type) {
    case "look-within": {
      const { within } = action;
      return { ...draft, within, lastStates: within.kind === "states" ? within.states : draft.lastStates };
    }
    case "match":
      return { ...draft, match: action.match };
    case "describe": {
      const { within } = action;
      const looking = within ? findAfter(draft, { type: "look-within", within }) : draft;
      if (action.conditions.length === 0) return looking;
      const { id: first } = newCondition(conditions);
      const described = action.conditions
        .slice(0, config.mostConditions)
        .map((condition, place) => ({ ...condition, id: first + place }));
      return { ...looking, match: action.match, conditions: described };
    }
    case "add-condition":
      return conditions.length < config.mostConditions
        ? { ...draft, conditions: [...conditions, newCondition(conditions)] }
        : draft;
    case "change-condition": {
      const { condition } = action;
      return {
        ...draft,
        conditions: conditions.map((each) => (each.id === condition.id ? condition : each)),
      };
    }
    case "remove-condition": {
      const rest = conditions.filter(({ id }) => id !== action.id);
      return { ...draft, conditions: rest.length > 0 ? rest : [newCondition(conditions)] };
    }
  }
}

/** A blank condition with an id that none of the others has. */
function newCondition(others: readonly ConditionDraft[]): ConditionDraft {
  return { ...blankCondition, id: Math.max(0, ...others.map((other) => other.id)) + 1 };
}
