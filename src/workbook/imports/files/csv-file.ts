import Papa from "papaparse";
import { groupBy } from "../../../lists";
import { mayPassSmaller } from "../../../engine/api/answer-failure";
import { mixedUp } from "../../../engine/api/read-answer";
import type { Client, CsvFile } from "../../../engine/api/client";
import { inShortAddresses } from "../../../engine/api/address-length";
import type { Ahj } from "../../../engine/api/schemas";
import { config } from "../../../config";
import { asFailure, Failure } from "../../../errors";
import { decodedText } from "../../../engine/transport/decoded-text";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import { csvParts } from "../run/estimate";
import type { ImportQuestion } from "../run/import-types";

/** The files of the service's own export, and the jurisdictions that they lack. */
export interface CsvExport {
  /** Usually one file. There are several if the service answered in parts with different columns. */
  files: SavedFile[];
  /** The jurisdictions that were asked for and are not in the files; null if the files don't show whose rows they hold. */
  missing: MissingAhj[] | null;
}

/** A file in pieces, to be saved one after the other. A file of a single answer is saved byte for byte. */
export interface SavedFile {
  pieces: (ArrayBuffer | string)[];
  /** The number of the service's files that were joined. A joined file is in UTF-8. */
  joinedFrom: number;
  /** The number of cells that begin like a formula: a spreadsheet may treat them as one when it opens the file. */
  formulaLike: number;
}

export interface MissingAhj {
  ahj: Ahj;
  /**
   * Set if several jurisdictions that were asked for share name and state, and only some of their rows came, so that it is not known which
   * ones are missing. Otherwise null.
   */
  among: { came: number; asked: number } | null;
}

/** Has the service export the answers of an import's question, in as few requests as possible. Fails with a Failure. */
export async function exportCsv(
  question: ImportQuestion,
  client: Client,
  options: ExchangeOptions,
): Promise<CsvExport> {
  const files: CsvFile[] = [];
  let refusal: Failure | undefined;
  for (const ahjIds of csvParts(question)) {
    for (const part of await exportPart(question, ahjIds, client, options)) {
      if (part instanceof Failure) refusal = part;
      else files.push(part);
    }
  }
  if (refusal && files.length === 0) throw refusal;
  const read = files.map((file) => ({
    file,
    text: decodedText(file.bytes, file.charset),
  }));
  const texts = read.map(({ text }) => text);
  return {
    files: joined(read),
    missing: texts.every((text) => text !== null) ? missingFrom(texts, question) : null,
  };
}

function formulaLikeIn(text: string): number {
  let count = 0;
  try {
    readCsv(text, ({ fields }) => {
      for (const field of fields) if (/^[=+\-@\t\r]/.test(field)) count += 1;
    });
  } catch {
    // The rest of the text is not CSV, so it is not counted.
  }
  return count;
}

/** The files of these AHJs. A part whose AHJs are all outside the subscription gives the refusal instead. */
async function exportPart(
  question: ImportQuestion,
  ahjIds: readonly number[],
  client: Client,
  options: ExchangeOptions,
  blindHalvings = 0,
): Promise<(CsvFile | Failure)[]> {
  try {
    if (question.kind === "matrix") {
      const typeIds = question.types.map(({ id }) => id);
      const body = { ahj_ids: ahjIds, data_point_type_ids: typeIds };
      return [(await client.exportMatrix(body, options)).data];
    }
    const { id } = question.collection;
    return await inShortAddresses(
      ahjIds,
      async (ahj_ids) => (await client.exportCollection({ collection_id: id, ahj_ids }, options)).data,
    );
  } catch (thrown) {
    const failure = asFailure(thrown);
    // All AHJs of this part are outside the subscription; those of other parts may not be.
    if (failure.kind === "outside-subscription") return [failure];
    const smaller = mayPassSmaller(failure);
    const isBlind = smaller === "perhaps";
    const isWorthHalving = smaller === "yes" || (isBlind && blindHalvings < config.blindHalvings);
    if (!isWorthHalving || ahjIds.length === 1) throw failure;
    const half = Math.ceil(ahjIds.length / 2);
    const halvings = blindHalvings + (isBlind ? 1 : 0);
    const first = await exportPart(question, ahjIds.slice(0, half), client, options, halvings);
    return [...first, ...(await exportPart(question, ahjIds.slice(half), client, options, halvings))];
  }
}

