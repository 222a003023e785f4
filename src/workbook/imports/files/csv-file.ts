import { groupBy } from "../../../lists";
import { mayPassSmaller } from "../../../engine/api/answer-failure";
import type { Client, CsvFile } from "../../../engine/api/client";
import { inShortAddresses } from "../../../engine/api/address-length";
import type { Ahj } from "../../../engine/api/schemas";
import { config } from "../../../config";
import { asFailure, Failure } from "../../../errors";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import { csvRecords } from "./csv-rows";
import { csvParts } from "../run/estimate";
import type { ImportQuestion } from "../run/question";

/** What the service's own export gave. */
export interface CsvExport {
  /** One file, unless its parts came with other columns. */
  files: SavedFile[];
  /** Asked for and not in the files; null where they don't show whose rows they hold. */
  missing: MissingAhj[] | null;
}

/** In pieces, to be saved one after the other. What one answer holds is saved byte for byte. */
export interface SavedFile {
  pieces: (ArrayBuffer | string)[];
  /** Of how many files of the service it was put together, in UTF-8. */
  joinedFrom: number;
  /** Cells that begin like a formula: a spreadsheet may take them for one when it opens the file. */
  formulaLike: number;
}

export interface MissingAhj {
  ahj: Ahj;
  /** Where several that were asked for share name and state: how many of them came, any of them. */
  among: { came: number; asked: number } | null;
}

/** Has the service export what an import asks for, in as few requests as it takes. Fails with a Failure. */
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
  const read = files.map((file) => ({ file, text: textOf(file) }));
  const texts = read.map(({ text }) => text);
  return {
    files: joined(read),
    missing: texts.every((text) => text !== null) ? missingFrom(texts, question) : null,
  };
}

/** A file's text, without a byte order mark; null where its encoding can't be told. */
function textOf({ bytes, charset }: CsvFile): string | null {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  try {
    return new TextDecoder(marked ?? charset ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function formulaLikeIn(text: string): number {
  let count = 0;
  try {
    for (const { fields } of csvRecords(text)) {
      for (const field of fields) if (/^[=+\-@\t\r]/.test(field)) count += 1;
    }
  } catch {
    // What follows is no CSV.
  }
  return count;
}

/** The files of these AHJs, or the refusal of those that are all denied. */
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
    // Every AHJ of this part is denied; those of the other parts may not be.
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

/** One below the other where their headers are the same. */
function joined(read: readonly { file: CsvFile; text: string | null }[]): SavedFile[] {
  const groups: { header: string | null; file: CsvFile; texts: string[] }[] = [];
  for (const { file, text } of read) {
    const header = text === null ? null : headerOf(text);
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

/** Without it, Excel would open the file in the encoding of the machine. */
const byteOrderMark = "\ufeff";

/** Each text begins in a line of its own. */
function inLines(texts: readonly string[]): string[] {
  return texts.map((text, index) => (/[\r\n]$/.test(texts[index - 1] ?? "\n") ? text : `\r\n${text}`));
}

/** As it stands there, with its line break; null where this is no CSV. */
function headerOf(text: string): string | null {
  try {
    for (const { end } of csvRecords(text)) return text.slice(0, end);
  } catch {
    // Not ours to mend.
  }
  return null;
}

const idHeader = /^ahj[ _-]?id$/i;
const nameHeader = /^(?:ahj(?:[ _-]?name)?|name|jurisdiction)$/i;
const stateHeader = /^state(?:[ _-]?code)?$/i;

/** The files' rows compared with what was asked: by id where a column has it, else by name and state. */
function missingFrom(texts: readonly string[], { kind, ahjs }: ImportQuestion): MissingAhj[] | null {
  const came = new Map<string, number>();
  let keyOfAhj: ((ahj: Ahj) => string) | undefined;
  try {
    for (const text of texts) {
      let keyOfRow: ((fields: readonly string[]) => string) | undefined;
      for (const { fields } of csvRecords(text)) {
        if (keyOfRow) {
          const key = keyOfRow(fields);
          came.set(key, (came.get(key) ?? 0) + 1);
          continue;
        }
        const columns = columnsOf(fields, kind);
        if (!columns) return null;
        keyOfRow = (row) => columns.places.map((place) => row[place]?.trim()).join("\n");
        keyOfAhj = columns.keyOfAhj;
      }
    }
  } catch {
    return null;
  }
  if (!keyOfAhj) return null;
  const asked = groupBy(ahjs, keyOfAhj);
  // Rows of which none is known are told apart in some other way.
  if (came.size > 0 && ![...came.keys()].some((key) => asked.has(key))) return null;
  return [...asked].flatMap(([key, same]) => {
    const count = came.get(key) ?? 0;
    if (count >= same.length) return [];
    return same.map((ahj) => ({ ahj, among: count === 0 ? null : { came: count, asked: same.length } }));
  });
}

function columnsOf(header: readonly string[], kind: ImportQuestion["kind"]) {
  const placeOf = (pattern: RegExp) => header.findIndex((name) => pattern.test(name.trim()));
  const id = placeOf(idHeader);
  if (id >= 0) return { places: [id], keyOfAhj: (ahj: Ahj) => String(ahj.id) };
  const keyOfAhj = ({ name, state_code }: Ahj) => `${name.trim()}\n${state_code}`;
  const [name, state] = [placeOf(nameHeader), placeOf(stateHeader)];
  if (name >= 0 && state >= 0) return { places: [name, state], keyOfAhj };
  // The first columns are known for a collection only (docs/interface.md, "13. Export a collection").
  return kind === "collection" ? { places: [0, 1], keyOfAhj } : null;
}
