import type { Token } from "@borgar/fx";
import { type FormulaNode as Node, formulaTree } from "./formula-tree";
import { type OwnRow, ownRowAddress } from "./own-row";

/** An argument of a formula, as far as it can be told without calculating. */
export type FormulaArgument = {
  /** The argument as it is typed; empty if it is omitted. */
  text: string;
} & (
  | { kind: "value"; value: unknown }
  /** Cells, by their address as the formula writes it. */
  | { kind: "cells"; address: string }
  /** Texts that `&` joins, each a value or a cell, such as `"ahj:"&A2`. */
  | { kind: "joined"; parts: Reading[] }
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

/**
 * The calls of the add-in's functions in a formula, outermost first; empty if the formula can't be parsed. With the table's row in which the
 * formula stands, references to its cells are told by their addresses.
 */
export function formulaCalls(formula: string, namespace: string, ownRow?: OwnRow): FormulaCall[] {
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
          ...argumentOf(argument, scope, ownRow),
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

/** The addresses of the cells that an argument names. */
export function addressesIn(argument: Reading): string[] {
  if (argument.kind === "joined") return argument.parts.flatMap(addressesIn);
  return argument.kind === "cells" ? [argument.address] : [];
}

/**
 * The values of an argument, row by row; null if they can't be told without calculating, or if it is omitted. `cellsAt` gives the values of the
 * cells at an address.
 */
export function argumentRows(
  argument: Reading,
  cellsAt: (address: string) => unknown[][] | null | undefined,
): unknown[][] | null {
  if (argument.kind === "cells") return cellsAt(argument.address) ?? null;
  if (argument.kind === "value")
    return Array.isArray(argument.value) ? (argument.value as unknown[][]) : [[argument.value]];
  if (argument.kind !== "joined") return null;
  const texts = argument.parts.map((part) => {
    const [[value, ...others] = [], ...rows] = argumentRows(part, cellsAt) ?? [];
    return value === undefined || others.length + rows.length > 0 ? null : joinedText(value);
  });
  return texts.includes(null) ? null : [[texts.join("")]];
}

/** The text that `&` makes of a value. */
const joinedText = (value: unknown) =>
  typeof value === "boolean" ? String(value).toUpperCase() : String(value);

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
  | { kind: "cells"; address: string }
  | { kind: "joined"; parts: Reading[] };

/** The value of a name that LET declares, null if it can't be told. Any other node stands for itself. */
function resolved(node: Node, scope: Scope): Node | null {
  const isName = node.type === "ReferenceIdentifier" && node.kind === "name";
  const known = isName ? scope.get(String(node.value).toUpperCase()) : node;
  return known === undefined ? node : known;
}

function argumentOf(argument: Node | null, scope: Scope, ownRow: OwnRow | undefined): Reading {
  if (argument === null) return { kind: "omitted" };
  const node = resolved(argument, scope);
  if (node === null) return { kind: "other" };
  if (node.type === "Literal") return { kind: "value", value: node.value };
  if (node.type === "ReferenceIdentifier" && node.kind === "range") {
    return { kind: "cells", address: String(node.value) };
  }
  if (node.type === "ReferenceIdentifier" && node.kind === "table") {
    const address = ownRow ? ownRowAddress(String(node.value), ownRow) : null;
    return address === null ? { kind: "other" } : { kind: "cells", address };
  }
  if (node.type === "BinaryExpression" && node.operator === "&") {
    const parts = (node.arguments ?? []).map((part) => argumentOf(part, scope, ownRow));
    return parts.some(({ kind }) => kind === "other") ? { kind: "other" } : { kind: "joined", parts };
  }
  const elements = node.type === "ArrayExpression" ? (node.elements ?? []) : [];
  const isPlain = elements.length > 0 && elements.flat().every(({ type }) => type === "Literal");
  return isPlain
    ? { kind: "value", value: elements.map((row) => row.map(({ value }) => value)) }
    : { kind: "other" };
}