/** Joins files with the same header, one below the other. */
function joined(read: readonly { file: CsvFile; text: string | null }[]): SavedFile[] {
  const groups: { header: string | null; file: CsvFile; texts: string[] }[] = [];
  for (const { file, text } of read) {
    const header = text === null ? null : headerLineOf(text);
    const group = groups.at(-1);
    if (group && header !== null && header === group.header)
      group.texts.push(text?.slice(header.length) ?? "");
    else groups.push({ header, file, texts: [text ?? ""] });
  }
  return groups.map(({ file, texts }) => ({
    pieces: texts.length === 1 ? [file.bytes] : [byteOrderMark, ...inLines(texts)],
    joinedFrom: texts.length,
    formulaLike: texts.reduce((sum, text) => sum + formulaLikeIn(text), 0),
  }));
}

/** The header with its line break; null if the text is not CSV. */
function headerLineOf(text: string): string | null {
  const header = firstRecord(text);
  return header && text.slice(0, header.end);
}

/** Without the byte order mark, Excel would open the file in the machine's own encoding. */
const byteOrderMark = "\ufeff";

/** Puts a line break between texts where one is missing. */
function inLines(texts: readonly string[]): string[] {
  return texts.map((text, index) => (/[\r\n]$/.test(texts[index - 1] ?? "\n") ? text : `\r\n${text}`));
}

const idHeader = /^ahj[ _-]?id$/i;
const nameHeader = /^(?:ahj(?:[ _-]?name)?|name|jurisdiction)$/i;
const stateHeader = /^state(?:[ _-]?code)?$/i;

/**
 * Compares the rows of the files with the jurisdictions that were asked for: by id if there is a column of ids, otherwise by name and
 * state. Null if the files can't be compared.
 */
function missingFrom(texts: readonly string[], { kind, ahjs }: ImportQuestion): MissingAhj[] | null {
  const came = new Map<string, number>();
  let columns: ReturnType<typeof columnsOf> = null;
  for (const text of texts.filter((each) => each !== "")) {
    const header = firstRecord(text);
    columns = header && columnsOf(header.fields, kind);
    if (!header || !columns) return null;
    const { places } = columns;
    try {
      readCsv(text, ({ fields, end }) => {
        if (end === header.end) return;
        const key = places.map((place) => fields[place]?.trim()).join("\n");
        came.set(key, (came.get(key) ?? 0) + 1);
      });
    } catch {
      return null;
    }
  }
  if (!columns) return null;
  const asked = groupBy(ahjs, columns.keyOfAhj);
  if (came.size > 0 && ![...came.keys()].some((key) => asked.has(key))) {
    if (columns.areIds) throw new Failure("unexpected-answer", { detail: `${mixedUp} Nothing was saved.` });
    // The file tells its jurisdictions apart in some other way.
    return null;
  }
  return [...asked].flatMap(([key, same]) => {
    const count = came.get(key) ?? 0;
    if (count >= same.length) return [];
    return same.map((ahj) => ({ ahj, among: count === 0 ? null : { came: count, asked: same.length } }));
  });
}

function columnsOf(header: readonly string[], kind: ImportQuestion["kind"]) {
  const placeOf = (pattern: RegExp) => header.findIndex((name) => pattern.test(name.trim()));
  const id = placeOf(idHeader);
  if (id >= 0) return { places: [id], keyOfAhj: (ahj: Ahj) => String(ahj.id), areIds: true };
  const keyOfAhj = ({ name, state_code }: Ahj) => `${name.trim()}\n${state_code}`;
  const [name, state] = [placeOf(nameHeader), placeOf(stateHeader)];
  if (name >= 0 && state >= 0) return { places: [name, state], keyOfAhj, areIds: false };
  // The meaning of the first columns is documented for a collection only (docs/interface.md, "13. Export a collection").
  return kind === "collection" ? { places: [0, 1], keyOfAhj, areIds: false } : null;
}

/** A record of a CSV file; `end` is the place in the text where it ends. */
interface CsvRecord {
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
function firstRecord(text: string): CsvRecord | null {
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
