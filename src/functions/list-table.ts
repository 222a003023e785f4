import { Failure } from "../errors";
import { checkSize, type Outcome } from "./call";

/** @throws Failure `nothing-found` if the table would be empty. */
export function table(headers: readonly string[], rows: Outcome[][], hasHeaders: boolean): Outcome[][] {
  const all = hasHeaders ? [[...headers], ...rows] : rows;
  if (all.length === 0) throw new Failure("nothing-found");
  checkSize(all.length, headers.length);
  return all;
}
