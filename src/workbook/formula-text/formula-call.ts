import { parse, type Token, tokenize } from "@borgar/fx";

/** An argument of a formula, as far as it can be told without calculating. */
export type FormulaArgument = {
  /** As it is typed; empty where it is omitted. */
  text: string;
} & (
  | { kind: "value"; value: unknown }
  /** Cells, by their address as it stands in the formula. */
  | { kind: "cells"; address: string }
  | { kind: "omitted" }
  /** A calculation, a name, a column of a table. */
  | { kind: "other" }
);

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
  loc?: [start: number, end: number];
  callee?: Node & { name?: string };
  arguments?: (Node | null)[];
  elements?: Node[][];
  value?: unknown;
  kind?: string;
}

/** The calls of the add-in's functions in a formula, the outermost first; none where it can't be read. */
export function formulaCalls(formula: string, namespace: string): FormulaCall[] {
  let tokens: Token[];
  let tree: Node;
  try {
    tokens = tokenize(formula, { withLocation: true });
    tree = parse(tokens) as unknown as Node;
  } catch {
    return [];
  }
  const prefix = `${namespace}.`.toUpperCase();
  const calls: FormulaCall[] = [];
  const visit = (node: Node) => {
    const name = node.callee?.name?.toUpperCase() ?? "";
    if (name.startsWith(prefix)) {
      const texts = argumentTexts(tokens, node.callee?.loc?.[1] ?? 0);
      calls.push({
        name: name.slice(prefix.length),
        args: (node.arguments ?? []).map((argument, place) => ({
          text: texts[place] ?? "",
          ...argumentOf(argument),
        })),
        isWhole: node === tree,
      });
    }
    for (const child of node.arguments ?? []) if (child) visit(child);
  };
  visit(tree);
  return calls;
}

/** Whether a text, as an argument, is a reference: an address, a name, a column of a table, a spill. */
export function isReference(text: string): boolean {
  try {
    const node = parse(tokenize(`=${text}`)) as unknown as Node & { operator?: string };
    const referenced = node.type === "UnaryExpression" && node.operator === "#" ? node.arguments?.[0] : node;
    return referenced?.type === "ReferenceIdentifier";
  } catch {
    return false;
  }
}

/** An argument as it would be read in a formula. */
export function readArgument(text: string): FormulaArgument {
  const typed = text.trim();
  const [argument] = formulaCalls(`=READ.ARGUMENT(${typed})`, "READ")[0]?.args ?? [];
  if (argument?.text === typed) return argument;
  return { kind: typed === "" ? "omitted" : "other", text: typed };
}

/** The parser's places leave out brackets and the mark of a spill: what stands between the commas is exact. */
function argumentTexts(tokens: readonly Token[], calleeEnd: number): string[] {
  const texts: string[] = [];
  let depth = 0;
  for (const { type, value, loc } of tokens) {
    if ((loc?.[0] ?? 0) < calleeEnd) continue;
    const mark = type === "operator" ? value : "";
    if (mark === ")" || mark === "}") depth -= 1;
    if (depth === 0 && mark === ")") break;
    if (depth === 1 && mark === ",") texts.push("");
    else if (depth > 0) texts.push((texts.pop() ?? "") + value);
    if (depth === 0 && mark === "(") texts.push("");
    if (mark === "(" || mark === "{") depth += 1;
  }
  return texts.map((text) => text.trim());
}

type Reading =
  | { kind: "omitted" | "other" }
  | { kind: "value"; value: unknown }
  | { kind: "cells"; address: string };

function argumentOf(node: Node | null): Reading {
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
