import Papa from "papaparse";

/** A line of a text, cut into cells. Between commas, cells may be the parts of one name; between semicolons, each may be an entry. */
export interface TextRow {
  cells: string[];
  sign: string;
}

const entities: Readonly<Record<string, string>> = {
  ...{ amp: "&", quot: '"', apos: "'", nbsp: " ", ntilde: "ñ", uuml: "ü" },
  ...{ aacute: "á", eacute: "é", iacute: "í", oacute: "ó", uacute: "ú" },
};

/** The character of an entity of HTML, whose semicolon separates no cells. */
const decodedEntity = (whole: string, digits: string | undefined, name = ""): string =>
  digits === undefined ? (entities[name.toLowerCase()] ?? whole) : String.fromCodePoint(Number(digits));

/** The signs between the cells of a line, the surest first. */
const separators = ["\t", "|", ";", ","];

/**
 * The rows of a pasted text or of a file: cells between tabs, bars, semicolons or commas, perhaps in quotes (RFC 4180). The first of these
 * signs that most lines have separates the cells; a line without it is cut at the next one. A text whose quotes don't close is read as
 * if it had none. A text of blanks and codes alone is cut at blanks if its lines have equally many. Each line of the text is a row: below one
 * whose quotes go over several lines, rows without cells stand for the others.
 */
export function cellsOfText(given: string): TextRow[] {
  const text = given
    .replace(/\r\n?|[\v\f\0\u0085\u2028\u2029]/g, "\n")
    .replace(/&(?:#(\d{2,5})|(amp|quot|apos|nbsp|ntilde|[aeiou]acute|uuml));/gi, decodedEntity);
  const all = text.split("\n");
  const lines = all.filter((line) => line.trim() !== "");
  if (areCodesAlone(lines)) return all.map((line) => ({ cells: line.trim().split(/ +/), sign: " " }));
  if (lines.every((line) => isGroupedNumber(line.trim())))
    return all.map((line) => ({ cells: [line], sign: "\t" }));
  const sign = separatorOf(lines);
  const weaker = separators.filter((each) => each !== sign);
  return parse(text, sign).flatMap((cells): TextRow[] => {
    if (isRule(cells)) return [{ cells: [], sign }];
    const furtherLines = Array.from({ length: breaksIn(cells) }, (): TextRow => ({ cells: [], sign }));
    const [only = "", ...others] = cells;
    const next = others.length === 0 ? weaker.find((each) => only.includes(each)) : undefined;
    const row = next === undefined ? { cells, sign } : { cells: parse(only, next).flat(), sign: next };
    return [row, ...furtherLines];
  });
}

const breaksIn = (cells: readonly string[]) => cells.join("").split("\n").length - 1;

/** A number with its thousands, or one that Excel has shortened, whose comma separates no cells: `6,001`, `3,4E+09`. */
const isGroupedNumber = (line: string) =>
  /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d,\d+E[+-]?\d+|\d{4,10},0{1,2})$/i.test(line);

/** The rule below the headings of a table in Markdown: `|---|:--|`. */
const isRule = (cells: readonly string[]) =>
  cells.some((cell) => cell.includes("--")) && cells.every((cell) => /^[\s:-]*$/.test(cell));

const outside = (line: string) => line.replace(/"[^"]*"/g, "");
/** The lines that tell the separator. */
const mostLines = 200;

function separatorOf(all: readonly string[]): string {
  const lines = all.slice(0, mostLines).map(outside);
  const share = (sign: string) =>
    lines.filter((line) => line.includes(sign)).length / Math.max(1, lines.length);
  if (share("\t") > 0) return "\t";
  // The line of the headings has the separator, and names below it may have other signs.
  const [first = ""] = lines;
  const ofFirst = separators.filter((sign) => first.includes(sign));
  const [best = ","] = (lines.length > 1 && ofFirst.length > 0 ? ofFirst : separators)
    .filter((sign) => share(sign) > 0)
    .sort((one, other) => Number(share(other) > 0.5) - Number(share(one) > 0.5));
  return best;
}

/** True for lines of equally many words without letters, such as `06001 1643700`. */
function areCodesAlone(lines: readonly string[]): boolean {
  const [first = "", second] = lines;
  const count = first.trim().split(/\s+/).length;
  if (second === undefined || count < 2) return false;
  return lines.every((line) => {
    const words = line.trim().split(/ +/);
    return words.length === count && words.every((word) => /^[\d.]+$/.test(word));
  });
}

function parse(text: string, delimiter: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: "\n" });
  if (errors.length === 0) return data;
  return text.split("\n").map((line) => line.split(delimiter));
}
