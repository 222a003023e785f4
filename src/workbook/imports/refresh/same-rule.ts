import { geoidDigits } from "../../../engine/lookup/directory/geoid";
import { groupBy } from "../../../lists";
import { dayOf, type Known } from "../../sheet/layout/answer-parts";
import type { ChangedAhj } from "./compare-answers";
import { placeName } from "./place-name";

/** The facts that tell whether changes are of one rule. */
export interface RuleFacts {
  ahj: ChangedAhj;
  /** The question, and its answers with their citations before and after. Null for a change that is of no rule. */
  rule: readonly unknown[] | null;
}

/** The changes that one rule has made: in one state, to the same question, with the same answers and citations before and after. */
export interface RuleChange<Change> {
  /** The change of the state or county whose rule it is, if it is among them; otherwise that of the first place by name. */
  own: Change;
  /** The changes of all other places, in their order. */
  others: Change[];
  /** The places: "Arizona, and 47 places that follow it", "Apache County, AZ, and 47 more", or the only one. */
  places: string;
  /** The other places: "47 places that follow it", "47 more", or "". */
  otherPlaces: string;
}

/** Joins the changes of one rule, in the order in which rules first occur. No change is left out. */
export function byRule<Change>(
  changes: readonly Change[],
  factsOf: (change: Change) => RuleFacts,
): RuleChange<Change>[] {
  const all = changes.map((change, index) => {
    const { ahj, rule } = factsOf(change);
    return { change, ahj, key: JSON.stringify(rule ? [ahj.state_code, ...rule] : index) };
  });
  return [...groupBy(all, ({ key }) => key).values()].flatMap((group) => {
    const whose = group.find(({ ahj }) => isWhose(ahj, group));
    const own = whose ?? group.reduce((one, other) => (other.ahj.name < one.ahj.name ? other : one));
    const others = group.filter((each) => each !== own).map(({ change }) => change);
    const count = others.length.toLocaleString("en-US");
    const noun = others.length === 1 ? "place that follows" : "places that follow";
    const otherPlaces = others.length === 0 ? "" : whose ? `${count} ${noun} it` : `${count} more`;
    const name = whose && others.length > 0 && isState(own.ahj) ? own.ahj.name : placeName(own.ahj);
    return {
      own: own.change,
      others,
      places: otherPlaces === "" ? name : `${name}, and ${otherPlaces}`,
      otherPlaces,
    };
  });
}

/**
 * The days of the answers' last changes, in UTC: one, or the first and the last; "" if none is known. `shown` puts a day such as
 * "2026-11-26" in words.
 */
export function datesOf(
  { own, others }: RuleChange<{ after?: Known | null | undefined }>,
  shown = (day: string) => day,
): string {
  const dates = [own, ...others]
    .flatMap(({ after }) => (after?.updatedAt ? dayOf(after.updatedAt) : []))
    .sort();
  const [first = "", last = first] = [dates[0], dates.at(-1)];
  if (first === "") return "";
  return first === last ? shown(first) : `${shown(first)} to ${shown(last)}`;
}

/** True for a state, and for a county that holds all the others. */
function isWhose(ahj: ChangedAhj, group: readonly { ahj: ChangedAhj }[]): boolean {
  if (isState(ahj)) return true;
  const isIn = (other: ChangedAhj) => other === ahj || other.county === ahj.name;
  return ahj.geoid?.length === geoidDigits.county && group.every((each) => isIn(each.ahj));
}

function isState({ geoid }: ChangedAhj): boolean {
  return geoid?.length === geoidDigits.state;
}
