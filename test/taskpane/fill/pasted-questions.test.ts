import { expect, it } from "vitest";
import { createTypeFinder } from "../../../src/engine/lookup/search/find-types";
import { pastedLines, questionsIn } from "../../../src/taskpane/fill/types/pasted-questions";
import { connected } from "../../recorded-service";

it("a pasted list of questions, in lines or cells, gives each question once in its order, and names lines that name none", async () => {
  const finder = createTypeFinder(await connected("demo-national").lookup.catalogue.types());
  const lines = pastedLines(
    "electrical code\r\n minimum permit fee\n\nflying saucers\thow long does plan review take\nMinimum Permit Fee\n",
  );
  expect(lines).toHaveLength(5);
  const { types, notFound } = questionsIn(lines!, finder);
  expect(types.map(({ name }) => name)).toEqual([
    "Electrical Code in Force",
    "Minimum Permit Fee",
    "Residential Permit Review Time",
  ]);
  expect(notFound).toEqual(["flying saucers"]);
});

it("a single pasted line is a search", () => {
  expect(pastedLines("minimum permit fee\n")).toBeNull();
});
