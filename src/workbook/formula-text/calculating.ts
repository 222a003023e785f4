import { type Token, tokenize } from "@borgar/fx";
import { calledNames } from "./formula-examples";

/**
 * Functions of Excel that only calculate with the cells of the workbook. Functions that use the network, open links, run programs or read
 * addresses made of text are left out, and so are those that call or name other functions.
 */
const calculating = new Set(
  (
    "ABS AND AVERAGE AVERAGEA AVERAGEIF AVERAGEIFS CEILING CEILING.MATH CHAR CHOOSE CHOOSECOLS CHOOSEROWS " +
    "CLEAN CODE COLUMN COLUMNS CONCAT CONCATENATE COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS DATE DATEDIF DATEVALUE DAY " +
    "DAYS DOLLAR DROP EDATE EOMONTH ERROR.TYPE EXACT EXP EXPAND FALSE FILTER FIND FIXED FLOOR FLOOR.MATH HLOOKUP HOUR " +
    "HSTACK IF IFERROR IFNA IFS INDEX INT ISBLANK ISERR ISERROR ISEVEN ISLOGICAL ISNA ISNONTEXT ISNUMBER ISODD ISTEXT " +
    "LARGE LEFT LEN LN LOG LOG10 LOOKUP LOWER MATCH MAX MAXA MAXIFS MEDIAN MID MIN MINA " +
    "MINIFS MINUTE MOD MONTH MROUND N NA NETWORKDAYS NOT NOW NUMBERVALUE OR PERCENTILE PERCENTILE.EXC PERCENTILE.INC " +
    "PI POWER PRODUCT PROPER QUARTILE QUOTIENT RANK RANK.AVG RANK.EQ REPLACE REPT RIGHT ROUND ROUNDDOWN ROUNDUP " +
    "ROW ROWS SEARCH SECOND SEQUENCE SIGN SMALL SORT SORTBY SQRT STDEV STDEV.P STDEV.S SUBSTITUTE SUBTOTAL SUM " +
    "SUMIF SUMIFS SUMPRODUCT SWITCH T TAKE TEXT TEXTAFTER TEXTBEFORE TEXTJOIN TEXTSPLIT TIME TIMEVALUE TOCOL TODAY " +
    "TOROW TRANSPOSE TRIM TRUE TRUNC TYPE UNICHAR UNICODE UNIQUE UPPER VALUE VALUETOTEXT VAR VLOOKUP VSTACK WEEKDAY " +
    "WEEKNUM WORKDAY WRAPCOLS WRAPROWS XLOOKUP XMATCH XOR YEAR YEARFRAC"
  ).split(" "),
);

/** True if this is a function of Excel that only calculates. */
export function isCalculating(name: string): boolean {
  return calculating.has(name.toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?/, ""));
}

/** The kinds of tokens that `onlyCalculates` understands. `mark` is the "!" behind a sheet's name. */
type Kind =
  | "operator"
  | "begin"
  | "array"
  | "end"
  | "function"
  | "sheet"
  | "mark"
  | "table"
  | "columns"
  | "cells"
  | "value";

const operators: Partial<Record<string, Kind>> = {
  ...Object.fromEntries("- + * / ^ & = < > <> <= >= @ : , ;".split(" ").map((each) => [each, "operator"])),
  "(": "begin",
  "{": "array",
  ")": "end",
  "}": "end",
  "%": "end",
  "#": "end",
  "!": "mark",
};

/**
 * True if a formula certainly only calculates with the add-in's answers and the cells of this workbook: it calls only the add-in's
 * functions and those listed above, and names no other workbook, no program, and no defined name, which may stand for anything. Without
 * this check, somebody who can write a workbook's custom XML parts could have a formula entered, as if by the user, that sends the cells'
 * content elsewhere. A formula that is not fully understood counts as doing more than calculating.
 */
export function onlyCalculates(formula: string, namespace: string): boolean {
  const ours = calledNames(namespace);
  const isCalled = (name: string) =>
    // Only ASCII names are compared, because JavaScript and Excel differ in the upper case of other letters.
    /^[\w.]+$/.test(name) && (ours.has(name.toUpperCase()) || isCalculating(name));
  const tokens = tokenize(formula, { mergeRefs: false, negativeNumbers: false });
  let last: Kind = "operator";
  let isApart = false;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "whitespace" || token.type === "newline") {
      if (!/^[ \t\r\n]+$/.test(token.value)) return false;
      isApart = true;
      continue;
    }
    const kind = kindOf(token, tokens[at + 1], isCalled);
    if (!kind || !mayFollow(kind, last, isApart)) return false;
    last = kind;
    isApart = false;
  }
  return !isOpen(last) && tokens.map(({ value }) => value).join("") === formula;
}

/** The kind of a token; undefined if the token is not understood or may do more than calculate. */
function kindOf(
  { type, value, unterminated }: Token,
  next: Token | undefined,
  isCalled: (name: string) => boolean,
): Kind | undefined {
  if (unterminated) return undefined;
  switch (type) {
    case "fx_prefix":
      return "operator";
    case "operator":
      return operators[value];
    case "number":
    case "string":
    case "bool":
    case "error":
      return "value";
    case "range":
    case "range_beam":
      // An Excel version without the trimming operator, as in A.:.B, reads such a text as names.
      return value.includes(".") ? undefined : "cells";
    case "func":
      return isCalled(value) ? "function" : undefined;
    case "range_named":
      if (next?.type === "structured") {
        return /^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(value) ? "table" : undefined;
      }
      // The tokenizer reads a function as a name if a space stands before its parenthesis.
      return isCalled(value) ? "function" : undefined;
    case "structured":
      // Excel and the tokenizer may read quotes in a column's name differently.
      return /["'|!]/.test(value) ? undefined : "columns";
    case "context":
      return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(value) ? "sheet" : undefined;
    case "context_quote":
      // Brackets, slashes, colons, bars and a file's ending may lead to other workbooks, addresses or programs.
      return /^'(?:[^'[\]:/\\|]|'')*'$/.test(value) && !/\.\w{1,5}'$/.test(value) ? "sheet" : undefined;
    default:
      return undefined;
  }
}

/**
 * True if a token may stand behind another. Two values in a row need an operator, except for two ranges with a space between them, which is
 * Excel's intersection.
 */
function mayFollow(kind: Kind, last: Kind, isApart: boolean): boolean {
  const canBegin = last === "operator" || last === "begin" || last === "array";
  switch (kind) {
    case "operator":
    case "end":
      return !isOpen(last);
    case "begin":
      return canBegin || last === "function";
    case "mark":
      return last === "sheet";
    case "columns":
      return canBegin || last === "table";
    case "sheet":
      return canBegin || (last === "cells" && isApart);
    case "cells":
      return canBegin || (last === "cells" && isApart) || (last === "mark" && !isApart);
    default:
      return canBegin;
  }
}

/** True for a token that needs another one behind it. */
function isOpen(kind: Kind): boolean {
  return kind === "function" || kind === "sheet" || kind === "mark" || kind === "table";
}
