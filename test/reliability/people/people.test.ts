import { beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../people/people";
import { type Clock, installClock } from "../../truth/clock";
import type { JobName } from "../../truth/moving/jobs";
import { type MovingCase, playEachRequest } from "../../truth/moving/moving-case";
import { playFormulaRuntime } from "../../truth/runtime";
import type { Outcome } from "../outcomes";
import { expectOnPage, type Played } from "../page";

const titles: [JobName, string][] = [
  ["cells given up", "Import over cells"],
  ["new sheet", "Import on a new sheet"],
  ["beside a list in a table", "Import beside a list"],
  ["in place of an import", "Import in place of another"],
  ["refresh", "Refresh of an import"],
  ["change", "Change of an import"],
  ["freeze", "Freeze"],
  ["unfreeze", "Unfreeze"],
  ["formula written", "Formula written into a cell"],
];

/** Each thing that people do, one after the other where there are several. */
const faults: [string, Action[]][] = [
  ["Somebody types into the cells, before each request to Excel", ["type"]],
  [
    "A co-author sorts, inserts or deletes rows",
    ["insertRow", "sort", "deleteRow", "insertSheetRow", "deleteSheetRow"],
  ],
  [
    "A co-author inserts or deletes columns",
    ["insertColumn", "deleteColumn", "insertSheetColumn", "deleteSheetColumn"],
  ],
  ["A sheet or a table is renamed", ["renameSheet", "renameTable"]],
  ["A table is deleted, or made ordinary cells", ["deleteTable", "convertTable"]],
  ["Somebody types, and undoes it", ["undo"]],
];

const played: Played[] = faults.map(([fault]) => ({ fault, outcomes: [] }));

let clock: Clock;
beforeEach(() => {
  playFormulaRuntime();
  clock = installClock();
});

/** Which cell a sentence names depends on where somebody typed; what Excel's own words add to it, on the workbench. */
const sentenceOf = (sentence: string) =>
  sentence
    .replace(/(?:(?:'[^']+'|\w+)!\$?[A-Z]+\d+(?::[A-Z]+\d+)?(?:, | and )?)+(?:others|\d+ more)?/g, "B3")
    .replace(/ \([^()]*\)(?=”)/, "")
    .replace(/(RegData copy) [0-9a-f]{4}/, "$1")
    .replace(/\b(typed|own|Table|Renamed|Renamed_) ?\d+/g, "$1");

function outcomeOf({ outcome, sentences: given }: MovingCase): Outcome {
  const told = given.map(sentenceOf);
  const [sentence = ""] = told;
  if (outcome !== "done") return { is: "fails", sentence };
  return told.length > 0 ? { is: "partly", told } : { is: "right" };
}

describe.each(faults.map(([name, actions], index) => ({ name, actions, index })))(
  "$name",
  ({ actions, index }) => {
    it.each(titles)("%s", async (job) => {
      const cases = await playEachRequest(clock, job, actions);
      const lies = cases.flatMap(({ lie, story }) => (lie === null ? [] : [`${story.join(", ")}: ${lie}`]));
      const outcomes = new Map<string, Outcome>();
      for (const one of cases) {
        if (one.unmodelled.length > 0) continue;
        const outcome = outcomeOf(one);
        outcomes.set(JSON.stringify(outcome), outcome);
      }
      played[index]?.outcomes.push([...outcomes.values()]);
      expect(lies).toEqual([]);
    });
  },
);

it("stands in docs/reliability.md, no cell empty", async () => {
  for (const { fault, outcomes } of played) {
    expect(outcomes, fault).toHaveLength(titles.length);
    for (const outcome of outcomes) expect(outcome, fault).not.toEqual([]);
  }
  await expectOnPage(
    "people",
    titles.map(([, title]) => title),
    played,
  );
});
