import { benchFormulas } from "../play/formulas";
import { requestsAtMost, timesFloorAtMost } from "../goals";
import { csvExport } from "../peers/csv-export";
import { readReferenceData } from "../service/reference-data";
import type { Scenario } from "../scenario";
import { drawn, sparsePairs, spreadOverStates } from "../play/work";

/** 10,000 pairs drawn from all pairs of 1,000 AHJs and 300 types, with an empty cache. */
export const formulasSparse: Scenario = async (bench) => {
  const { ahjs, types } = await readReferenceData(bench.credentials);
  return benchFormulas(bench, {
    name: "formulas-sparse",
    asks: sparsePairs(spreadOverStates(ahjs, 1_000), drawn(types, 300), 10_000),
    goals: ({ engine, floor, sent }, peers) => {
      const best = peers
        .filter((peer) => peer.name !== csvExport.name)
        .reduce((fewest, peer) => (peer.requests < fewest.requests ? peer : fewest));
      return [
        requestsAtMost(best.requests, sent, `no more than ${best.name}`),
        timesFloorAtMost(2, engine, floor),
      ];
    },
  });
};
