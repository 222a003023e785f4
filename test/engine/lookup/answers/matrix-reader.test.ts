import { afterEach, describe, expect, it, vi } from "vitest";
import { answersIn } from "../../../../src/engine/cache/answer-part";
import {
  createMatrixReader,
  type MatrixDone,
  type MatrixTask,
} from "../../../../src/engine/lookup/answers/matrix-reader";
import type { ReadMatrix } from "../../../../src/engine/lookup/answers/read-matrix";
import { matrixOf } from "./played-answers";

const atMs = Date.UTC(2026, 2, 12);
const ids = (count: number, first: number) => Array.from({ length: count }, (_, index) => first + index);
const rectangle = { ahjIds: ids(400, 1), typeIds: ids(20, 1_001) };

function bodyOf(sent: unknown): ArrayBuffer {
  return new TextEncoder().encode(typeof sent === "string" ? sent : JSON.stringify(sent)).buffer;
}

const envelope = { response_type: "success", description: "", warnings: [] };
const large = () =>
  bodyOf({
    ...envelope,
    data: matrixOf({ ahj_ids: rectangle.ahjIds, data_point_type_ids: rectangle.typeIds }).data,
    // The text is long enough for the worker to read the answer.
    unknown: "x".repeat(200_000),
  });

afterEach(() => void vi.unstubAllGlobals());

type Listen = (event: unknown) => void;

/** A worker as a browser has it: its messages are copied both ways, and they come later. */
async function playWorker({ isBroken = false } = {}) {
  let serve: Listen = () => {};
  let heard: Record<string, Listen> = {};
  const stub = {
    addEventListener: (_: string, listen: Listen) => (serve = listen),
    postMessage(done: MatrixDone, transfer: Transferable[]) {
      heard.message?.({ data: structuredClone(done, { transfer }) });
    },
  };
  vi.stubGlobal("addEventListener", stub.addEventListener);
  vi.stubGlobal("postMessage", stub.postMessage);
  vi.resetModules();
  await import("../../../../src/engine/lookup/answers/matrix-worker");
  const started = vi.fn(() => {
    heard = {};
    const worker = {
      addEventListener: (type: string, listen: Listen) => (heard[type] = listen),
      postMessage(task: MatrixTask) {
        const data = structuredClone(task);
        setTimeout(() => (isBroken ? heard.error?.(new Event("error")) : serve({ data })));
      },
      terminate: vi.fn(),
    };
    return worker as unknown as Worker;
  });
  return started;
}

function answersOf(read: Awaited<ReturnType<ReturnType<typeof createMatrixReader>>>) {
  if (!("filled" in read)) return read;
  const { filled, ...others } = read satisfies ReadMatrix;
  return {
    ...others,
    answers: filled.flatMap(({ part, rows }) => rows.map((row) => [row.ahj, [...answersIn(part, row)]])),
  };
}

describe("the body of a large answer", () => {
  it("gives the same in a worker as without one, and the worker is started once", async () => {
    const start = await playWorker();
    const [inWorker, here] = [createMatrixReader(start), createMatrixReader(undefined)];
    const read = answersOf(await inWorker(large(), rectangle, atMs));
    expect(read).toEqual(answersOf(await here(large(), rectangle, atMs)));
    expect(read).toMatchObject({ pages: 1, undecided: new Set() });
    await Promise.all([inWorker(large(), rectangle, atMs), inWorker(large(), rectangle, atMs)]);
    expect(start).toHaveBeenCalledTimes(1);
  });

  it("says in a worker, too, why it can't be read", async () => {
    const read = createMatrixReader(await playWorker());
    const padding = "x".repeat(200_000);
    expect(
      await read(
        bodyOf({ response_type: "error", description: "No.", data: null, padding }),
        rectangle,
        atMs,
      ),
    ).toEqual({ refused: "No." });
    expect(await read(bodyOf(padding), rectangle, atMs)).toEqual({ unexpected: undefined });
    const odd = await read(bodyOf({ ...envelope, data: { rows: "none" }, padding }), rectangle, atMs);
    expect(odd).toEqual({ unexpected: expect.stringContaining("rows") });
  });

  it.each([
    { what: "fails while it reads", start: async () => playWorker({ isBroken: true }) },
    {
      what: "can't be started",
      start: async () =>
        vi.fn((): Worker => {
          throw new DOMException("no workers", "SecurityError");
        }),
    },
  ])(
    "is read on the main thread if the worker $what, and no other worker is started",
    async ({ start: begin }) => {
      const start = await begin();
      const read = createMatrixReader(start);
      const both = await Promise.all([read(large(), rectangle, atMs), read(large(), rectangle, atMs)]);
      const expected = answersOf(await createMatrixReader(undefined)(large(), rectangle, atMs));
      expect(both.map(answersOf)).toEqual([expected, expected]);
      await read(large(), rectangle, atMs);
      expect(start).toHaveBeenCalledTimes(1);
    },
  );

  it("is read on the main thread if it is small: a formula need not wait for a worker to start", async () => {
    const start = await playWorker();
    const few = { ahjIds: [1, 2], typeIds: [1_001] };
    const data = matrixOf({ ahj_ids: few.ahjIds, data_point_type_ids: few.typeIds }).data;
    const read = await createMatrixReader(start)(bodyOf({ ...envelope, data }), few, atMs);
    expect("filled" in read && read.filled).toHaveLength(1);
    expect(start).not.toHaveBeenCalled();
  });
});
