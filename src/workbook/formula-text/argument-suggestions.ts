import { argumentWords } from "./argument-words";
import { type ArgumentRole, formulaFunctions, isFormulaFunction } from "./formula-functions";

/** Words that Excel suggests in the formula bar, as functions.json lists them (custom-functions-json.md, "enums"). */
export interface Suggestions {
  id: string;
  type: "string";
  values: { name: string; stringValue: string; tooltip: string }[];
}

const suggestedRoles = ["field", "layout", "match", "show"] as const;

export const suggestions: readonly Suggestions[] = suggestedRoles.map((role) => ({
  id: role,
  type: "string",
  values: Object.entries(argumentWords[role]).map(([word, tooltip]) => ({
    name: word,
    stringValue: word,
    tooltip,
  })),
}));

/** The id of the words that Excel suggests for an argument of a function; undefined if it suggests none. `place` counts from 0. */
export function suggestionsFor(functionName: string, place: number): string | undefined {
  if (!isFormulaFunction(functionName)) return undefined;
  const role: ArgumentRole | undefined = formulaFunctions[functionName][place];
  return suggestedRoles.find((suggested) => suggested === role);
}
