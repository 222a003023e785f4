import { SheetFailure } from "../../../src/sheet-failure";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ShareReportView } from "../../../src/taskpane/share/ShareReportView";
import type { KeyCheck, ShareReport } from "../../../src/taskpane/share/share-control";

const check: KeyCheck = { found: [], cells: 12, unsearched: [], names: ["East"], tooShort: [] };
const oneCell = { row: 0, column: 0, rows: 1, columns: 1 };
const shown = (keys: KeyCheck, frozen: ShareReport["frozen"] = null) =>
  renderToStaticMarkup(
    createElement(ShareReportView, {
      report: { frozen, sources: null, keys },
      onGoTo: () => undefined,
    }),
  ).replace(/<[^>]*>/g, "|");

it("a search that finds no key says what it searched, and what it never searches", () => {
  const text = shown(check);
  expect(text).toMatch(
    /No key found in 12 cells, their formulas, .*names and XML parts\. Checked for\s+the keys of: East\./,
  );
  expect(text).toMatch(/RegData never checks notes, comments, document properties,/);
  expect(text).not.toContain("Not checked");
});

it("the sheets and parts that were not searched are told, with the reason", () => {
  const text = shown({ ...check, unsearched: ["Large, which has too many cells", "defined names"] });
  expect(text).toMatch(/Not checked, because .* refused .* too large:.*Large, which has.*defined names/);
});

it("a workbook is ready only without a key in it, with all formulas frozen, and with nothing left unchecked", () => {
  expect(shown(check)).toMatch(/\|Ready to share\|/);
  const place = { what: "", text: 0, cell: { sheetId: "1", sheetName: "Fees", ...oneCell } };
  expect(shown({ ...check, found: [place] })).toMatch(
    /Not ready yet.*Delete your key from the places below\./,
  );
  expect(shown({ ...check, unsearched: ["Large"] })).toMatch(/Ready to share, except for what/);
  const left = [{ sheetId: "1", sheetName: "Fees", ...oneCell, reason: "It is still waiting." }];
  expect(shown(check, { formulas: [], left, withoutValue: 0 })).toMatch(
    /Not ready yet.*See why 1 formula could not be frozen\..*choose Prepare again/,
  );
  expect(shown(check, new SheetFailure("cell-editing"))).toMatch(/Not ready yet/);
});
