import type { Answer, Ask } from "./ask";
import { besideFloor, type BesideFloor } from "./beside-floor";
import type { Engine } from "./engine";
import { runPeers } from "../peers/run-peers";
import type { PeerWork } from "../peers/peer";
import { tally } from "../service/recorder";
import { finding, type Finding, type Goal, type PeerResult } from "../result";
import type { FormulaTime } from "../goals";
import type { Bench } from "../scenario";
import type { Timing } from "../timing";

/** A recalculation: every formula asks at once, as Excel calls them. */
export function askAll(engine: Engine, asks: readonly Ask[]): Promise<unknown[]> {
  return Promise.all(asks.map(({ geoid, typeId }) => engine.value(geoid, typeId)));
}

/**
 * The bytes of the heap that a formula takes: while it waits, without Excel's part of the call (arguments, invocation and the cell that
 * waits), and once it has its answer.
 */
export async function bytesOf(
  engine: Engine,
  asks: readonly Ask[],
): Promise<{ waiting: number; answered: number }> {
  const unanswered: Promise<never>[] = [];
  const calls = held(() => {
    const never = () => {
      const promise = new Promise<never>(() => {});
      unanswered.push(promise);
      return promise;
    };
    return [unanswered, asks.map(({ geoid, typeId }) => engine.call(never, geoid, typeId))];
  });
  const before = heapBytes();
  const formulas = held(() => askAll(engine, asks));
  await formulas.result;
  // Requests and timers that nobody waits for anymore come to their end.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    waiting: (formulas.bytes - calls.bytes) / asks.length,
    answered: (heapBytes() - before) / asks.length,
  };
}

/** The bytes of the heap that a result takes. */
function held<Result>(begin: () => Result): { result: Result; bytes: number } {
  const before = heapBytes();
  const result = begin();
  return { bytes: heapBytes() - before, result };
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** The published texts, by which the peers' answers are checked. */
export async function textsOf({ credentials, createEngine }: Bench, asks: readonly Ask[]): Promise<Answer[]> {
  const engine = await createEngine(credentials, fetch);
  return Promise.all(asks.map(({ geoid, typeId }) => engine.text(geoid, typeId)));
}

export interface MeasuredFormulas extends BesideFloor<unknown[]> {
  each: FormulaTime;
  waitingBytes: number;
}

export interface FormulaBench {
  name: string;
  asks: readonly Ask[];
  /** Teaches the engine something before the clock starts. */
  prepare?: (engine: Engine) => Promise<void>;
  /** Knowledge that the peers' user has from the start. */
  peersKnow?: Omit<PeerWork, "asks">;
  goals(measured: MeasuredFormulas, peers: readonly PeerResult[]): Goal[];
}

/** Times formulas beside their floor and beside the peers. All are asked the same, and all must give the same answers. */
export async function benchFormulas(
  bench: Bench,
  { name, asks, prepare, peersKnow = {}, goals }: FormulaBench,
): Promise<Finding> {
  const { credentials, progress } = bench;
  progress(`${asks.length} formulas and their floor, in turns`);
  const measured = await besideFloor(bench, (engine) => askAll(engine, asks), prepare);
  const fresh = await bench.createEngine(credentials, fetch);
  await prepare?.(fresh);
  const { waiting, answered } = await bytesOf(fresh, asks);
  const texts = await textsOf(bench, asks);
  const peers = await runPeers({ asks, ...peersKnow }, texts, credentials, progress);
  const { first, engine, floor, sent } = measured;
  const microseconds = ({ busyMs }: Timing) => (busyMs * 1_000) / asks.length;
  const each = { first: microseconds(first), steady: microseconds(engine) };
  return finding(
    name,
    {
      size: asks.length,
      requests: sent.length,
      ms: engine.ms,
      floorMs: floor.ms,
      ratio: engine.ms / floor.ms,
      peers,
    },
    goals({ ...measured, each, waitingBytes: waiting }, peers),
    [
      `requests: ${tally(sent)}`,
      `thread time a formula: ${each.first.toFixed(1)} µs in the first round, ${each.steady.toFixed(1)} µs steady`,
      `heap a formula: ${waiting.toFixed(0)} bytes while it waits, ${answered.toFixed(0)} bytes with its answer`,
      `computing: ${engine.busyMs.toFixed(0)} ms, the floor's ${floor.busyMs.toFixed(0)} ms`,
    ],
  );
}
