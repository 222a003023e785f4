import { parse, tokenize } from "@borgar/fx";

/** An argument of a formula, as far as it can be told without calculating. */
export type FormulaArgument =
  | { kind: "value"; value: unknown }
  /** Cells, by their address as it stands in the formula. */
  | { kind: "cells"; address: string }
  | { kind: "omitted" }
  /** A calculation, a name, a column of a table. */
  | { kind: "other" };

/** A call of one of the add-in's functions. */
export interface FormulaCall {
  /** Without the namespace, in capitals. */
  name: string;
  args: FormulaArgument[];
  /** It is the whole formula, so what it gives is what the cell and its spill show. */
  isWhole: boolean;
}

/** A node of the parsed formula, as far as it matters here. */
interface Node {
  type: string;
  callee?: { name?: string };
  arguments?: (Node | null)[];
  elements?: Node[][];
  value?: unknown;
  kind?: string;
}

/** The calls of the add-in's functions in a formula, the outermost first; none where it can't be read. */
export function formulaCalls(formula: string, namespace: string): FormulaCall[] {
  let tree: Node;
  try {
    tree = parse(tokenize(formula)) as unknown as Node;
  } catch {
    return [];
  }
  const prefix = `${namespace}.`.toUpperCase();
  const calls: FormulaCall[] = [];
  const visit = (node: Node) => {
    const name = node.callee?.name?.toUpperCase() ?? "";
    if (name.startsWith(prefix)) {
      calls.push({
        name: name.slice(prefix.length),
        args: (node.arguments ?? []).map(argumentOf),
        isWhole: node === tree,
      });
    }
    for (const child of node.arguments ?? []) if (child) visit(child);
  };
  visit(tree);
  return calls;
}

function argumentOf(node: Node | null): FormulaArgument {
  if (node === null) return { kind: "omitted" };
  if (node.type === "Literal") return { kind: "value", value: node.value };
  if (node.type === "ReferenceIdentifier" && node.kind === "range") {
    return { kind: "cells", address: String(node.value) };
  }
  const elements = node.type === "ArrayExpression" ? (node.elements ?? []) : [];
  const isPlain = elements.length > 0 && elements.flat().every(({ type }) => type === "Literal");
  return isPlain
    ? { kind: "value", value: elements.map((row) => row.map(({ value }) => value)) }
    : { kind: "other" };
}
