import { describe, expect, it } from "vitest";
import {
  howItWasTakenBack,
  whatCanBeDone,
  whatItLeft,
  whatWasInterrupted,
} from "../../../src/taskpane/unfinished/sentences";
import type { UnfinishedWork } from "../../../src/workbook/work-note/unfinished-work";
import { clockTime } from "../../../src/errors";

const atMs = Date.parse("2026-03-12T12:00:00Z");
const when = `began at ${clockTime(atMs)} and was interrupted.`;
const table = {
  ...{ sheetId: null, sheetName: "Fees", row: 0, column: 0, rows: 2, columns: 2 },
  ...{ copyName: null, prints: null },
};
const importOf = (change: Partial<UnfinishedWork & { kind: "import" }> = {}): UnfinishedWork => ({
  ...{ kind: "import", importId: "1", name: "Fees", destination: "new-sheet", tables: [table] },
  ...change,
});

describe("the message about interrupted work", () => {
  it.each<[UnfinishedWork, string]>([
    [{ kind: "refresh", importId: "1", name: "Fees", newRows: [] }, `A refresh of the import “Fees” ${when}`],
    [
      {
        ...{ kind: "change", importId: "1", name: "Fees", types: [], typesBefore: [] },
        ...{ newAhjs: [], newColumns: [] },
      },
      `A change of the import “Fees” ${when}`,
    ],
    [importOf(), `The import “Fees” ${when}`],
    [importOf({ importId: "", name: "Changes" }), `Writing the sheet “Changes” ${when}`],
    [{ kind: "freeze", frozenAtMs: 1, formulas: 1 }, `Freezing 1 formula ${when}`],
    [{ kind: "unfreeze", areas: null, formulas: 1_200 }, `Unfreezing 1,200 formulas ${when}`],
  ])("names the work and when it began: %#", (work, sentence) => {
    expect(whatWasInterrupted({ work, atMs })).toBe(sentence);
  });

  it("quotes a name from the workbook, shortened, and with turned text kept within the quotes", () => {
    const name = `\u202egnp.exe ${"W".repeat(500)}`;
    const sentence = whatWasInterrupted({ work: importOf({ name }), atMs });
    expect(sentence).toMatch(/^The import “\u2068\ufffdgnp\.exe W+…\u2069” began at/);
    expect(sentence.length).toBeLessThan(140);
  });

  it("says that a colleague may be at work", () => {
    expect(whatItLeft({ work: importOf() })).toBe(
      "Some cells may be written and others not. If you share this workbook, a colleague may be doing it right now.",
    );
    expect(whatItLeft({ work: { kind: "unfreeze", areas: null, formulas: 1 } })).toMatch(
      /^Some formulas may be frozen and others not\./,
    );
  });

  it("names the ways to go on, if there are any", () => {
    const connected = { canTakeBack: false, isConnected: true };
    const refresh: UnfinishedWork = { kind: "refresh", importId: "1", name: "Fees", newRows: [] };
    expect(whatCanBeDone({ work: refresh }, connected)).toBe("");
    expect(whatCanBeDone({ work: refresh }, { ...connected, isConnected: false })).toBe(
      "Connect to finish it.",
    );
    expect(whatCanBeDone({ work: importOf() }, { ...connected, canTakeBack: true })).toMatch(/^Take back /);
    const overCells = importOf({
      destination: "beside",
      tables: [{ ...table, copyName: "RegData copy 1a2b" }],
    });
    expect(whatCanBeDone({ work: overCells }, connected)).toMatch(/^The hidden sheet has a copy/);
    expect(whatCanBeDone({ work: importOf() }, connected)).toMatch(/^Look at the sheet/);
  });

  it("names the rows that stayed, at most five of them", () => {
    const kept = [2, 3, 4, 5, 6, 7, 8].map((row) => `Fees!A${row}`);
    expect(howItWasTakenBack({ kept: [], withoutCopy: [] })).toBe("What was written was taken back.");
    expect(howItWasTakenBack({ kept, withoutCopy: [] })).toBe(
      "What was written was taken back. Somebody has changed 7 rows, which stayed as they are: Fees!A2, Fees!A3, Fees!A4, Fees!A5, Fees!A6 and 2 more.",
    );
    expect(howItWasTakenBack({ kept: [], withoutCopy: ["Fees"] })).toMatch(/^Nothing was taken back: /);
  });
});
