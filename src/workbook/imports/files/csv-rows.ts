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
    step({ data: fields, errors, meta }, parser) {
      isCsv = errors.length === 0;
      const isBehindTheLast = begin === text.length;
      begin = meta.cursor;
      if (!isCsv || (!isBehindTheLast && onRecord({ fields, end: begin }) === "enough")) parser.abort();
    },
  });
  if (!isCsv) throw new SyntaxError("no CSV");
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
