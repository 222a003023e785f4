import type { Refusal } from "../../api/read-answer";
import { type FilledPart, type PartRow, type StoredPart, takeAnswerPart } from "../../cache/answer-part";
import { readMatrix, type ReadMatrix } from "./read-matrix";
import type { Rectangle } from "./request-plan";

/** Reads the body of a matrix's answer into columns. Never fails. */
export type MatrixReader = (
  body: ArrayBuffer,
  rectangle: Rectangle,
  atMs: number,
  charset?: string | null,
) => Promise<ReadMatrix | Refusal>;

/** The message to the worker. `MatrixDone` is its reply. */
export interface MatrixTask {
  id: number;
  body: ArrayBuffer;
  rectangle: Rectangle;
  atMs: number;
  charset: string | null;
}
export interface MatrixDone {
  id: number;
  read: (Omit<ReadMatrix, "filled"> & { filled: { part: StoredPart; rows: readonly PartRow[] }[] }) | Refusal;
}

/** Bodies up to this size are parsed on the page, which takes a few milliseconds: a worker, which must be started, would be no quicker. */
const mostBytesOnPage = 200_000;

/**
 * Reads large bodies in a worker, so that the page can respond meanwhile. If there is no worker, or once it has failed, they are read on
 * the page, with pauses. The worker gets only answers, never the key.
 */
export function createMatrixReader(startWorker: (() => Worker) | undefined): MatrixReader {
  let worker: Worker | undefined;
  let isUsable = startWorker !== undefined;
  const waiting = new Map<number, (done: MatrixDone | undefined) => void>();
  let tasks = 0;

  function giveUp() {
    isUsable = false;
    worker?.terminate();
    worker = undefined;
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  }

  function start(): Worker | undefined {
    if (worker || !startWorker) return worker;
    worker = startWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<MatrixDone>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    worker.addEventListener("error", giveUp);
    worker.addEventListener("messageerror", giveUp);
    return worker;
  }

  function inWorker(task: Omit<MatrixTask, "id">): Promise<MatrixDone | undefined> {
    return new Promise((resolve) => {
      const id = (tasks += 1);
      waiting.set(id, resolve);
      try {
        // The body is copied and not transferred, so that it can be read here if the worker fails.
        start()?.postMessage({ id, ...task } satisfies MatrixTask);
      } catch {
        giveUp();
      }
    });
  }

  return async (body, rectangle, atMs, charset = null) => {
    const isLarge = body.byteLength > mostBytesOnPage;
    const done = isUsable && isLarge ? await inWorker({ body, rectangle, atMs, charset }) : undefined;
    if (!done) return readMatrix(body, rectangle, atMs, charset);
    if (!("filled" in done.read)) return done.read;
    const filled = done.read.filled.map(({ part, rows }): FilledPart => ({
      part: takeAnswerPart(part),
      rows,
    }));
    return { ...done.read, filled };
  };
}
