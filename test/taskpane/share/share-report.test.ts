import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ShareReportView } from "../../../src/taskpane/share/ShareReportView";
import type { KeyCheck } from "../../../src/taskpane/share/use-share";

const check: KeyCheck = { found: [], cells: 12, unsearched: [], names: ["East"], tooShort: [] };
const shown = (keys: KeyCheck) =>
  renderToStaticMarkup(
    createElement(ShareReportView, {
      report: { frozen: null, sources: null, keys },
      onGoTo: () => undefined,
    }),
  ).replace(/<[^>]*>/g, "|");

it("a search that finds no key says what it searched, and what it never searches", () => {
  const text = shown(check);
  expect(text).toMatch(
    /No key found in 12 cells, their formulas, .*names and XML parts\. Looked for: East\./,
  );
  expect(text).toMatch(/RegData never searches notes, comments, document properties,/);
  expect(text).not.toContain("Not searched");
});

it("the sheets and parts that were not searched are told, with the reason", () => {
  const text = shown({ ...check, unsearched: ["Large, which has too many cells", "defined names"] });
  expect(text).toMatch(/Not searched, because .* refused .* too large:.*Large, which has.*defined names/);
});
