import { benchFormulas } from "../play/formulas";
import { fasterThanPeers, formulaTimeAtMost, requestsAtMost } from "../goals";
import { pageSize, readReferenceData } from "../service/reference-data";
import type { Scenario } from "../scenario";
import { drawn, filledRange } from "../play/work";

/** 10,000 formulas: 1,000 geoIDs of the state with the most AHJs x 10 types, with an empty cache. */
export const formulasOneStateCold: Scenario = async (bench) => {
  const { ahjs, ahjsByState, residentialTypes } = await readReferenceData(bench.credentials);
  const [state, ahjsOfState] = [...ahjsByState].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const pages = Math.ceil(ahjsOfState / pageSize);
  const wanted = drawn(
    ahjs.filter((ahj) => ahj.state_code === state),
    1_000,
  );
  return benchFormulas(bench, {
    name: "formulas-one-state-cold",
    asks: filledRange(wanted, residentialTypes.slice(0, 10)),
    peersKnow: { state },
    goals: ({ engine, sent, each }, peers) => [
      requestsAtMost(pages + 4, sent, `${state}'s ${pages} pages and 4`),
      formulaTimeAtMost({ first: 50, steady: 25 }, each),
      fasterThanPeers(engine.ms, peers),
    ],
  });
};
