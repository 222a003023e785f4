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

/** What stands for a column of a table, and for a text or a sheet's name, once they are taken out. */
const [column, name] = ["\ue000", "\ue001"];

/**
 * Whether a formula surely does nothing but calculate with the add-in's answers and what stands in the sheets: it calls
 * the add-in's functions and those above, and speaks of no other workbook or program and of no defined name, which may
 * be anything. Whoever can write a workbook's parts could else have a formula entered, as if by the user, that sends
 * somewhere what cells hold. What can't be told counts as more.
 */
export function onlyCalculates(formula: string, namespace: string): boolean {
  let isPlain = !formula.includes(column) && !formula.includes(name);
  const withoutNames = formula.replace(
    /"(?:[^"]|"")*"|'((?:[^']|'')*)'|\[[^[\]"'|!]*\]/g,
    (found, sheetName: string | undefined) => {
      if (found.startsWith("[")) return column;
      // No sheet's name holds what an address has; a file's has an ending.
      if (sheetName !== undefined && /[[\]:/\\|]|\.\w{1,5}$/.test(sheetName)) isPlain = false;
      return name;
    },
  );
  const plain = withoutNames
    .replace(/\[[^[\]"'|!\ue001]*\]/g, column)
    .replace(/#(?:N\/A|[A-Z]+(?:\/0)?[!?])/gi, "0");
  // A file before a sheet, what is called being worked out first, and what was not understood.
  if (/\ue000[^\ue000,;()+*/&<>=^\s-]+!|\)\s*\(|["'[\]|]/.test(plain)) return false;
  const words = plain.matchAll(/[\p{L}_\\$][\p{L}\p{N}_.\\$?]*/gu);
  return (
    isPlain &&
    [...words].every(({ 0: word, index }) => {
      const called = word.toUpperCase().replace(/^(?:_XLFN\.|_XLWS\.)+/, "");
      const [next = ""] = /\S/.exec(plain.slice(index + word.length)) ?? [];
      if (next === "(") return calculating.has(called) || called.startsWith(`${namespace.toUpperCase()}.`);
      if (next === "!") return !called.includes(".");
      const isWholeColumn = next === ":" || plain[index - 1] === ":";
      return (
        next === column ||
        /^\$?[A-Z]{1,3}\$?\d{1,7}$|^\$\d{1,7}$|^(?:TRUE|FALSE)$/.test(called) ||
        (isWholeColumn && /^\$?[A-Z]{1,3}$/.test(called))
      );
    })
  );
}
