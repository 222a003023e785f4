import { tokenize } from "@borgar/fx";

/** True if a function in a formula has an `@` before it: `=@IF(A1="","",CONTOSO.GET(A1))`. */
export function hasFunctionWithAt(formula: string): boolean {
  if (!formula.includes("@")) return false;
  const tokens = tokenize(formula).filter(({ type }) => type !== "whitespace");
  return tokens.some(({ type }, index) => type === "func" && tokens[index - 1]?.value === "@");
}
