import { beforeEach, describe, expect, it } from "vitest";
import { type Clock, installClock } from "../../truth/clock";
import { type MovingCase, playEachRequest } from "../../truth/moving/moving-case";
import { playFormulaRuntime } from "../../truth/runtime";
import type { Outcome } from "../outcomes";
import { expectOnPage, type Played } from "../page";
import { peopleFaults, type PlayedJob, titles } from "./people-faults";

const played: Played[] = peopleFaults.map(({ name }) => ({ fault: name, outcomes: [] }));
const jobs = Object.entries(titles) as [PlayedJob, string][];

let clock: Clock;
beforeEach(() => {
  playFormulaRuntime();
  clock = installClock();
});

/** The sentence without the parts that vary: the cell in which somebody typed, and the workbench's additions to Excel's own words. */
const sentenceOf = (sentence: string) =>
  sentence
    .replace(/(?:(?:'[^']+'|\w+)!\$?[A-Z]+\d+(?::[A-Z]+\d+)?(?:, | and )?)+(?:others|\d+ more)?/g, "B3")
    .replace(/ \([^()]*\)(?=”)/, "")
    .replace(/(RegData copy) [0-9a-f]{4}/, "$1")
    .replace("it its formula", "its formula");

/** The user's outcome of a case. If the job is done and nothing is told, `playMoving` has checked the workbook for all typed texts. */
function outcomeOf({ outcome, sentences: given }: MovingCase): Outcome {
  const told = given.map(sentenceOf);
  if (outcome !== "done") return { is: "fails", sentence: told.join(" ") };
  return told.length > 0 ? { is: "partly", told } : { is: "right" };
}

const withoutCost = ({ requests: _, waitsS: __, more: ___, ...outcome }: Outcome) => outcome;

describe.each(peopleFaults.map((fault, index) => ({ ...fault, index })))(
  "$name, before each request to Excel",
  ({ things, then, expected, index }) => {
    it.each(jobs.map(([job, title]) => [title, job] as const))("%s", async (_, job) => {
      const cases = await playEachRequest(clock, job, { things, then });
      const wanted = (expected[job] ?? expected.all).map(withoutCost) as Outcome[];
      played[index]?.outcomes.push(wanted);
      expect(
        cases.flatMap(({ lie, story }) => (lie === null ? [] : [`${story.join(", ")}: ${lie}`])),
      ).toEqual([]);
      const came = cases.filter(({ unmodeled }) => unmodeled.length === 0).map(outcomeOf);
      expect(came).not.toEqual([]);
      // Chance decides which of the outcomes come, by the cell, row or column that is hit.
      for (const outcome of came) expect(wanted).toContainEqual(outcome);
    });
  },
);

it("stands in docs/reliability.md, no cell empty", async () => {
  for (const { fault, outcomes } of played) {
    expect(outcomes, fault).toHaveLength(jobs.length);
    for (const outcome of outcomes) expect(outcome, fault).not.toEqual([]);
  }
  await expectOnPage(
    "people",
    jobs.map(([, title]) => title),
    played,
  );
});
