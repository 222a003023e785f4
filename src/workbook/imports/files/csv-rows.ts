/** A record of a CSV file, and where it ends in the text. */
export interface CsvRecord {
  fields: string[];
  end: number;
}

/** A field, in quotes or not, with what ends it. */
const fieldPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * Reads a CSV file (RFC 4180), record by record; a line break at its end is no record.
 * @throws SyntaxError where a quote stands where none may.
 */
export function* csvRecords(text: string): Generator<CsvRecord> {
  const pattern = new RegExp(fieldPattern);
  let fields: string[] = [];
  while (pattern.lastIndex < text.length || fields.length > 0) {
    const match = pattern.exec(text);
    if (!match) throw new SyntaxError("no CSV");
    const [, quoted, plain = "", delimiter] = match;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (delimiter === ",") continue;
    yield { fields, end: pattern.lastIndex };
    fields = [];
  }
}
