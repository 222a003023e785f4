import { expect, it } from "vitest";
import { asFailure, Failure } from "../../../../src/errors";
import { playExcel } from "../../../functions/excel";
import { fee, importedBook } from "../imported-book";

playExcel();

it.each([
  ["of the values", "F1"],
  ["of the ids by which rows are found", "G1"],
])(
  "a header %s that is typed over at any request of a refresh is told as missing, and no value as changed that has not",
  async (_, address) => {
    const typedOver = `Fees!${address}`;
    const outcomes = new Set<string>();
    for (let at = 0, requests = Infinity; at < requests; at += 1) {
      let [text, header] = ["$45", ""];
      let [done, isRefreshing] = [0, false];
      const book = await importedBook(
        (object) => {
          const cell = object.values?.[fee];
          if (cell) cell.value = text;
        },
        {
          onRequest() {
            if (!isRefreshing) return;
            if (done === at) book.excel.enter(typedOver, [["Ann's header"]]);
            done += 1;
          },
        },
      );
      header = String(book.excel.values(typedOver)[0]![0]);
      // Two of the four jurisdictions have a fee.
      const shown = () => book.excel.values("Fees!F3:F4").flat();
      text = "$60";
      isRefreshing = true;
      const refreshed = await book.refresh().catch((thrown: unknown) => asFailure(thrown));
      isRefreshing = false;
      requests = done;
      // The refresh may have no way to begin.
      const report =
        refreshed instanceof Failure ? { changes: [], missingColumns: [header] } : refreshed.report;
      if (refreshed instanceof Failure) expect(refreshed.kind).toBe("table-gone");
      const isNew = shown().every((value) => value === 60);
      if (!isNew) expect([at, shown()]).toEqual([at, [45, 45]]);
      expect([at, report.changes.length]).toEqual([at, isNew ? 2 : 0]);
      if (!isNew) expect(report.missingColumns).toEqual([header]);
      expect(book.excel.values(typedOver)).toEqual([["Ann's header"]]);
      // Nobody has typed into the cells, so that they follow the service once the header is back.
      book.excel.enter(typedOver, [[header]]);
      text = "$75";
      const again = await book.refresh();
      expect([at, shown(), again.report.edited]).toEqual([at, [75, 75], []]);
      outcomes.add(isNew ? "new" : "as it was");
    }
    expect(outcomes).toEqual(new Set(["new", "as it was"]));
  },
);
