import { Failure } from "../errors";
import { isBlank, mustBeFew, quoted } from "../engine/lookup/asked-names";
import type { AskedName } from "../engine/lookup/search/find-named";
import { cellsOf, textOf } from "./arguments";
import { type Call, checkSize, type ResultContent } from "./call";
import { findOrFail, nothing } from "./jurisdiction-grid";

/** =REGDATA.GEOID: a geoID for each name, in the shape of their range. */
export async function geoid(call: Call, args: { name: unknown; state: unknown }): Promise<ResultContent[][]> {
  const rows = Array.isArray(args.name) ? (args.name as unknown[][]) : [[args.name]];
  const states = cellsOf(args.state);
  const cells = rows.flat();
  checkSize(rows.length, rows[0]?.length ?? 0);
  mustBeFew(cells);
  if (states.length > 1 && states.length !== cells.length) {
    const detail = `There are ${cells.length} names and ${states.length} states: give one state, or one for each name.`;
    throw new Failure("invalid-argument", { detail });
  }
  const names: AskedName[] = [];
  const places = cells.map((cell, at): number | Failure | null => {
    const name = nameOf(cell);
    if (name === null || name instanceof Failure) return name;
    const state = textOf(states.length > 1 ? states[at] : states[0]) || undefined;
    return names.push({ name, state }) - 1;
  });
  const found = names.length === 0 ? nothing : await findOrFail(call, () => ({ names }));
  const outcomes = places.map((place): ResultContent => {
    if (place === null) return "";
    if (place instanceof Failure) return place;
    return found instanceof Failure ? found : (found.names[place] ?? new Failure("unexpected-answer"));
  });
  let next = 0;
  return rows.map((row) => row.map(() => outcomes[next++] ?? ""));
}

/** Null if the cell is blank. */
function nameOf(cell: unknown): string | Failure | null {
  if (isBlank(cell) || (typeof cell === "string" && cell.trim() === "")) return null;
  if (typeof cell === "string" && /\p{L}/u.test(cell)) return cell.trim();
  return new Failure("invalid-argument", { detail: `${quoted(cell)} is not a jurisdiction's name.` });
}
