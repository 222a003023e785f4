import { parseA1Ref, parseStructRef } from "@borgar/fx";
import { isCalculating } from "./calculating";
import { type FormulaNode, formulaTree } from "./formula-tree";

/** Rows and columns, from zero; null where a whole column or row leaves them open. */
export interface WrittenRange {
  top: number | null;
  left: number | null;
  bottom: number | null;
  right: number | null;
}

/** The reference's meaning, as far as its text tells. A text's sheet is null if it names none. */
export type ReferenceMeaning =
  | {
      kind: "cells";
      /** The first and the last of the sheets that it names. */
      sheets: { first: string; last: string } | null;
      range: WrittenRange;
      /** True for the cells into which the result of the range's first cell spills, such as `A1#`. */
      isSpill: boolean;
      /** True if it names the same cells in whichever cell it stands. */
      isAbsolute: boolean;
    }
  /** Columns of a table; all of them if none is named. The table is null if it is the one in which the formula stands. */
  | { kind: "table"; table: string | null; columns: readonly string[]; sections: readonly string[] }
  /** A defined name, or the name of a table. `isCalled` is true for what may be a function of Excel, too. */
  | { kind: "name"; sheet: string | null; name: string; isCalled: boolean }
  /** The reason, in a sentence, why it can't be told which cells it names. */
  | { kind: "untold"; why: string };

export type FormulaReference = ReferenceMeaning & {
  /** The reference as it is written. */
  text: string;
  /** True if it stands only in arguments of the add-in's functions, so that its cells say what is asked for. */
  isArgument: boolean;
};

export const otherWorkbook = "It is in another workbook.";
const calculated = "Its address is calculated: only Excel knows which cells it names.";
const calculatedEnd = "One of its ends is calculated: only Excel knows how far it reaches.";
const unreadable = "The formula could not be read.";
const gone = "The cells that it named were deleted.";

/** Functions that make references of texts and numbers. */
const referring = new Set(["INDIRECT", "OFFSET"]);

const mostCharacters = 200;

/** The folder of another workbook, which Excel shows while that is closed and the parser does not read: `'C:\Work\[Costs.xlsx]Fees'`. */
const folders = /'(?:[A-Za-z]:\\|\\\\|\/|https?:\/\/)[^'"[\]]*\[/g;

/**
 * The references of a formula, each once, in the order of the formula. References that can't be told are among them. `namespace` is the
 * prefix of the add-in's functions.
 */
export function formulaReferences(written: string, namespace: string): FormulaReference[] {
  const formula = written.replace(folders, "'[");
  const found = new Map<string, FormulaReference>();
  const add = (text: string, isArgument: boolean, meaning: ReferenceMeaning) => {
    const known = found.get(text);
    if (known) known.isArgument &&= isArgument;
    else found.set(text, { ...meaning, text: text.slice(0, mostCharacters), isArgument });
  };
  const tree = formulaTree(formula)?.tree;
  if (!tree) {
    add(formula, false, { kind: "untold", why: unreadable });
    return [...found.values()];
  }
  const prefix = `${namespace}.`.toUpperCase();
  const textOf = ({ loc }: FormulaNode) => (loc ? formula.slice(...loc) : formula);

  /** `own` holds the names that LET and LAMBDA declare, in capitals. */
  const visit = (node: FormulaNode, own: ReadonlySet<string>, isArgument: boolean) => {
    const visitAll = (nodes: readonly (FormulaNode | null)[] = [], isAsked = isArgument) => {
      for (const each of nodes) if (each) visit(each, own, isAsked);
    };
    if (node.type === "ReferenceIdentifier") {
      const isOwn = node.kind === "name" && own.has(String(node.value).toUpperCase());
      if (!isOwn) add(String(node.value), isArgument, meaningOf(node));
    } else if (node.type === "ErrorLiteral" && node.value === "#REF!") {
      add("#REF!", isArgument, { kind: "untold", why: gone });
    } else if (node.type === "UnaryExpression" && node.operator === "#") {
      const of = node.arguments?.[0];
      const meaning = of && meaningOf(of);
      if (meaning?.kind === "cells")
        add(`${String(of?.value)}#`, isArgument, { ...meaning, isSpill: true, isAbsolute: false });
      else {
        add(`${of ? textOf(of) : ""}#`, isArgument, { kind: "untold", why: calculated });
        visitAll(node.arguments);
      }
    } else if (node.type === "BinaryExpression" && node.operator === ":") {
      add(textOf(node), isArgument, { kind: "untold", why: calculatedEnd });
      visitAll(node.arguments);
    } else if (node.type === "CallExpression") {
      const name = (node.callee?.name ?? "").toUpperCase();
      const isOurs = name.startsWith(prefix);
      if (referring.has(name)) add(textOf(node), isArgument, { kind: "untold", why: calculated });
      else if (name !== "" && !isOurs && !own.has(name) && !isCalculating(name))
        add(node.callee?.name ?? "", isArgument, { kind: "name", sheet: null, name, isCalled: true });
      if (name === "" && node.callee) visit(node.callee, own, isArgument);
      visitAll(node.arguments, isArgument || isOurs);
    } else {
      visitAll(node.arguments);
      const inner = new Set(own);
      for (const { id, init } of node.declarations ?? []) {
        visit(init, inner, isArgument);
        inner.add(id.name.toUpperCase());
      }
      for (const parameter of node.params ?? []) inner.add(parameter.name.toUpperCase());
      if (node.body) visit(node.body, inner, isArgument);
    }
  };
  visit(tree, new Set(), false);
  return [...found.values()];
}

