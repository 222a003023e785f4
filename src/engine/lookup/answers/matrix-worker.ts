/** The worker that reads large answers: see matrix-reader.ts. */
import type { MatrixDone, MatrixTask } from "./matrix-reader";
import { readMatrix } from "./read-matrix";

const scope = globalThis as unknown as {
  addEventListener(type: "message", listen: (event: MessageEvent<MatrixTask>) => void): void;
  postMessage(done: MatrixDone, transfer: Transferable[]): void;
};

scope.addEventListener("message", ({ data: { id, body, rectangle, atMs, charset } }) => {
  void readMatrix(body, rectangle, atMs, charset).then((read) => {
    if (!("filled" in read)) {
      // zod's error about the shape is sent as text, because it holds functions, which can't be sent.
      const refusal =
        "refused" in read ? read : { ...read, unexpected: read.unexpected && String(read.unexpected) };
      return scope.postMessage({ id, read: refusal }, []);
    }
    const filled = read.filled.map(({ part, rows }) => ({ part: part.stored(), rows }));
    const buffers = filled.flatMap(({ part: { columns, heap } }) =>
      [...Object.values(columns), heap].map((column) => column.buffer as ArrayBuffer),
    );
    scope.postMessage({ id, read: { ...read, filled } }, buffers);
  });
});
