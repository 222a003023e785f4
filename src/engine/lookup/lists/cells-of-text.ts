import Papa from "papaparse";

/** A line of a text, cut into cells. Between commas, cells may be the parts of one name. */
export interface TextRow {
  cells: string[];
  isCutAtCommas: boolean;
}

/** The signs between the cells of a line. The first that a text has separates its cells; the others may be part of a cell. */
const separators = ["\t", ";", "|", ","];

/**
 * The rows of a pasted text or of a file: cells between tabs, semicolons, bars or commas, perhaps in quotes (RFC 4180). A line that has
 * none of the text's own signs is cut at the next one. A text whose quotes don't close is read as if it had none.
 */
export function cellsOfText(text: string): TextRow[] {
  const separator = separators.find((sign) => text.includes(sign)) ?? ",";
  const weaker = separators.slice(separators.indexOf(separator) + 1);
  return parse(text, separator).map((cells) => {
    const [only = "", ...others] = cells;
    const sign = others.length === 0 ? weaker.find((each) => only.includes(each)) : undefined;
    if (sign === undefined) return { cells, isCutAtCommas: separator === "," };
    return { cells: parse(only, sign).flat(), isCutAtCommas: sign === "," };
  });
}

function parse(text: string, delimiter: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter });
  if (errors.length === 0) return data;
  return text.split(/\r\n|\r|\n/).map((line) => line.split(delimiter));
}
