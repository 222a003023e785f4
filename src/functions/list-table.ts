import { Failure } from "../errors";
import type { ResultContent } from "./answer-plan";
import { checkSize } from "./call";

/** @throws Failure `nothing-found` if the table would be empty. */
export function table(
  headers: readonly string[],
  rows: ResultContent[][],
  hasHeaders: boolean,
): ResultContent[][] {
  const all = hasHeaders ? [[...headers], ...rows] : rows;
  if (all.length === 0) throw new Failure("nothing-found");
  checkSize(all.length, headers.length);
  return all;
}
