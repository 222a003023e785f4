import { inCompany } from "../../../async/in-company";
import { followSignal, onAbort } from "../../../async/on-abort";
import { config } from "../../../config";
import { asFailure, cancelled, type Failure, isOfLimit } from "../../../errors";
import { isForAll } from "../../api/answer-failure";
import type { ExchangeOptions } from "../../transport/exchange";
import type { MatrixSize } from "./matrix-size";
import type { Queries, Query, Source } from "./queries";
import type { Reading } from "./reading";
import { cellsOf, type MatrixLimit, planRequests, type Rectangle } from "./request-plan";

export interface ServiceOptions extends ExchangeOptions {
  /** True if the first failure ends the work, because the rest would be worthless without the cells that failed. */
  failFast?: boolean | undefined;
  /** Awaited before each query is asked for. A failure that it throws ends the work. */
  gate?: (() => Promise<void>) | undefined;
}

/**
 * Asks for the open cells of a reading until none is left: joins queries that are under way, plans the rest, and plans again if the service refused a size.
 * Only `cancelled` is thrown.
 */
export async function askService(
  reading: Pick<Reading, "open" | "settleAnswered" | "settleFailed">,
  { queries, size }: { queries: Queries; size: MatrixSize },
  { failFast, gate, ...exchange }: ServiceOptions,
): Promise<void> {
  const { open } = reading;
  const { controller: stop, release } = followSignal(exchange.signal);
  const { signal } = stop;
  /** The size that refusals suggest. It counts for this reading only, because a cut-off may have had another cause. */
  let mostCells = Infinity;
  let halvings = 0;
  const settling: Promise<void>[] = [];
  /** The failure that ends the work: every further request would meet it as well, or `failFast` or the gate demands it. */
  let hopeless: Failure | undefined;

  const limit = (): MatrixLimit => {
    const learned = size.limit();
    return {
      cells: Math.min(learned.cells, mostCells),
      mostCells: Math.min(learned.mostCells, mostCells),
    };
  };

  /** True if a cut-off answer may be followed by smaller matrices instead of the same request again: there must be time for both. */
  const mayHalve = (rectangle: Rectangle) =>
    cellsOf(rectangle) > 1 &&
    halvings < config.blindHalvings &&
    Date.now() + config.requestTimeoutMs < (exchange.giveUpAtMs ?? Infinity);

  /** True once the list of data points has failed, or has had time to answer the matrix's cells, too. */
  let isListLate = false;
  /** The queries that are joined, each with what leaves it. */
  const joinedQueries = new Map<Query, AbortController>();

  /** Leaves queries none of whose cells is open any more. */
  function leaveUnwanted() {
    for (const [query, leave] of joinedQueries)
      if (!query.hasCome() && !open.wants(query)) leave.abort(cancelled);
  }

  /** Waits for a query's outcome and settles its cells. */
  async function finish(query: Query): Promise<void> {
    const leave = new AbortController();
    joinedQueries.set(query, leave);
    // After a cancellation, an answer that has come is still taken, because its request already counts against the limit.
    const ignore = onAbort(signal, () => {
      if (!query.hasCome()) leave.abort(cancelled);
    });
    try {
      const outcome = await query.join({ ...exchange, signal: leave.signal });
      try {
        if ("tooLarge" in outcome) return halve(query.rectangle, outcome.tooLarge);
        const settled = reading.settleAnswered(query, outcome);
        settling.push(settled);
        leaveUnwanted();
        await settled;
      } finally {
        query.leave();
      }
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.kind === "cancelled") {
        if (!leave.signal.aborted || signal.aborted) stop.abort(cancelled);
        return;
      }
      // The matrix can still answer its own cells.
      if (query.source === "data-points") isListLate = true;
      const settled = reading.settleFailed(open.takeOwn(query), failure);
      settling.push(settled);
      if (failFast || isForAll(failure)) {
        hopeless ??= failure;
        // The service has counted the requests under way, so they are still answered at the limit. The others meet the limit, too.
        if (!isOfLimit(failure)) stop.abort(cancelled);
      }
      await settled;
    } finally {
      ignore();
      if (joinedQueries.get(query) === leave) joinedQueries.delete(query);
    }
  }

  /** Halves the size of the next matrices, unless it is smaller already. */
  function halve(rectangle: Rectangle, tooLarge: "surely" | "perhaps") {
    const half = Math.ceil(cellsOf(rectangle) / 2);
    if (half >= mostCells) return;
    mostCells = half;
    if (tooLarge === "perhaps") halvings += 1;
  }

  /** Plans the next queries. Larger matrices wait until one of these has shown that the service accepts its size. */
  function planQueries(source: Source, joined: readonly Query[]): Query[] {
    const { values, dated } = open.workBeside(joined);
    const { matrices, dataPoints } = planRequests({ values, dated: isListLate ? undefined : dated }, limit());
    return source === "matrix"
      ? matrices
          .filter((rectangle) => cellsOf(rectangle) <= limit().cells)
          .map((rectangle) => queries.add("matrix", rectangle, mayHalve(rectangle)))
      : dataPoints.map((rectangle) => queries.add("data-points", rectangle, false));
  }

  /** Waits for the gate. Resolves to false if the gate has ended the work. */
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

  /** The queries under way that answer open cells. The list of data points also answers the matrix's, unless it is late. */
  function joinable(source: Source): Query[] {
    const sources: Source[] = source === "matrix" || isListLate ? [source] : ["data-points", "matrix"];
    return [...queries.open()].filter((query) => query.source === source && open.wants(query, sources));
  }

  /** Asks one endpoint until none of its cells is open. */
  async function readFrom(source: Source, list?: Promise<void>): Promise<void> {
    for (;;) {
      const joined = joinable(source);
      if (hopeless) {
        if (!signal.aborted) await Promise.all(joined.map(finish));
        return;
      }
      if (open.isEmpty(source) && joined.length === 0) return;
      if (signal.aborted) {
        await Promise.all(settling);
        throw cancelled;
      }
      const lists = source === "matrix" && !isListLate ? joinable("data-points") : [];
      const planned = planQueries(source, [...joined, ...lists]);
      if (joined.length + planned.length === 0) {
        // The list answers the rest, unless it takes too long for formulas.
        await (exchange.urgent ? inCompany(list) : list);
        isListLate = true;
        continue;
      }
      const waiting = [...planned];
      // Only a few queries start at a time, so that requests of other work can go before the rest.
      const finishNext = async () => {
        for (;;) {
          if (!(await passGate())) return;
          const next = waiting.shift();
          if (!next || hopeless || signal.aborted) return;
          await finish(next);
        }
      };
      const lanes = Array.from({ length: config.concurrentRequests }, finishNext);
      const all = Promise.all([...joined.map(finish), ...lanes]);
      // As soon as a larger matrix may be asked for, the rest is planned anew. The next plan joins the queries that are under way.
      await untilGrown(all, size);
      waiting.length = 0;
      planned.forEach(queries.abandon);
    }
  }

  try {
    const list = readFrom("data-points");
    await Promise.all([list, readFrom("matrix", list)]);
    // A plan also ends when a larger matrix may be asked for, so the last answers may not be reported yet.
    await Promise.all(settling);
  } finally {
    release();
  }
  // The loop has settled every answer that came, so only the remaining cells fail.
  if (hopeless) await reading.settleFailed(open.takeAll(), hopeless);
}

/** Waits for the end of the work, or until a larger matrix may be asked for. */
function untilGrown(work: Promise<unknown>, size: MatrixSize): Promise<void> {
  return new Promise((resolve, reject) => {
    const removeListener = size.onGrowth(resolve);
    work.then(() => resolve(), reject).finally(removeListener);
  });
}
