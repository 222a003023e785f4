import { config } from "../../config";
import type { FormulaFunction } from "./formula-functions";

/** All functions that the add-in registers, each with the arguments of an example that shows as many of them as are often needed. */
const exampleArguments = {
  VALUE: '"06001", 1003, "section", "none"',
  MATRIX: 'A2:A41, B1:K1, TRUE, "status"',
  CITATION: '"06001", 1001',
  CARD: '"06001", 1003',
  CHANGED: '"06001", 1003, DATE(2026,3,1)',
  GEOID: '"Alameda County, CA"',
  AHJ: '"ahj:1234", "population"',
  AHJS: '"CA"',
  TYPES: '"permit fee"',
  CATEGORIES: "FALSE",
  UNITS: "FALSE",
  COLLECTIONS: "FALSE",
  COLLECTION: '"Residential solar", "06001", "long"',
  FIND: '"CA", {1057,"at most",300}',
} as const satisfies Record<FormulaFunction, string> & Record<string, string>;

export type RegisteredFunction = keyof typeof exampleArguments;

/** The names of all functions that the add-in registers. A name in the same namespace that is not listed may be one that a user defined. */
export const registeredFunctions: readonly string[] = Object.keys(exampleArguments);

/** The names of the functions as formulas call them, in capitals. */
export const calledNames = (namespace: string): ReadonlySet<string> =>
  new Set(registeredFunctions.map((name) => `${namespace}.${name}`.toUpperCase()));

/** An example of a function's formula, for users. */
export function exampleOf(name: RegisteredFunction): string {
  return `=${config.namespace}.${name}(${exampleArguments[name]})`;
}
