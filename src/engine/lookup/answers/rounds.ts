import { followSignal, onAbort } from "../../../async/on-abort";
import { config } from "../../../config";
import { asFailure, cancelled, type Failure } from "../../../errors";
import { isForAll } from "../../api/answer-failure";
import type { ExchangeOptions } from "../../transport/exchange";
import type { MatrixSize } from "./matrix-size";
import type { CellsOfAhj, OpenCells } from "./open-cells";
import type { Piece, Pieces } from "./pieces";
import type { Answered } from "./read-matrix";
import { cellsOf, type MatrixLimit, planRequests, type Rectangle } from "./request-plan";

export interface RoundOptions extends ExchangeOptions {
  /** True if any failure makes the rest worthless, so that nothing more is asked for. */
  failFast?: boolean | undefined;
  /** Awaited before each piece is asked for. A failure that it throws ends the work. */
  gate?: (() => Promise<void>) | undefined;
}

/** Called when cells have ended. Takes answered cells out of the open ones. */
export interface Settle {
  /** Takes the piece's cells out, with pauses; cells that are not taken yet stay open. Settles when each cell was reported. */
  answered(piece: Piece, answered: Answered): Promise<void>;
  /** Reports, with pauses, cells that were taken out already. */
  failed(cells: readonly CellsOfAhj[], failure: Failure): Promise<void>;
}

/**
 * Asks for open cells until none is left: joins pieces that are under way, plans the rest, and plans again if the service refused a size.
 * Only `cancelled` is thrown.
 */
export async function readInRounds(
  open: OpenCells,
  { pieces, size }: { pieces: Pieces; size: MatrixSize },
  { failFast, gate, ...exchange }: RoundOptions,
  settle: Settle,
): Promise<void> {
  const { controller: stop, release } = followSignal(exchange.signal);
  const { signal } = stop;
  /** The size that refusals suggest. It counts for these rounds only, because a cut-off may have had another cause. */
  let mostCells = Infinity;
  let halvings = 0;
  const settling: Promise<void>[] = [];
  /** A failure that every further request would meet as well. */
  let hopeless: Failure | undefined;

  const limit = (): MatrixLimit => {
    const shown = size.limit();
    return {
      cells: Math.min(shown.cells, mostCells),
      mostCells: Math.min(shown.mostCells, mostCells),
    };
  };

  const mayHalve = (rectangle: Rectangle) =>
    cellsOf(rectangle) > 1 &&
    halvings < config.blindHalvings &&
    (exchange.giveUpAtMs === undefined || Date.now() < exchange.giveUpAtMs);

  async function finish(piece: Piece): Promise<void> {
    const leave = new AbortController();
    // An answer that has come is taken all the same, because its request has been paid for.
    const ignore = onAbort(signal, () => {
      if (!piece.hasCome()) leave.abort(cancelled);
    });
    try {
      await piece.join({ ...exchange, signal: leave.signal }, async (outcome) => {
        if ("tooLarge" in outcome) return halve(piece.rectangle, outcome.tooLarge);
        const settled = settle.answered(piece, outcome);
        settling.push(settled);
        await settled;
      });
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.kind === "cancelled") return stop.abort(cancelled);
      const settled = settle.failed(open.takePiece(piece), failure);
      settling.push(settled);
      if (failFast || isForAll(failure)) {
        hopeless ??= failure;
        stop.abort(cancelled);
      }
      await settled;
    } finally {
      ignore();
    }
  }

  function halve(rectangle: Rectangle, tooLarge: "surely" | "perhaps") {
    const half = Math.ceil(cellsOf(rectangle) / 2);
    if (half >= mostCells) return;
    mostCells = half;
    if (tooLarge === "perhaps") halvings += 1;
  }

  /** Plans the next requests. Larger matrices wait until one of these has shown that the service accepts its size. */
  function planRound(joined: readonly Piece[]): Piece[] {
    const { matrices, dataPoints } = planRequests(open.workBeside(joined), limit());
    return [
      ...matrices
        .filter((rectangle) => cellsOf(rectangle) <= limit().cells)
        .map((rectangle) => pieces.add("matrix", rectangle, mayHalve(rectangle))),
      ...dataPoints.map((rectangle) => pieces.add("data-points", rectangle, false)),
    ];
  }

  async function passGate(): Promise<boolean> {
    try {
      await gate?.();
      return true;
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.kind !== "cancelled") hopeless ??= failure;
      stop.abort(cancelled);
      return false;
    }
  }

  try {
    while (!open.isEmpty() && !hopeless) {
      if (signal.aborted) {
        await Promise.all(settling);
        throw cancelled;
      }
      const joined = open.joinable(pieces.open());
      const planned = planRound(joined);
      const waiting = [...planned];
      // Only a few pieces start at a time, so that others' requests can go before the rest.
      const finishNext = async () => {
        for (;;) {
          if (!(await passGate())) return;
          const next = waiting.shift();
          if (!next || signal.aborted) return;
          await finish(next);
        }
      };
      const lanes = Array.from({ length: config.concurrentRequests }, finishNext);
      const all = Promise.all([...joined.map(finish), ...lanes]);
      // As soon as more may be asked for at once, the rest is planned anew. Pieces under way are joined again.
      await untilGrown(all, size);
      waiting.length = 0;
      planned.forEach(pieces.abandon);
    }
    // A round also ends when more may be asked for at once, perhaps before the last answers are reported.
    await Promise.all(settling);
  } finally {
    release();
  }
  // Answers that had come by then are reported as they came; only the rest fails.
  if (hopeless) await settle.failed(open.takeAll(), hopeless);
}

/** Waits for the end of the work, or until more may be asked for at once. */
function untilGrown(work: Promise<unknown>, size: MatrixSize): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = size.onGrowth(resolve);
    work.then(() => resolve(), reject).finally(forget);
  });
}
