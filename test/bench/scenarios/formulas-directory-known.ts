import { benchFormulas } from "../play/formulas";
import { bytesAtMost, fasterThanPeers, formulaTimeAtMost, requestsAtMost } from "../goals";
import { readReferenceData } from "../service/reference-data";
import type { Scenario } from "../scenario";
import { filledRange, spreadOverStates } from "../play/work";

/** The formulas of the cold start, asked once the directory has been read. The peers' user has the AHJ ids as well. */
export const formulasDirectoryKnown: Scenario = async (bench) => {
  const { ahjs, residentialTypes } = await readReferenceData(bench.credentials);
  const wanted = spreadOverStates(ahjs, 1_000);
  return benchFormulas(bench, {
    name: "formulas-directory-known",
    asks: filledRange(wanted, residentialTypes.slice(0, 10)),
    prepare: (engine) => engine.knowDirectory(),
    peersKnow: { known: new Map(wanted.map((ahj) => [ahj.geoid ?? "", ahj.id])) },
    goals: ({ engine, sent, each, waitingBytes }, peers) => [
      requestsAtMost(1, sent, "the directory is known"),
      formulaTimeAtMost({ first: 45, steady: 20 }, each),
      bytesAtMost(1_500, waitingBytes),
      fasterThanPeers(engine.ms, peers),
    ],
  });
};
