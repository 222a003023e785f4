import type { Answer, Ask } from "./ask";
import { besideFloor, type BesideFloor } from "./beside-floor";
import type { Engine } from "./engine";
import { runPeers } from "../peers/run-peers";
import type { PeerWork } from "../peers/peer";
import { tally } from "../service/recorder";
import { finding, type Finding, type Goal, type PeerResult } from "../result";
import type { Bench } from "../scenario";

/** A recalculation: every formula asks at once, as Excel calls them. */
export function askAll(engine: Engine, asks: readonly Ask[]): Promise<Answer[]> {
  return Promise.all(asks.map(({ geoid, typeId }) => engine.value(geoid, typeId)));
}

export interface FormulaBench {
  name: string;
  asks: readonly Ask[];
  /** Teaches the engine something before the clock starts. */
  prepare?: (engine: Engine) => Promise<void>;
  /** Knowledge that the peers' user has from the start. */
  peersKnow?: Omit<PeerWork, "asks">;
  goals(measured: BesideFloor<Answer[]>, peers: readonly PeerResult[]): Goal[];
}

/** Times formulas beside their floor and beside the peers. All are asked the same, and all must give the same answers. */
export async function benchFormulas(
  bench: Bench,
  { name, asks, prepare, peersKnow = {}, goals }: FormulaBench,
): Promise<Finding> {
  const { credentials, progress } = bench;
  progress(`${asks.length} formulas and their floor, in turns`);
  const measured = await besideFloor(bench, (engine) => askAll(engine, asks), prepare);
  const peers = await runPeers({ asks, ...peersKnow }, measured.outcome, credentials, progress);
  const { engine, floor, sent } = measured;
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
    goals(measured, peers),
    [
      `requests: ${tally(sent)}`,
      `computing: ${engine.busyMs.toFixed(0)} ms, the floor's ${floor.busyMs.toFixed(0)} ms`,
    ],
  );
}
