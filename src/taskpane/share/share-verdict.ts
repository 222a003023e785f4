import { Failure } from "../../errors";
import { plural } from "../ui/labels";
import type { ShareReport } from "./share-control";

/** Says if the workbook can go out: the problems to solve before, and the parts that could not be checked. */
export function shareVerdict({ frozen, sources, keys }: ShareReport): {
  /** One sentence for each problem. */
  problems: string[];
  unchecked: readonly string[];
} {
  const problems: string[] = [];
  if (keys instanceof Failure) problems.push("The check for your keys was not completed.");
  else if (keys.found.length > 0) problems.push("Delete your key from the places below.");
  if (frozen instanceof Failure) problems.push("The formulas were not all frozen.");
  else if (frozen && frozen.left.length > 0)
    problems.push(`See why ${plural(frozen.left.length, "formula")} could not be frozen.`);
  if (sources instanceof Failure) problems.push("The Sources sheet was not completed.");
  return { problems, unchecked: keys instanceof Failure ? [] : [...keys.unsearched, ...keys.tooShort] };
}
