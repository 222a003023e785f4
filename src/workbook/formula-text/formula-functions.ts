/** What an argument of one of the add-in's functions says. */
export type ArgumentRole =
  | "jurisdictions"
  | "types"
  | "field"
  | "ifMissing"
  | "headers"
  | "since"
  | "collection"
  | "layout";

/** What the functions that answer questions take, in its order (src/functions/functions.ts documents them). */
export const formulaFunctions = {
  VALUE: ["jurisdictions", "types", "field", "ifMissing"],
  CITATION: ["jurisdictions", "types"],
  CARD: ["jurisdictions", "types"],
  CHANGED: ["jurisdictions", "types", "since"],
  MATRIX: ["jurisdictions", "types", "headers", "field"],
  COLLECTION: ["collection", "jurisdictions", "layout", "headers"],
} as const satisfies Record<string, readonly ArgumentRole[]>;

/** All functions that the add-in registers; another function of its namespace may be a name that somebody gave. */
export const registeredFunctions: readonly string[] = [
  ...Object.keys(formulaFunctions),
  ...["AHJ", "AHJS", "TYPES", "CATEGORIES", "UNITS", "COLLECTIONS"],
];

export type FormulaFunction = keyof typeof formulaFunctions;

export function isFormulaFunction(name: string): name is FormulaFunction {
  return Object.hasOwn(formulaFunctions, name);
}

/** Arguments that are one of a few words, in any case; the first stands for an omitted one. */
export const argumentChoices = {
  field: ["value", "text", "reference", "section", "citation", "updated_at", "unit", "question", "status"],
  headers: ["true", "false"],
  layout: ["wide", "long"],
} as const satisfies Partial<Record<ArgumentRole, readonly string[]>>;
