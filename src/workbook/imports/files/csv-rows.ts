import Papa from "papaparse";

/** A record of a CSV file; `end` is the place in the text where it ends. */
export interface CsvRecord {
  fields: string[];
  end: number;
}

/**
 * Reads a CSV file (RFC 4180) record by record, until `onRecord` returns "enough". A line break at the end of the text starts no record.
 * The text has no byte order mark.
 * @throws SyntaxError if a quote stands where none may.
 */
export function readCsv(text: string, onRecord: (record: CsvRecord) => "enough" | void): void {
  let begin = 0;
  let isCsv = true;
  Papa.parse<string[]>(text, {
    delimiter: ",",
    // The reader itself would take the first line's end for that of all lines.
    newline: "\n",
    step({ data, errors, meta }, parser) {
      isCsv = errors.length === 0;
      const isBehindTheLast = begin === text.length;
      begin = meta.cursor;
      const fields = withoutReturn(data, text, begin);
      if (!isCsv || (!isBehindTheLast && onRecord({ fields, end: begin }) === "enough")) parser.abort();
    },
  });
  if (!isCsv) throw new SyntaxError("no CSV");
}

/** The fields of a record without the carriage return that belongs to the line's end. `end` is the place in the text where the line ends. */
function withoutReturn(fields: readonly string[], text: string, end: number): string[] {
  const last = fields.at(-1) ?? "";
  // The reader takes it off itself behind a field in quotes.
  const isInLast = text.startsWith("\r\n", end - 2) && text[end - 3] !== '"';
  return [...fields.slice(0, -1), isInLast ? last.slice(0, -1) : last];
}

/** The first record; null if the text is empty or its first record is not CSV. */
export function firstRecord(text: string): CsvRecord | null {
  let first: CsvRecord | null = null;
  try {
    readCsv(text, (record) => {
      first = record;
      return "enough";
    });
  } catch {
    return null;
  }
  return first;
}
