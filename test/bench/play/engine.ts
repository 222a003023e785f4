/** The add-in without its pane. This is the only file of the benches that knows how it is put together. */
import { startApp } from "../../../src/app";
import { delay } from "../../../src/async/message-delay";
import { leavesBlank } from "../../../src/engine/absence";
import { createClient, type Client } from "../../../src/engine/api/client";
import type { Ahj, AhjDetail, DataPointType } from "../../../src/engine/api/schemas";
import { Failure } from "../../../src/errors";
import * as functions from "../../../src/functions/functions";
import { columnsFor, type Find, findIn } from "../../../src/find/find";
import type { Heaps } from "../../../src/find/heaps";
import { readAnswerColumns } from "../../../src/find/read-columns";
import type { PlannedImport } from "../../../src/workbook/imports/run/import-types";
import { runImport } from "../../../src/workbook/imports/run/run-import";
import {
  createTransport,
  type Credentials,
  type ExchangeOptions,
} from "../../../src/engine/transport/exchange";
import { type Cache, openCache } from "../../../src/engine/cache/cache";
import { createDisk, type Disk } from "../../../src/engine/cache/store";
import type { CachedAnswer } from "../../../src/engine/cache/cached-answer";
import type { FilledPart } from "../../../src/engine/cache/answer-part";
import { fillRectangle, readMatrix } from "../../../src/engine/lookup/answers/read-matrix";
import type { Rectangle } from "../../../src/engine/lookup/answers/request-plan";
import { createBrowserDisk } from "../../../src/engine/cache/browser-store";
import { spaceOf } from "../../../src/engine/cache/space";
import { connectionStorageKey, storedForm } from "../../../src/settings/connection";
import type { Answer } from "./ask";
import { provideCustomFunctions, shown } from "./cell";

export interface Engine {
  /** Calls =REGDATA.VALUE as Excel does for one cell. Resolves to what the cell shows; null if there is no value. */
  value(geoid: string, typeId: number): Promise<unknown>;
  /** Calls a function in the place of VALUE in the same way. */
  call(called: typeof functions.value, geoid: string, typeId: number): Promise<unknown>;
  /** The same with field "text": the published text, as the peers give it. */
  text(geoid: string, typeId: number): Promise<Answer>;
  /** The published text for a formula of this add-in, even if another one was started since. */
  ownText(geoid: string, typeId: number): Promise<Answer>;
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

/** A disk that can tell when nothing more is written to it. */
export interface QuietDisk extends Disk {
  /** Settles once nothing has been written for a while. */
  quiet(): Promise<void>;
}

/**
 * Starts the add-in without its pane. Formulas ask the one that was started last. Without a disk it keeps its answers in memory, as long as
 * it lives.
 */
export async function createEngine(
  { baseUrl, key }: Credentials,
  fetch: typeof globalThis.fetch,
  disk: Disk = createDisk(),
): Promise<Engine> {
  provideCustomFunctions();
  const stored = new Map([[connectionStorageKey, storedForm({ baseUrl, key })]]);
  const app = startApp({
    fetch,
    storage: {
      getItem: (name) => Promise.resolve(stored.get(name) ?? null),
      setItem: (name, text) => Promise.resolve(void stored.set(name, text)),
      removeItem: (name) => Promise.resolve(void stored.delete(name)),
    },
    openDisk: () => disk,
    delay,
  });
  const { client, lookup } = await app.session();
  const cell = (geoid: string, typeId: number, field: string | null, called = functions.value) =>
    shown(called([[geoid]], [[typeId]], field, null, {} as CustomFunctions.CancelableInvocation));
  return {
    call: (called, geoid, typeId) => cell(geoid, typeId, null, called),
    value: (geoid, typeId) => cell(geoid, typeId, null),
    text: (geoid, typeId) => cell(geoid, typeId, "text") as Promise<Answer>,
    ownText: async (geoid, typeId) =>
      app.ask(
        {
          wants: () => ({ questions: [{ ahj: geoid, type: typeId }] }),
          resultOf(found) {
            const [answer] = found instanceof Failure ? [found] : found.values;
            if (answer && !(answer instanceof Failure)) return answer.cell.value;
            if (answer && leavesBlank(answer.kind)) return null;
            throw answer ?? new Failure("unexpected-answer");
          },
        },
        {},
      ),
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

/** The browser's disk, as the app opens it. */
export function openQuietDisk(): QuietDisk {
  const disk = createBrowserDisk(() => console.error("the browser keeps nothing"));
  let writing = 0;
  let lastMs = performance.now();
  const watched = async <Result>(work: Promise<Result>): Promise<Result> => {
    writing += 1;
    return work.finally(() => {
      writing -= 1;
      lastMs = performance.now();
    });
  };
  return {
    ...disk,
    writeDocuments: (...documents) => watched(disk.writeDocuments(...documents)),
    readShards: (...shards) => watched(disk.readShards(...shards)),
    changeShard: (...change) => watched(disk.changeShard(...change)),
    async quiet() {
      while (writing > 0 || performance.now() - lastMs < quietMs)
        await new Promise((resolve) => setTimeout(resolve, quietMs / 10));
    },
  };
}

/** Longer than the app waits before it writes what has come. */
const quietMs = 1_000;
