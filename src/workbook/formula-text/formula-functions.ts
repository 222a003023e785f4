/** The meaning of an argument of one of the add-in's functions. */
export type ArgumentRole =
  | "jurisdictions"
  | "types"
  | "field"
  | "ahjField"
  | "ifMissing"
  | "headers"
  | "since"
  | "collection"
  | "layout"
  | "where"
  | "conditions"
  | "match"
  | "show";

/** The arguments of the functions that answer questions, in their order; src/functions/functions.ts documents them. */
export const formulaFunctions = {
  VALUE: ["jurisdictions", "types", "field", "ifMissing"],
  CITATION: ["jurisdictions", "types"],
  CARD: ["jurisdictions", "types"],
  CHANGED: ["jurisdictions", "types", "since"],
  MATRIX: ["jurisdictions", "types", "headers", "field"],
  COLLECTION: ["collection", "jurisdictions", "layout", "headers"],
  FIND: ["where", "conditions", "types", "headers", "match", "show"],
} as const satisfies Record<string, readonly ArgumentRole[]>;

export type FormulaFunction = keyof typeof formulaFunctions;

export function isFormulaFunction(name: string): name is FormulaFunction {
  return Object.hasOwn(formulaFunctions, name);
}
