import type { Token } from "@borgar/fx";
import { type FormulaNode as Node, formulaTree } from "./formula-tree";

/** An argument of a formula, as far as it can be told without calculating. */
export type FormulaArgument = {
  /** The argument as it is typed; empty if it is omitted. */
  text: string;
} & (
  | { kind: "value"; value: unknown }
  /** Cells, by their address as the formula writes it. */
  | { kind: "cells"; address: string }
  | { kind: "omitted" }
  /** A calculation, a name or a column of a table. */
  | { kind: "other" }
);

/** A call of one of the add-in's functions. */
export interface FormulaCall {
  /** The function's name without the namespace, in capitals. */
  name: string;
  args: FormulaArgument[];
  /** True if the call is the whole formula, so that the cell and its spill show the call's result. */
  isWhole: boolean;
}

/** The values of the names that LET declares, by name in capitals. LAMBDA's parameters are null, because they may stand for anything. */
type Scope = ReadonlyMap<string, Node | null>;

/** The calls of the add-in's functions in a formula, outermost first; empty if the formula can't be parsed. */
export function formulaCalls(formula: string, namespace: string): FormulaCall[] {
  const parsed = formulaTree(formula);
  if (!parsed) return [];
  const { tokens, tree } = parsed;
  const prefix = `${namespace}.`.toUpperCase();
  const calls: FormulaCall[] = [];
  const visit = (node: Node, scope: Scope) => {
    const name = node.callee?.name?.toUpperCase() ?? "";
    if (name.startsWith(prefix)) {
      const texts = argumentTexts(tokens, node.callee?.loc?.[1] ?? 0);
      calls.push({
        name: name.slice(prefix.length),
        args: (node.arguments ?? []).map((argument, place) => ({
          text: texts[place] ?? "",
          ...argumentOf(argument, scope),
        })),
        isWhole: node === tree,
      });
    }
    for (const child of node.arguments ?? []) if (child) visit(child, scope);
    const inner = new Map(scope);
    for (const { id, init } of node.declarations ?? []) {
      visit(init, inner);
      inner.set(id.name.toUpperCase(), resolved(init, inner));
    }
    for (const parameter of node.params ?? []) inner.set(parameter.name.toUpperCase(), null);
    if (node.body) visit(node.body, inner);
  };
  visit(tree, new Map());
  return calls;
}

/** True if a text, as an argument, is a reference: an address, a name, a column of a table or a spill. */
export function isReference(text: string): boolean {
  const node = formulaTree(`=${text}`)?.tree;
  const referenced = node?.type === "UnaryExpression" && node.operator === "#" ? node.arguments?.[0] : node;
  return referenced?.type === "ReferenceIdentifier";
}

/** Reads a text as an argument of a formula. */
export function readArgument(text: string): FormulaArgument {
  const typed = text.trim();
  const [argument] = formulaCalls(`=READ.ARGUMENT(${typed})`, "READ")[0]?.args ?? [];
  if (argument?.text === typed) return argument;
  return { kind: typed === "" ? "omitted" : "other", text: typed };
}

/**
 * The exact texts between the commas of a call. The parser's locations can't be used, because they leave out brackets and the "#" of a
 * spill.
 */
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

/** The value of a name that LET declares, null if it can't be told. Any other node stands for itself. */
function resolved(node: Node, scope: Scope): Node | null {
  const isName = node.type === "ReferenceIdentifier" && node.kind === "name";
  const known = isName ? scope.get(String(node.value).toUpperCase()) : node;
  return known === undefined ? node : known;
}

function argumentOf(argument: Node | null, scope: Scope): Reading {
  if (argument === null) return { kind: "omitted" };
  const node = resolved(argument, scope);
  if (node === null) return { kind: "other" };
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
