import { besideFloor } from "../play/beside-floor";
import { textsOf } from "../play/formulas";
import { fasterThanPeers, timesFloorAtMost } from "../goals";
import { runPeers } from "../peers/run-peers";
import { tally } from "../service/recorder";
import { readReferenceData } from "../service/reference-data";
import { finding } from "../result";
import type { Scenario } from "../scenario";
import { filledRange, spreadOverStates } from "../play/work";

/**
 * An import of 3,000 AHJs x the 53 residential types, up to the table that only has to be written. The AHJs are chosen in the pane, so
 * the engine and the peers know their ids; the peers plan no table.
 */
export const matrixPlan: Scenario = async (bench) => {
  const { credentials, progress } = bench;
  const { ahjs, residentialTypes } = await readReferenceData(credentials);
  const wanted = spreadOverStates(ahjs, 3_000);
  progress(`a matrix of ${wanted.length} x ${residentialTypes.length} and its floor, in turns`);
  const { engine, floor, sent, outcome } = await besideFloor(bench, (each) =>
    each.planMatrix(wanted, residentialTypes),
  );
  const { table, report } = outcome;
  if (table.rows.length !== wanted.length) throw new Error(`the table has ${table.rows.length} rows`);

  const asks = filledRange(wanted, residentialTypes);
  const known = new Map(wanted.map((ahj) => [ahj.geoid ?? "", ahj.id]));
  const answers = await textsOf(bench, asks);
  if (answers.filter((answer) => answer !== null).length !== report.values) {
    throw new Error(`the table has ${report.values} values, formulas say otherwise`);
  }
  const peers = await runPeers({ asks, known }, answers, credentials, progress);
  return finding(
    "matrix-plan",
    {
      size: asks.length,
      requests: sent.length,
      ms: engine.ms,
      floorMs: floor.ms,
      ratio: engine.ms / floor.ms,
      peers,
    },
    [timesFloorAtMost(2.5, engine, floor), fasterThanPeers(engine.ms, peers)],
    [
      `${report.values} values; requests: ${tally(sent)}`,
      `computing: ${engine.busyMs.toFixed(0)} ms, the floor's ${floor.busyMs.toFixed(0)} ms`,
    ],
  );
};
