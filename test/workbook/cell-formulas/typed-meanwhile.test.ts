import { describe, expect, it } from "vitest";
import { config } from "../../../src/config";
import type { Failure } from "../../../src/errors";
import { freezeFormulas, unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { frozenXml } from "../../../src/workbook/cell-formulas/frozen-formulas";
import { fingerprint } from "../../../src/workbook/sheet/values/fingerprint";
import { inTime } from "../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

const { namespace } = config;
const signal = new AbortController().signal;
const note = "Ann's note";

/** A formula that fills B1:B3, and one in D1. `onRequest` gets the number of earlier requests. */
async function openWithFormulas(onRequest: (requestsBefore: number) => void): Promise<PlayedExcel> {
  const excel = openExcel({ excelApi: "1.12", onRequest });
  excel.enter("A1", [["'06001"], ["'06037"], ["'06059"]]);
  excel.enter("B1", [["=REGDATA.VALUE(A1:A3, 1003)"]]);
  excel.enter("D1", [["=REGDATA.VALUE(A1, 1003)"]]);
  await inTime(excel.spreadsheet.idle());
  return excel;
}

const formulasOf = ({ app }: PlayedExcel) =>
  inTime(app.workbook.findFormulas("workbook", { namespace, canSeeSpills: true }));
const freeze = async (excel: PlayedExcel) =>
  inTime(
    freezeFormulas(await formulasOf(excel), excel.app.workbook, {
      ...{ canSeeDataTypes: false, signal },
      onProgress() {},
    }),
  );
const unfreeze = ({ app }: PlayedExcel) =>
  inTime(
    unfreezeFormulas("workbook", app.workbook, {
      ...{ signal, namespace, calls: app },
      onProgress() {},
    }),
  );

describe.each([
  ["frozen", () => Promise.resolve(), freeze],
  ["brought back", freeze, unfreeze],
] as const)("while formulas are %s", (_, prepare, work) => {
  it.each(["B1", "B2", "B3", "D1"])(
    "a note typed into %s at any request stays, whether the next request is refused or not",
    async (cell) => {
      for (const isRefused of [false, true]) {
        let hasTyped = true;
        for (let at = 0; hasTyped; at += 1) {
          hasTyped = false;
          let requests = 0;
          let typesAt = Infinity;
          const excel: PlayedExcel = await openWithFormulas(() => {
            requests += 1;
            if (requests !== typesAt) return;
            hasTyped = true;
            excel.enter(cell, [[note]]);
            if (isRefused) excel.fail(7000, 1, "workbook", 1);
          });
          await prepare(excel);
          typesAt = requests + 1 + at;
          const outcome = await work(excel).then(
            () => "done",
            (failure: { kind?: string }) => failure.kind,
          );
          const when = `request ${at}, the next one ${isRefused ? "refused" : "not refused"}`;
          expect(outcome, when).not.toBe("internal");
          if (hasTyped) expect(excel.values(cell), when).toEqual([[note]]);
          else expect(at).toBeGreaterThan(4);
        }
      }
    },
    120_000,
  );

  it.each([1, 2, 3])(
    "two notes typed where a formula fills cells, the other %s requests after the first, stay or are named, also where a column is inserted then",
    async (later) => {
      for (const isInserted of [false, true]) {
        let typed = 2;
        for (let at = 0; typed === 2; at += 1) {
          typed = 0;
          let request = -Infinity;
          const excel: PlayedExcel = await openWithFormulas(() => {
            request += 1;
            if (request !== at && request !== at + later) return;
            excel.enter(request === at ? "B2" : "B3", [[`${note} ${(typed += 1)}`]]);
            const isNow = isInserted && request === at + later;
            if (isNow) excel.spreadsheet.shift("sheet-1", { axis: "column", at: 0, by: 1 });
          });
          await prepare(excel);
          request = -1;
          const said = await work(excel).then(
            (told) => JSON.stringify(told),
            (failure: Failure) => failure.message,
          );
          const values = excel.values("A1:E3").flat();
          for (let nth = 1; nth <= typed; nth += 1) {
            const text = `${note} ${nth}`;
            expect(values.includes(text) || said.includes(text), `${text}, from request ${at}: ${said}`).toBe(
              true,
            );
          }
        }
      }
    },
    120_000,
  );
});

it("an unfreeze of a text with an apostrophe reports no more than Excel's refusal, whichever two requests Excel refuses", async () => {
  const text = "as adopted";
  for (let after = 0, isWritten = false; !isWritten; after += 1) {
    const excel = openExcel({ excelApi: "1.12" });
    const { workbook } = excel.app;
    excel.enter("A1", [[`'${text}`]]);
    const formula = '=REGDATA.VALUE("06001", 1003)';
    const frozen = {
      ...{ sheetId: "sheet-1", sheetName: "Sheet1", row: 0, column: 0, rows: 1, columns: 1, formula },
      ...{ shown: fingerprint([[text]]), numberFormats: "General" },
    };
    for (const xml of frozenXml({ atMs: 1, formulas: [frozen], unreadable: [] }))
      await inTime(workbook.writePart(null, xml));
    excel.fail(7000, 2, "workbook", after);
    const said = await unfreeze(excel).then(
      ({ left }) => left.map(({ reason }) => reason).join(),
      (failure: Failure) => failure.detail ?? "",
    );
    expect(said, `requests from ${after} on`).not.toMatch(/taken back|changed/);
    const [[cell] = []] = excel.cells("A1");
    isWritten = cell?.formula === formula;
    if (!isWritten) expect([cell?.value, cell?.formula]).toEqual([text, text]);
    // The requests that write, and the ones that check the cells, are among them.
    if (isWritten) expect(after).toBeGreaterThan(4);
    expect(after).toBeLessThan(30);
  }
}, 60_000);
