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
    /No key found in 12 cells, their formulas, .*Name Manager.* and hidden data\. Checked for\s+the keys of: East\./,
  );
  expect(text).toMatch(/RegData never checks notes, comments, document properties,/);
  expect(text).not.toContain("Not checked");
});

it("the sheets and parts that were not searched are told, with the reason", () => {
  const text = shown({ ...check, unsearched: ["Large, which has too many cells", "defined names"] });
  expect(text).toMatch(
    /Not checked, because Excel did not show it or it is too large:.*Large, which has.*defined names/,
  );
});

it("a key that is too short to be found is told with the reason", () => {
  expect(shown({ ...check, tooShort: ["Test"] })).toMatch(
    /Not looked for, because so short a key may be a part of other words: the key of Test\./,
  );
});

it("says why there is no Sources sheet, and what to do", () => {
  const sources = { address: null, earlier: [], values: 0, lacking: [], unread: [] };
  const report = { frozen: null, sources, keys: check };
  const text = renderToStaticMarkup(createElement(ShareReportView, { report, onGoTo: () => undefined }));
  expect(text).toContain(
    "No Sources sheet was written: this device has not fetched the imported values, so it can’t say where they come from. Choose Refresh all on Imports, then Prepare again.",
  );
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

it("a Sources sheet that was not written because of a key is told, with the sheets that stay beside a new one", () => {
  const words = (report: ShareReport) =>
    renderToStaticMarkup(createElement(ShareReportView, { report, onGoTo: () => undefined })).replace(
      /<[^>]*>/g,
      "|",
    );
  const place = { what: "", text: 0, cell: { sheetId: "1", sheetName: "Fees", ...oneCell } };
  expect(words({ frozen: null, sources: "not yet", keys: { ...check, found: [place] } })).toMatch(
    /Not ready yet.*The Sources sheet was not written yet\. Delete your key from the places below\..*choose Prepare again/,
  );
  const sources = {
    address: "'Sources 2'!A1:H4",
    earlier: ["Sources!A1:H4"],
    values: 3,
    lacking: [],
    unread: [],
  };
  expect(words({ frozen: null, sources, keys: check })).toMatch(
    /Ready to share.*at &#x27;Sources 2&#x27;!A1:H4\..*Earlier Sources sheets stay, because somebody may have edited them:.*Sources!A1:H4/,
  );
});
