import { parseStructRef, stringifyStructRef, type Token, tokenize } from "@borgar/fx/xlsx";
import { arrayFunctions, functionTakers, futureFunctions, passedFunctions } from "./future-functions";

const CUSTOM = "_xldudf_";

/**
 * A formula as Excel shows it, of one as the file stores it; both without "=". Custom functions of the namespaces get their dot
 * back (`_xldudf_CONTOSO_ADD(1)` is `CONTOSO.ADD(1)`), Excel's newer functions and the names of LET and LAMBDA lose their
 * prefixes. Texts, sheet names and functions of other workbooks stay as they are, and so does a formula that can't be read. A custom
 * function of the namespaces that is stored as one of another workbook, or of an XLL, is shown as what it is.
 * A dot within a function's own name is stored as `_` as well and can't be told from it: it stays `_`.
 */
export function shownFormula(stored: string, namespaces: readonly string[]): string {
  if (!/_xl|#this row/i.test(stored)) return stored;
  const tokens = tokensOf(stored);
  if (!tokens) return stored;
  const texts = tokens.map(({ value }) => value);
  tokens.forEach((token, index) => {
    const { type, value } = token;
    if (isOfAnotherWorkbook(tokens, index)) {
      if (type !== "func" || !namespaceOf(value, namespaces)) return;
      texts[index - 1] = texts[index - 2] = "";
    }
    if (type === "func") {
      const name = shownFunction(value, namespaces);
      texts[index] = name;
      const end = closingOf(tokens, index + 1);
      if (end < 0 || !/^_xlfn\./i.test(value)) return;
      const operand = bareIndexes(tokens, index + 2, end);
      if (/^anchorarray$/i.test(name) && operand.length === 1) {
        texts[index] = texts[index + 1] = "";
        texts[end] = "#";
      } else if (/^single$/i.test(name)) {
        const isCall =
          tokens[operand[0] ?? 0]?.type === "func" &&
          closingOf(tokens, (operand[0] ?? 0) + 1) === operand.at(-1);
        texts[index] = "@";
        if (operand.length === 1 || isCall) texts[index + 1] = texts[end] = "";
      } else if (operand.length === 1) {
        const trimmed = trimmedRange(value, tokens[operand[0] ?? 0]);
        if (trimmed === undefined) return;
        texts[operand[0] ?? 0] = trimmed;
        texts[index] = texts[index + 1] = texts[end] = "";
      }
    } else if (type === "range_named") {
      texts[index] = value.replace(/^_xlop\.(.*)$/i, "[$1]").replace(/^_xl(?:pm|eta)\./i, "");
    } else if (type === "structured") texts[index] = structured(value, false);
  });
  return texts.join("");
}

/** The inverse of `shownFormula`: a formula as the file stores it, of one as Excel shows it. */
export function storedFormula(shown: string, namespaces: readonly string[]): string {
  const tokens = tokensOf(shown);
  if (!tokens) return shown;
  const texts = tokens.map(({ value }) => value);
  const before = tokens.map(() => "");
  const after = tokens.map(() => "");
  const scopes = scopesOf(tokens);
  const isParameter = (value: string, index: number) =>
    scopes.some(({ name, from, to }) => index >= from && index <= to && name === value.toLowerCase());
  tokens.forEach(({ type, value }, index) => {
    if (isOfAnotherWorkbook(tokens, index)) return;
    if (type === "func")
      texts[index] = isParameter(value, index) ? `_xlpm.${value}` : storedFunction(value, namespaces);
    else if (type === "range_named") {
      if (isParameter(value, index)) texts[index] = `_xlpm.${value}`;
      else if (isPassedFunction(tokens, index)) texts[index] = `_xleta.${value.toUpperCase()}`;
    } else if (/^range(?:_beam)?$/.test(type)) texts[index] = storedRange(value);
    else if (type === "structured") {
      const isOptional = scopes.some(({ optionalAt }) => optionalAt === index);
      texts[index] = isOptional ? `_xlop.${value.slice(1, -1).trim()}` : structured(value, true);
    } else if (
      value === "#" &&
      type === "operator" &&
      /^range|structured/.test(tokens[index - 1]?.type ?? "")
    ) {
      before[index - 1] = `_xlfn.ANCHORARRAY(${before[index - 1]}`;
      texts[index] = ")";
    } else if (value === "@" && type === "operator") {
      const end = operandEnd(tokens, index + 1);
      if (end < 0) return;
      texts[index] = "_xlfn.SINGLE(";
      after[end] += ")";
    }
  });
  return texts.map((text, index) => (before[index] ?? "") + text + (after[index] ?? "")).join("");
}

/** True for a stored formula with a custom function, or with a function of Excel's that gives arrays. */
export function isDynamicFormula(stored: string): boolean {
  if (!stored.includes("_xl")) return false;
  return (tokensOf(stored) ?? []).some(
    ({ type, value }) =>
      type === "func" &&
      (value.toLowerCase().startsWith(CUSTOM) || arrayFunctions.has(shownFunction(value, []).toUpperCase())),
  );
}

/**
 * How a stored formula calls custom functions of a namespace: by their stored names; by names that Excel does not call from a file, such as
 * those that it shows, or those of another workbook or an XLL (`[1]!_xldudf_CONTOSO_ADD(1)`); perhaps, as `#REF!(1)`, which calls a function
 * that is gone, or as `[1]!CONTOSO.ADD(1)`, which calls one of another workbook by the same name; or not at all. Where it does several, the
 * wrong names count.
 */
export function customCalls(
  stored: string,
  namespace: string,
): "stored" | "shown" | "gone" | "elsewhere" | null {
  const lower = stored.toLowerCase();
  if (/#ref!\s*\(/.test(lower)) {
    const tokens = tokensOf(stored) ?? [];
    if (
      tokens.some(
        ({ type, value }, at) => type === "error" && /^#ref!$/i.test(value) && tokens[at + 1]?.value === "(",
      )
    )
      return "gone";
  }
  const shownPrefix = `${namespace}.`.toLowerCase();
  const storedPrefix = `${CUSTOM}${namespacePart(namespace)}_`.toLowerCase();
  if (!lower.includes(shownPrefix) && !lower.includes(storedPrefix)) return null;
  const tokens = tokensOf(stored) ?? [];
  let found: "stored" | "elsewhere" | null = null;
  for (const [index, { type, value }] of tokens.entries()) {
    if (type !== "func") continue;
    const name = value.toLowerCase().replace(XLL, "");
    const isElsewhere = isOfAnotherWorkbook(tokens, index);
    if (name.startsWith(shownPrefix)) {
      if (!isElsewhere) return "shown";
      found = "elsewhere";
    }
    if (!name.startsWith(storedPrefix)) continue;
    if (isElsewhere || name.length < value.length) return "shown";
    found ??= "stored";
  }
  return found;
}

function tokensOf(formula: string): Token[] | null {
  try {
    const tokens = tokenize(formula, { negativeNumbers: false });
    return tokens.map(({ value }) => value).join("") === formula ? tokens : null;
  } catch {
    return null;
  }
}

/** A name behind `[1]!`, or behind a sheet's name, belongs to somebody else, unless it is stored as a custom function. */
function isOfAnotherWorkbook(tokens: Token[], index: number): boolean {
  return tokens[index - 1]?.value === "!" && /^context/.test(tokens[index - 2]?.type ?? "");
}

function namespacePart(namespace: string): string {
  return namespace.toUpperCase().replaceAll(".", "_");
}

/** The prefix of functions of an XLL. */
const XLL = /^_xll\./i;

/** The namespace of a custom function, by its stored name. */
function namespaceOf(name: string, namespaces: readonly string[]): string | undefined {
  const own = name.replace(XLL, "").toUpperCase();
  // The longest first, if one namespace begins as another is called.
  const [namespace] = [...namespaces]
    .filter((each) => own.startsWith(`${CUSTOM.toUpperCase()}${namespacePart(each)}_`))
    .sort((one, other) => other.length - one.length);
  return namespace;
}

function shownFunction(name: string, namespaces: readonly string[]): string {
  const namespace = namespaceOf(name, namespaces);
  if (namespace !== undefined) {
    const own = name.replace(XLL, "").slice(CUSTOM.length);
    return `${namespace.toUpperCase()}.${own.slice(namespace.length + 1)}`;
  }
  const bareXll = name.replace(XLL, "");
  if (
    bareXll !== name &&
    namespaces.some((each) => bareXll.toUpperCase().startsWith(`${each.toUpperCase()}.`))
  )
    return bareXll.toUpperCase();
  if (name.toLowerCase().startsWith(CUSTOM)) return name;
  const bare = name.replace(/^_xlfn\.(?:_xlws\.)?|^_xlws\.|^_xlpm\./i, "");
  return /^_xlpm\./i.test(name) || futureFunctions.has(bare.toUpperCase()) ? bare : name;
}

/** Ranges without the blanks at their ends, as Excel shows and stores them: `A2:.A9` is `_xlfn._TRO_TRAILING(A2:A9)`. */
const trims = { LEADING: ".:", TRAILING: ":.", ALL: ".:." } as const;

/** The range that a stored call trims; undefined if it is no such call. */
function trimmedRange(name: string, operand: Token | undefined): string | undefined {
  const trim = /^_xlfn\._TRO_(LEADING|TRAILING|ALL)$/i.exec(name)?.[1]?.toUpperCase() as keyof typeof trims;
  if (!trim || !operand || !/^range(?:_beam)?$/.test(operand.type)) return undefined;
  const [from, to, ...others] = operand.value.split(/:(?![^!]*!)/);
  return to === undefined || others.length > 0 ? undefined : from + trims[trim] + to;
}

function storedRange(value: string): string {
  const [, from = "", trim, to = ""] = /^(.*?[^.])(\.:\.?|:\.)([^.:].*)$/.exec(value) ?? [];
  const [kind] = Object.entries(trims).find(([, each]) => each === trim) ?? [];
  return kind === undefined ? value : `_xlfn._TRO_${kind}(${from}:${to})`;
}

function storedFunction(name: string, namespaces: readonly string[]): string {
  const upper = name.toUpperCase();
  const [namespace] = [...namespaces]
    .filter((each) => upper.startsWith(`${each.toUpperCase()}.`))
    .sort((one, other) => other.length - one.length);
  if (namespace !== undefined) {
    return `${CUSTOM}${namespacePart(namespace)}_${upper.slice(namespace.length + 1).replaceAll(".", "_")}`;
  }
  const prefix = futureFunctions.get(upper);
  return prefix === undefined ? name : prefix + upper;
}

/** `T[@Col]` is stored as `T[[#This Row],[Col]]`. */
function structured(value: string, isStored: boolean): string {
  if (!(isStored ? value.includes("@") : /#this row/i.test(value))) return value;
  const reference = parseStructRef(value);
  return reference ? stringifyStructRef(reference, { thisRow: isStored }) : value;
}

/** The index of the bracket that closes the one at `open`; -1 if there is none. */
function closingOf(tokens: Token[], open: number): number {
  if (tokens[open]?.value !== "(") return -1;
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const { type, value } = tokens[index]!;
    if (type !== "operator") continue;
    if (value === "(" || value === "{") depth++;
    else if ((value === ")" || value === "}") && --depth === 0) return index;
  }
  return -1;
}

/** The indexes from `start` to before `end` of all but spaces. */
function bareIndexes(tokens: Token[], start: number, end: number): number[] {
  const indexes: number[] = [];
  for (let index = start; index < end; index++) {
    if (!/^(?:whitespace|newline)$/.test(tokens[index]?.type ?? "")) indexes.push(index);
  }
  return indexes;
}

/** The arguments of a call, as the indexes of their tokens. */
function argumentsOf(tokens: Token[], open: number, close: number): number[][] {
  const args: number[][] = [[]];
  let depth = 0;
  for (const index of bareIndexes(tokens, open + 1, close)) {
    const { type, value } = tokens[index]!;
    if (type === "operator" && (value === "(" || value === "{")) depth++;
    if (type === "operator" && (value === ")" || value === "}")) depth--;
    if (depth === 0 && value === "," && type === "operator") args.push([]);
    else args.at(-1)?.push(index);
  }
  return args;
}

interface Scope {
  name: string;
  /** The tokens among which the name stands for the parameter. */
  from: number;
  to: number;
  /** Where it is declared as optional, in brackets. */
  optionalAt?: number;
}

/** The names that LET and LAMBDA declare. */
function scopesOf(tokens: Token[]): Scope[] {
  const scopes: Scope[] = [];
  tokens.forEach(({ type, value }, index) => {
    if (type !== "func") return;
    const name = shownFunction(value, []).toUpperCase();
    if (name !== "LET" && name !== "LAMBDA") return;
    const to = closingOf(tokens, index + 1);
    if (to < 0) return;
    argumentsOf(tokens, index + 1, to)
      .slice(0, -1)
      .forEach((argument, place) => {
        if (argument.length !== 1 || (name === "LET" && place % 2 === 1)) return;
        const [at = 0] = argument;
        const { type: kind, value: text } = tokens[at]!;
        // A name that is stored already has its prefix.
        if (/^_xl/i.test(text)) return;
        if (kind === "range_named") scopes.push({ name: text.toLowerCase(), from: at, to });
        else if (name === "LAMBDA" && kind === "structured" && /^\[[^[\]@#]+\]$/.test(text)) {
          scopes.push({ name: text.slice(1, -1).trim().toLowerCase(), from: at, to, optionalAt: at });
        }
      });
  });
  return scopes;
}

/** A function that is given by its bare name, such as SUM in BYROW(A1:B2, SUM). */
function isPassedFunction(tokens: Token[], index: number): boolean {
  const name = tokens[index]?.value.toUpperCase() ?? "";
  if (!passedFunctions.has(name) && !futureFunctions.has(name)) return false;
  return tokens.some(({ type, value }, at) => {
    if (at > index || type !== "func" || !functionTakers.has(shownFunction(value, []).toUpperCase()))
      return false;
    const close = closingOf(tokens, at + 1);
    return (
      close > index &&
      argumentsOf(tokens, at + 1, close).some((each) => each.length === 1 && each[0] === index)
    );
  });
}

/** The last token of the operand that begins at an index. */
function operandEnd(tokens: Token[], start: number): number {
  const [first = -1] = bareIndexes(tokens, start, tokens.length);
  if (first < 0) return -1;
  const { type, value } = tokens[first]!;
  if (type === "func") return closingOf(tokens, first + 1);
  if (value === "(") return closingOf(tokens, first);
  return /^range|structured/.test(type) ? first : -1;
}