/**
 * The references to cells, tables or names for which a defined name stands, if it stands for nothing else. Null if it stands for anything else, such as a
 * number or a calculation, or if it means other cells in each cell that uses it.
 */
export function namedReferences(formula: string): ReferenceMeaning[] | null {
  const tree = formulaTree(formula)?.tree;
  if (!tree) return null;
  const meanings: ReferenceMeaning[] = [];
  const isPlain = (node: FormulaNode | null): boolean => {
    if (node?.type === "BinaryExpression" && node.operator === ",")
      return node.arguments?.every(isPlain) ?? false;
    if (node?.type !== "ReferenceIdentifier") return false;
    const meaning = meaningOf(node);
    meanings.push(meaning);
    return meaning.kind !== "cells" || (meaning.isAbsolute && meaning.sheets !== null);
  };
  return isPlain(tree) ? meanings : null;
}

function meaningOf({ kind, value }: FormulaNode): ReferenceMeaning {
  const text = String(value);
  if (kind === "table") return tableIn(text);
  const parsed = kind === undefined ? undefined : parseA1Ref(text);
  if (!parsed) return { kind: "untold", why: kind === undefined ? calculated : unreadable };
  const [sheet = null, ...others] = parsed.context ?? [];
  if (others.length > 0) return { kind: "untold", why: otherWorkbook };
  if ("range" in parsed) {
    const [first = "", last = first] = sheet?.split(":") ?? [];
    return cellsIn(parsed.range, sheet === null ? null : { first, last });
  }
  // A part of a card, such as A2.Value, is told by the card's cell.
  const cell = parseA1Ref(/^[A-Z]{1,3}\d+(?=\.)/i.exec(parsed.name)?.[0] ?? "");
  if (cell && "range" in cell)
    return cellsIn(cell.range, sheet === null ? null : { first: sheet, last: sheet });
  return { kind: "name", sheet, name: parsed.name, isCalled: false };
}

type ParsedRange = Extract<NonNullable<ReturnType<typeof parseA1Ref>>, { range: unknown }>["range"];

function cellsIn(
  range: ParsedRange,
  sheets: { first: string; last: string } | null,
): ReferenceMeaning & { kind: "cells" } {
  const { top, left, bottom = top, right = left } = range;
  const isFixed = (place: number | null, isLocked: boolean | null | undefined) =>
    place === null || isLocked === true;
  return {
    kind: "cells",
    sheets,
    range: { top, left, bottom, right },
    isSpill: false,
    isAbsolute:
      isFixed(top, range.$top) &&
      isFixed(left, range.$left) &&
      isFixed(bottom, range.$bottom) &&
      isFixed(right, range.$right),
  };
}

function tableIn(text: string): ReferenceMeaning {
  const parsed = parseStructRef(text);
  if (!parsed) return { kind: "untold", why: unreadable };
  if ((parsed.context ?? []).length > 0) return { kind: "untold", why: otherWorkbook };
  const { table, columns = [], sections = [] } = parsed;
  return { kind: "table", table: table || null, columns, sections };
}
