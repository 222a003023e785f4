import { groupBy } from "../../../lists";
import { mayPassSmaller } from "../../../engine/api/answer-failure";
import type { Client } from "../../../engine/api/client";
import { inShortAddresses } from "../../../engine/api/address-length";
import type { Ahj } from "../../../engine/api/schemas";
import { config } from "../../../config";
import { asFailure, type Failure } from "../../../errors";
import { collectionChunks } from "../../../engine/lookup/collections/read-collection";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import { csvRecords } from "./csv-rows";
import type { ImportQuestion } from "../run/question";

/** What the service's own export gave. */
export interface CsvExport {
  /** Each in pieces, to be saved one after the other. One file, unless its parts came with other columns. */
  files: string[][];
  /** Asked for and not in the files; null where they don't show whose rows they hold. */
  missing: MissingAhj[] | null;
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
  const texts: string[] = [];
  let refusal: Failure | undefined;
  for (const ahjIds of partsOf(question)) {
    for (const part of await exportPart(question, ahjIds, client, options)) {
      if (typeof part === "string") texts.push(part);
      else refusal = part;
    }
  }
  if (refusal && texts.length === 0) throw refusal;
  return { files: joined(texts), missing: missingFrom(texts, question) };
}

/** As large as an address, or what the service takes of a matrix, may be. */
function partsOf(question: ImportQuestion): number[][] {
  const ids = question.ahjs.map(({ id }) => id);
  if (question.kind === "collection") return collectionChunks(ids);
  const size = Math.max(1, Math.floor(config.mostMatrixCells / question.types.length));
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

/** The files of these AHJs, or the refusal of those that are all denied. */
async function exportPart(
  question: ImportQuestion,
  ahjIds: readonly number[],
  client: Client,
  options: ExchangeOptions,
  blindHalvings = 0,
): Promise<(string | Failure)[]> {
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
function joined(texts: readonly string[]): string[][] {
  const files: string[][] = [];
  let header: string | null = null;
  for (const text of texts) {
    const next = headerOf(text);
    const file = files.at(-1);
    if (file && next !== null && next === header) {
      if (!/[\r\n]$/.test(file.at(-1) ?? "")) file.push("\r\n");
      file.push(text.slice(next.length));
    } else {
      files.push([text]);
    }
    header = next;
  }
  return files;
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
