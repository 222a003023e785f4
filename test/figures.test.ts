import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { endpoints } from "../src/engine/api/endpoints";
import { config } from "../src/config";
import { allFailureKinds } from "../src/sheet-failure-kinds";
import { registeredFunctions } from "../src/workbook/formula-text/formula-examples";

const read = (file: string) =>
  readFileSync(resolve(import.meta.dirname, "..", file), "utf8").replaceAll(/\s+/g, " ");
const grouped = (figure: number) => figure.toLocaleString("en-US");

/** How documents say a time, if they say it in words. */
const inWords: Record<number, string> = {
  86_400_000: "a day",
  60_000: "a minute",
  3_600_000: "an hour",
  14: "fourteen",
};
const words = (figure: number) => inWords[figure] ?? "no words for this figure";

/** The longest window of the limit, without the hour that is added for clocks that differ. */
const longestWindow = words(config.longestWindowMs - 3_600_000).replace("a ", "");

/** The sentences that spell a figure out, by their documents. `#` stands for the figure. A changed figure changes each of them. */
const spelled: [figure: string, sentence: string, files: string[]][] = [
  [
    grouped(config.precedentCells),
    "follows its references through the formulas of this workbook, at most # cells",
    ["docs/guide.md"],
  ],
  [grouped(config.precedentCells), "of at most # cells.", ["src/help/pages/jobs/citations.html"]],
  [
    words(config.answerAgeMs),
    "Answers are kept on this device for #, or as long as",
    ["src/help/pages/limits.html"],
  ],
  [words(config.answerAgeMs), "kept for # or as long as you choose under", ["docs/guide.md"]],
  [
    words(config.answerAgeMs),
    "**Answers are kept** on your device, # unless you choose otherwise",
    ["README.md"],
  ],
  [
    words(config.directoryAgeMs),
    "Catalogue, directory and collections are read once # for all formulas",
    ["docs/architecture.md"],
  ],
  [words(config.directoryAgeMs), "for the questions and their categories, once #", ["docs/guide.md"]],
  [words(config.directoryAgeMs), "the list of questions, once #", ["docs/privacy.md"]],
  [grouped(config.pageSize), "pages of # and kept for", ["docs/guide.md"]],
  [grouped(config.matrixCells), "starts at # cells, halves after a refusal", ["docs/interface.md"]],
  [grouped(config.matrixCells), "we start at #.", ["docs/performance.md"]],
  [grouped(config.matrixCells), "because matrices start at # cells and double", ["docs/scale.md"]],
  [grouped(config.mostMatrixCells), "cells, doubled up to #", ["docs/scale.md"]],
  [grouped(config.openingRequests), "looks for changes, the most that it sends: #", ["docs/scale.md"]],
  [words(config.answerAgeMs), "answers are kept for #, in memory", ["docs/scale.md"]],
  [grouped(config.cellCharacters), "A text of more than # characters is", ["docs/excel-rules.md"]],
  [words(registeredFunctions.length), "**Formulas:** [#](docs/guide.md#formulas)", ["README.md"]],
  [words(registeredFunctions.length), "with a page for each of the #:", ["docs/guide.md"]],
  [words(registeredFunctions.length), "`=REGDATA.` offers #;", ["docs/excel-checklist.md"]],
  [words(Object.keys(endpoints).length), "The relay passes on the # endpoints", ["docs/security.md"]],
  [
    words(Object.keys(endpoints).length),
    "the # endpoints",
    ["deployment/relay.ts", "src/engine/api/endpoints.ts"],
  ],
  [words(Object.keys(endpoints).length), "the service's # endpoints", ["deployment/nginx.conf.template"]],
  [longestWindow, "per minute, hour and #", ["docs/guide.md", "src/help/pages/limits.html"]],
  [
    longestWindow,
    "per minute, hour and #",
    ["src/taskpane/settings/SettingsScreen.tsx", "reference-service/options.ts"],
  ],
];

it.each(spelled)("%s: “%s”, as %s says", (figure, sentence, files) => {
  for (const file of files) expect(read(file), file).toContain(sentence.replace("#", figure));
});

it("the failure of a table that is too large names Excel's limits", () => {
  const { sentence } = allFailureKinds["too-large"];
  for (const figure of [config.sheetRows, config.sheetColumns, config.formulaCells])
    expect(sentence).toContain(grouped(figure));
});
