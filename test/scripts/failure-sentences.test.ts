import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { failuresFile, failuresPage } from "../../scripts/failure-sentences";

it("docs/failures.md has the sentence of each failure of the sources", async () => {
  const page = readFileSync(failuresFile, "utf8");
  expect(page, "docs/failures.md is out of date: npm run failures writes it").toBe(await failuresPage());
});

it("a sentence is found with its kind and file, and with marks for what is known at run time", async () => {
  const lines = (await failuresPage()).split("\n").map((line) => line.replaceAll(/\s+/g, " "));
  const has = (cells: readonly string[]) => lines.includes(`| ${cells.join(" | ")} |`);
  expect(
    has([
      "The column of AHJ ids, by which rows are found, is missing.",
      "`table-gone`",
      "`src/workbook/imports/saved/import-rows.ts`",
    ]),
  ).toBe(true);
  expect(
    has([
      "… may still be highlighted. Remove the fill by hand.",
      "`cells-not-found`",
      "`src/taskpane/refresh/marks-left.ts`",
    ]),
  ).toBe(true);
});
