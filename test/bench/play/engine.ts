/** The engine by its public interface. This is the only file of the benches that knows how it is put together. */
import { createClient, type Client } from "../../../src/engine/api/client";
import type { Ahj, AhjDetail, DataPointType } from "../../../src/engine/api/schemas";
import { Failure } from "../../../src/errors";
import { columnsFor, type Find, findIn } from "../../../src/find/find";
import type { Heaps } from "../../../src/find/heaps";
import { readAnswerColumns } from "../../../src/find/read-columns";
import type { PlannedImport } from "../../../src/workbook/imports/run/import-types";
import { runImport } from "../../../src/workbook/imports/run/run-import";
import { createLookup, type LookupDependencies } from "../../../src/engine/lookup/lookup";
import {
  createTransport,
  type Credentials,
  type ExchangeOptions,
} from "../../../src/engine/transport/exchange";
import { type Cache, openCache } from "../../../src/engine/cache/cache";
import type { CachedAnswer } from "../../../src/engine/cache/cached-answer";
import type { FilledPart } from "../../../src/engine/cache/answer-part";
import { fillRectangle, readMatrix } from "../../../src/engine/lookup/answers/read-matrix";
import type { Rectangle } from "../../../src/engine/lookup/answers/request-plan";
import { createBrowserDisk } from "../../../src/engine/cache/browser-store";
import { serviceSpace, spaceOf } from "../../../src/engine/cache/space";
import type { Answer } from "./ask";

export interface Engine {
  /** Asks as a formula does. */
  value(geoid: string, typeId: number): Promise<Answer>;
  /** The AHJ's detail from its endpoint, asked as a formula or the pane asks. */
  detail(ahjId: number, options?: ExchangeOptions): Promise<AhjDetail>;
  /** Reads the whole directory, as the pane does. */
  knowDirectory(): Promise<void>;
  /** Asks as an import does: fetches everything and plans the table. */
  planMatrix(ahjs: readonly Ahj[], types: readonly DataPointType[]): Promise<PlannedImport>;
  /** Asks as a find does: its answers are read into columns, which can then answer any find with these questions. */
  readFind(ahjs: readonly Ahj[], find: Find): Promise<(find: Find) => Heaps>;
  client: Client;
}

/** The parts of an engine that outlive it. */
export interface DiskCache extends Pick<LookupDependencies, "cache" | "serviceFacts"> {
  /** Settles when all answers are on disk. */
  flushed(): Promise<void>;
}

/** Without a disk the engine keeps its answers in memory, as long as it lives. */
export function createEngine(
  credentials: Credentials,
  fetch: typeof globalThis.fetch,
  disk?: DiskCache,
): Engine {
  const client = createClient(createTransport(credentials, { fetch }));
  const lookup = createLookup(client, { cache: disk?.cache, serviceFacts: disk?.serviceFacts });
  return {
    async value(geoid, typeId) {
      const { values } = await lookup.ask({ questions: [{ ahj: geoid, type: typeId }] });
      const answer = values[0];
      return answer instanceof Failure || !answer ? absenceOf(answer) : answer.cell.value;
    },
    async detail(ahjId, options) {
      const detail = (await lookup.details.read([ahjId], options)).get(ahjId);
      if (!detail || detail instanceof Failure) throw detail ?? new Error("nothing was told");
      return detail;
    },
    async knowDirectory() {
      await lookup.directory.load();
    },
    planMatrix: (ahjs, types) => runImport({ kind: "matrix", ahjs, types }, { client, lookup }),
    async readFind(ahjs, find) {
      const ahjIds = ahjs.map(({ id }) => id);
      const { columns, failure } = await readAnswerColumns(ahjIds, columnsFor(find), lookup.answers);
      if (failure) throw failure;
      const columnOf = new Map(columns.map((column) => [column.type.id, column]));
      return (asked) => findIn(ahjIds.length, (typeId) => columnOf.get(typeId), asked, Date.now());
    },
    client,
  };
}

/** Reads the answers of a matrix, in this thread, into the columns that the store keeps. */
export async function fetchMatrix(
  credentials: Credentials,
  rectangle: Rectangle,
): Promise<readonly FilledPart[]> {
  const { ahjIds, typeIds } = rectangle;
  const client = createClient(createTransport(credentials, { fetch: (...args) => fetch(...args) }));
  const { body, atMs } = await client.unreadMatrix({ ahj_ids: ahjIds, data_point_type_ids: typeIds });
  const read = await readMatrix(body, rectangle, atMs);
  if (!("filled" in read)) throw new Error("the matrix can't be read");
  return read.filled;
}

/** Fills the store's columns, as `fetchMatrix` does, with answers that no service gave. */
export async function fillMatrix(
  rectangle: Rectangle,
  answerOf: (ahjId: number, typeId: number) => CachedAnswer,
): Promise<readonly FilledPart[]> {
  return (await fillRectangle(rectangle, answerOf)).filled;
}

/** The store of answers in memory and on disk, as the app opens it. */
export function openAnswerStore({ baseUrl, key }: Credentials): Pick<Cache, "answers" | "flushed"> {
  const disk = createBrowserDisk(() => console.error("the browser keeps nothing"));
  return openCache(disk, spaceOf(baseUrl, key));
}

/** Null if the service holds no value, which is an answer; any other failure means that the bench has gone wrong. */
function absenceOf(thrown: unknown): null {
  if (thrown instanceof Failure && thrown.kind === "no-value") return null;
  throw thrown;
}

/** The cache on the browser's disk, as the app opens it. */
export function openDiskCache({ baseUrl, key }: Credentials): DiskCache {
  const disk = createBrowserDisk(() => console.error("the browser keeps nothing"));
  const cache = openCache(disk, spaceOf(baseUrl, key));
  const ofService = openCache(disk, serviceSpace(baseUrl));
  return {
    cache,
    serviceFacts: ofService.documents,
    async flushed() {
      await Promise.all([cache.flushed(), ofService.flushed()]);
    },
  };
}
