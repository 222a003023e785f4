import { tokenize } from "@borgar/fx";

/**
 * True if a function in a formula has an `@` before it, such as `=@IF(A2="","",REGDATA.VALUE(A2,1003))`. Excel on the web does not calculate
 * such formulas anew when an add-in asks (OfficeDev/office-js#4398).
 */
export function hasFunctionWithAt(formula: string): boolean {
  if (!/@\s*[\p{L}_]/u.test(formula)) return false;
  const tokens = tokenize(formula).filter(({ type }) => !/^(?:whitespace|newline)$/.test(type));
  return tokens.some(({ type }, index) => type === "func" && tokens[index - 1]?.value === "@");
}
