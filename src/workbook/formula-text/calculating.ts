import { config } from "../../config";

/**
 * Functions of Excel that do nothing but calculate with what stands in the workbook. Those that ask the network, lead
 * somewhere, run programs or read addresses made of text are none of them; nor are those that call or name others.
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

/** All that the add-in registers; another function of its namespace may be a name that somebody gave. */
export const registeredFunctions: readonly string[] =
  "VALUE MATRIX CITATION CARD CHANGED AHJ AHJS TYPES CATEGORIES UNITS COLLECTIONS COLLECTION".split(" ");

/**
 * What a formula is made of, each behind the other. No sheet's name holds what an address has; a file's has an ending.
 */
const tokens = new RegExp(
  [
    String.raw`(?<blank>[ \t\r\n]+)`,
    String.raw`(?<sheet>(?:'(?:[^'[\]:/\\|]|'')*(?<!\.\w{1,5})'|[\p{L}_][\p{L}\p{N}_]*)!)`,
    String.raw`(?<lines>\$?(?<from>[A-Za-z]{1,3}):\$?(?<to>[A-Za-z]{1,3})|\$?\d{1,7}:\$?\d{1,7})(?![\p{L}\p{N}_.\\$?!])`,
    String.raw`(?<constant>"(?:[^"]|"")*"|\d+(?:\.\d*)?(?:[Ee][+-]?\d+)?|\.\d+|#(?:N/A|[A-Z]+(?:/0)?[!?]))`,
    String.raw`(?<column>(?:[\p{L}_\\][\p{L}\p{N}_.\\?]*)?\[(?:[^[\]"'|!]|\[[^[\]"'|!]*\])*\])`,
    String.raw`(?<word>[\p{L}_\\$][\p{L}\p{N}_.\\$?]*)(?<call>[ \t\r\n]*\()?`,
    String.raw`(?<begin>[({])`,
    String.raw`(?<end>[)}%#])`,
    String.raw`(?<operator>[-+*/^&=<>@:,;])`,
  ].join("|"),
  "guy",
);

/**
 * Whether a formula surely does nothing but calculate with the add-in's answers and what stands in the sheets: it calls
 * the add-in's functions and those above, and speaks of no other workbook or program and of no defined name, which may
 * be anything. Whoever can write a workbook's parts could else have a formula entered, as if by the user, that sends
 * somewhere what cells hold. What can't be told counts as more.
 */
export function onlyCalculates(formula: string, namespace: string): boolean {
  const ours = new Set(registeredFunctions.map((name) => `${namespace}.${name}`.toUpperCase()));
  const isCalled = (word: string) =>
    // Capitals of other letters may be the same letters for us and others for Excel.
    /^[\w.]+$/.test(word) &&
    (ours.has(word.toUpperCase()) || calculating.has(word.toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?/, "")));
  /** What came last: behind what has a value there can be no more of it, but for cells that meet others. */
  let last: "operator" | "sheet" | "cells" | "value" = "operator";
  let isApart = false;
  let understood = 0;
  for (const { 0: text, groups = {} } of formula.matchAll(tokens)) {
    understood += text.length;
    const { blank, sheet, lines, from = "A", to = "A", word = "", call, begin, end, operator } = groups;
    if (blank) {
      isApart = true;
      continue;
    }
    const isCells = lines ? isColumn(from) && isColumn(to) : !call && isCell(word);
    const isKnown = isCells || (call ? isCalled(word) : /^(?:TRUE|FALSE)$/i.test(word));
    if ((lines || word) && !isKnown) return false;
    if (last === "sheet" && (isApart || !isCells)) return false;
    const doMeet = last === "cells" && isApart && (isCells || sheet);
    if ((last === "value" || last === "cells") && !end && !operator && !doMeet) return false;
    if (sheet) last = "sheet";
    else if (isCells) last = "cells";
    else last = call || begin || operator ? "operator" : "value";
    isApart = false;
  }
  return understood === formula.length;
}

/** Beyond the last column and row of a sheet an address is a name. */
function isCell(word: string): boolean {
  const [, column = "", row = ""] = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/i.exec(word) ?? [];
  return row !== "" && isColumn(column) && Number(row) <= config.sheetRows;
}

function isColumn(letters: string): boolean {
  return letters.length < 3 || letters.toUpperCase() <= "XFD";
}
