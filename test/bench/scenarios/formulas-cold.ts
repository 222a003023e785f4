import { benchFormulas } from "../play/formulas";
import { fasterThanPeers, formulaTimeAtMost, requestsAtMost, timesFaster } from "../goals";
import { oneRequestEach } from "../peers/one-request-each";
import { pageSize, readReferenceData } from "../service/reference-data";
import type { Scenario } from "../scenario";
import { filledRange, spreadOverStates } from "../play/work";

/** 10,000 formulas: 1,000 geoIDs of all states x 10 types, with an empty cache. */
export const formulasCold: Scenario = async (bench) => {
  const { ahjs, ahjsInAll, residentialTypes } = await readReferenceData(bench.credentials);
  const pages = Math.ceil(ahjsInAll / pageSize);
  return benchFormulas(bench, {
    name: "formulas-cold",
    asks: filledRange(spreadOverStates(ahjs, 1_000), residentialTypes.slice(0, 10)),
    goals: ({ engine, sent, each }, peers) => [
      requestsAtMost(pages + 2, sent, `the directory's ${pages} pages and 2`),
      formulaTimeAtMost({ first: 65, steady: 45 }, each),
      fasterThanPeers(engine.ms, peers),
      ...peers
        .filter((peer) => peer.name === oneRequestEach.name)
        .map((peer) => timesFaster(50, engine.ms, peer)),
    ],
  });
};
