/** A record of a CSV file; `end` is the place in the text where it ends. */
export interface CsvRecord {
  fields: string[];
  end: number;
}

/** A field, quoted or not, with its delimiter. */
const fieldPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * Reads a CSV file (RFC 4180) record by record. A line break at the end of the text starts no record.
 * @throws SyntaxError if a quote stands where none may.
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
