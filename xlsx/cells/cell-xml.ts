import { escapedCharacters, xmlAttribute, xmlContent } from "../xml/xml-text";
import type { XmlAttributes } from "../xml/xml-events";
import { isDynamicFormula } from "../formulas/stored-formula";
import { cellReference, checkPlace, type Rect, rectReference } from "./cell-reference";
import type { CellScalar } from "./read-cells";

/** A formula that is written. */
export interface NewFormula {
  /** As the file stores it, without "=": see `storedFormula`. */
  text: string;
  /** The cells that it fills; the cell alone if it is left out. The other cells' values are set apart. */
  area?: Rect;
  /**
   * It spills by itself. If left out, this is so with a custom function and a function of Excel's that gives arrays;
   * false with an area is an array formula of the old kind.
   */
  isDynamic?: boolean;
}

/** A change of one cell. Left out is left as it is. */
export interface CellChange {
  row: number;
  column: number;
  /** The value, or the formula's kept result. Null for none. A text is a text, also if it begins with "=". */
  value?: CellScalar;
  /** The value is an error's text, such as "#N/A". */
  isError?: boolean;
  /** Null takes the formula away; the value stays unless it changes as well. */
  formula?: NewFormula | null;
  /** The index of a format: see `WorkbookFile.styles`; or what gives it for the one that the cell has when it is written. */
  style?: number | ((before: number) => number);
  /** Excel calculates the cell's formula when it opens the file, whatever result is kept. Without effect where there is no formula. */
  calculateOnOpening?: boolean;
  /** The content and look of another cell, instead of those that stand here. */
  from?: OldCell;
}

/** An element of a cell as it stands in the file. */
export interface OldCell {
  attributes: XmlAttributes;
  /** Its `f` element, as XML; undefined if it has none. */
  formula?: string;
  /** The XML of `v` or `is`. */
  value?: string;
  /** The text of its `v`, as XML content. */
  valueText?: string;
}

const MOST_TEXT = 32_767;
const MOST_FORMULA = 8192;
const errorTexts = /^#[A-Z0-9/_]+[!?]?$/;

