import { parse, type Token, tokenize } from "@borgar/fx";

/** A node of a parsed formula, with the fields that this folder reads. */
export interface FormulaNode {
  type: string;
  loc?: [start: number, end: number];
  callee?: FormulaNode & { name?: string };
  arguments?: (FormulaNode | null)[];
  elements?: FormulaNode[][];
  operator?: string;
  value?: unknown;
  kind?: string;
  /** The names that LET declares, with their values; other nodes have none. */
  declarations?: { id: { name: string }; init: FormulaNode }[];
  /** The parameters of LAMBDA; other nodes have none. */
  params?: { name: string }[];
  /** The body of LET or LAMBDA; other nodes have none. */
  body?: FormulaNode;
}

/** A formula as tokens and as a tree; null if it can't be parsed. */
export function formulaTree(formula: string): { tokens: Token[]; tree: FormulaNode } | null {
  try {
    const tokens = tokenize(formula, { withLocation: true });
    return { tokens, tree: parse(tokens) as unknown as FormulaNode };
  } catch {
    return null;
  }
}
