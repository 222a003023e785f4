/** The conditions that several benches share, each with a reason for a miss that is computed from the numbers. */
import { csvExport } from "./peers/csv-export";
import { type SentRequest, tally } from "./service/recorder";
import type { Goal, PeerResult } from "./result";
import type { Timing } from "./timing";

export function requestsAtMost(most: number, sent: readonly SentRequest[], why: string): Goal {
  return {
    text: `at most ${most} requests (${why})`,
    met: sent.length <= most,
    miss: `${sent.length} requests, ${sent.length - most} more than ${most}: ${tally(sent)}.`,
  };
}

export function timesFloorAtMost(most: number, engine: Timing, floor: Timing): Goal {
  const ratio = engine.ms / floor.ms;
  const [computing, waiting] = [engine.busyMs - floor.busyMs, waitingMs(engine) - waitingMs(floor)];
  return {
    text: `at most ${most} x the floor`,
    met: ratio <= most,
    miss:
      `${ratio.toFixed(2)} x the floor: ${inParts(engine)}, against ${inParts(floor)}. ` +
      (computing > waiting
        ? "It is the computing."
        : "It is the waiting: for the collecting window, for pages that must come first, for a turn."),
  };
}

function waitingMs({ ms, busyMs }: Timing): number {
  return ms - busyMs;
}

function inParts(timing: Timing): string {
  return `${timing.busyMs.toFixed(0)} ms of computing and ${waitingMs(timing).toFixed(0)} ms of waiting`;
}

/** The most time of the thread that a formula may take, in microseconds: in the first round of a process, and once the compiler is warm. */
export interface FormulaTime {
  first: number;
  steady: number;
}

export function formulaTimeAtMost(most: FormulaTime, rounds: FormulaTime): Goal {
  const figures = ({ first, steady }: FormulaTime) => `${first.toFixed(1)} / ${steady.toFixed(1)} µs`;
  return {
    text: `at most ${most.first} / ${most.steady} µs of the thread a formula, first round / steady`,
    met: rounds.first <= most.first && rounds.steady <= most.steady,
    miss: `${figures(rounds)} a formula.`,
  };
}

/** `waiting`: the heap that a formula takes while it waits for its answer. */
export function bytesAtMost(most: number, waiting: number): Goal {
  return {
    text: `at most ${most.toLocaleString("en-US")} bytes for a formula that waits`,
    met: waiting <= most,
    miss: `${waiting.toFixed(0)} bytes for a formula that waits.`,
  };
}

/** The CSV export is left out of the comparison, because it drops jurisdictions without a word. */
export function fasterThanPeers(ms: number, peers: readonly PeerResult[]): Goal {
  const ahead = peers.filter((peer) => peer.ms <= ms && peer.name !== csvExport.name);
  return {
    text: "faster than every peer that answers formulas",
    met: ahead.length === 0,
    miss: `${ms.toFixed(0)} ms, where ${ahead.map((peer) => `${peer.name} takes ${peer.ms.toFixed(0)} ms`).join(" and ")}.`,
  };
}

export function timesFaster(times: number, ms: number, peer: PeerResult): Goal {
  return {
    text: `${times} x faster than ${peer.name}`,
    met: peer.ms >= times * ms,
    miss: `${(peer.ms / ms).toFixed(1)} x faster than ${peer.name}: ${ms.toFixed(0)} against ${peer.ms.toFixed(0)} ms.`,
  };
}