/** Throws a RangeError for a change that no cell can hold. */
export function checkChange({ row, column, value, isError, formula, style }: CellChange): void {
  checkPlace(row, column);
  const at = cellReference(row, column);
  if (typeof value === "string" && value.length > MOST_TEXT) {
    throw new RangeError(`The text for ${at} is longer than a cell can hold.`);
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw new RangeError(`The value for ${at} is no number.`);
  if (isError && (typeof value !== "string" || !errorTexts.test(value))) {
    throw new RangeError(`The value for ${at} is no error.`);
  }
  if (formula && (formula.text === "" || formula.text.length > MOST_FORMULA)) {
    throw new RangeError(`The formula for ${at} is empty, or longer than a cell can hold.`);
  }
  if (formula?.area && (formula.area.row !== row || formula.area.column !== column)) {
    throw new RangeError(`The area of the formula for ${at} does not begin there.`);
  }
  if (typeof style === "number" && (!Number.isInteger(style) || style < 0))
    throw new RangeError(`${at} can't have the format ${style}.`);
}

/** A cell's element after a change; "" where nothing of it is left. `dynamicIndex` gives the metadata of formulas that spill. */
export function cellXml(
  change: CellChange,
  here: OldCell | undefined,
  prefix: string,
  dynamicIndex: () => number,
): string {
  const { row, column, formula } = change;
  const old = change.from ?? here;
  const { r: _, s, t, cm, vm, ...others } = old?.attributes ?? {};
  const attributes: Record<string, string | number | undefined> = { r: cellReference(row, column) };
  const style = change.style === undefined ? s : styleOf(change.style, Number(s ?? 0) || 0);
  if (style !== undefined && Number(style) !== 0) attributes["s"] = style;

  let formulaXml = old?.formula;
  let metadata = cm;
  if (formula !== undefined) {
    const isDynamic = formula !== null && (formula.isDynamic ?? isDynamicFormula(formula.text));
    formulaXml = formula === null ? undefined : newFormulaXml(formula, row, column, isDynamic, prefix);
    metadata = isDynamic ? String(dynamicIndex()) : undefined;
  }

  if (change.calculateOnOpening !== undefined && formulaXml !== undefined)
    formulaXml = markedFormula(formulaXml, change.calculateOnOpening);

  let type: string | undefined;
  let valueXml: string | undefined;
  if (change.value === undefined) {
    type = t;
    valueXml = old?.value;
    if (t === "str" && formulaXml === undefined && old?.valueText !== undefined) {
      type = "inlineStr";
      valueXml = inlineXml(old.valueText, prefix);
    }
    if (vm !== undefined && formula === undefined) attributes["vm"] = vm;
  } else if (change.value !== null) {
    ({ type, xml: valueXml } = newValueXml(
      change.value,
      change.isError === true,
      formulaXml !== undefined,
      prefix,
    ));
  }

  const isEmpty = formulaXml === undefined && valueXml === undefined;
  if (isEmpty && attributes["s"] === undefined) return "";
  if (!isEmpty && type !== undefined && type !== "n") attributes["t"] = type;
  if (metadata !== undefined && formulaXml !== undefined) attributes["cm"] = metadata;
  const tag = Object.entries({ ...attributes, ...others })
    .map(([name, value]) => ` ${name}="${xmlAttribute(String(value))}"`)
    .join("");
  return isEmpty
    ? `<${prefix}c${tag}/>`
    : `<${prefix}c${tag}>${formulaXml ?? ""}${valueXml ?? ""}</${prefix}c>`;
}

/** The index that a change of a format comes to. */
export function styleOf(style: NonNullable<CellChange["style"]>, before: number): number {
  return typeof style === "number" ? style : style(before);
}

function newFormulaXml(
  formula: NewFormula,
  row: number,
  column: number,
  isDynamic: boolean,
  prefix: string,
): string {
  const area = formula.area ?? { row, column, rows: 1, columns: 1 };
  const isArray = isDynamic || formula.area !== undefined;
  const attributes = isArray ? ` t="array" ref="${rectReference(area)}"` : "";
  return `<${prefix}f${attributes}>${xmlContent(formula.text)}</${prefix}f>`;
}

/** An `f` element with or without its mark to be calculated (ECMA-376 Part 1, 18.3.1.40). No ">" stands in its attributes. */
function markedFormula(xml: string, isMarked: boolean): string {
  const end = xml.indexOf(">");
  const [, name = "", attributes = "", closing = ""] =
    /^<([^\s/>]+)(.*?)\s*(\/?)$/s.exec(xml.slice(0, end)) ?? [];
  const others = attributes.replace(/\sca\s*=\s*(?:"[^"]*"|'[^']*')/, "");
  return `<${name}${others}${isMarked ? ' ca="1"' : ""}${closing}${xml.slice(end)}`;
}

function newValueXml(
  value: string | number | boolean,
  isError: boolean,
  hasFormula: boolean,
  prefix: string,
) {
  if (typeof value === "boolean") return { type: "b", xml: `<${prefix}v>${Number(value)}</${prefix}v>` };
  if (typeof value === "number") return { type: undefined, xml: `<${prefix}v>${value}</${prefix}v>` };
  if (isError) return { type: "e", xml: `<${prefix}v>${xmlContent(value)}</${prefix}v>` };
  const content = xmlContent(escapedCharacters(value));
  return hasFormula
    ? { type: "str", xml: `<${prefix}v>${content}</${prefix}v>` }
    : { type: "inlineStr", xml: inlineXml(content, prefix) };
}

function inlineXml(content: string, prefix: string): string {
  const isSpaced = /^\s|\s$|\n/.test(content);
  return `<${prefix}is><${prefix}t${isSpaced ? ' xml:space="preserve"' : ""}>${content}</${prefix}t></${prefix}is>`;
}
