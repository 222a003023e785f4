import { describe, expect, it } from "vitest";
import { addFilledSheet } from "../../../../src/workbook/sheet/tables/filled-sheet";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";

playExcel();

const row = (text: string) => [
  { value: `'${text}`, numberFormat: "General" },
  { value: "=1+1", numberFormat: "General" },
];
/** Three rows that take two requests. */
const rows = [
  row("06001"),
  row("x".repeat(32_000)),
  ...Array.from({ length: 40 }, () => row("y".repeat(32_000))),
];
const names = ({ spreadsheet }: PlayedExcel) => spreadsheet.sheets().map(({ name }) => name);

/** Adds a sheet whose second part Excel refuses. Something happens `meanwhile`, between the two parts. */
async function addRefused(meanwhile: (excel: PlayedExcel, sheetId: string) => void) {
  let request = 0;
  const excel: PlayedExcel = openExcel({
    onRequest() {
      // The first requests look for protection, names and the sheet in front, add the sheet and write the first part.
      if (++request === 6) meanwhile(excel, excel.spreadsheet.sheets()[1]!.id);
    },
  });
  excel.fail(7000, 1, "workbook", 5);
  const failure = await inTime(
    excel.app.workbook
      .run((context) => addFilledSheet(context, { name: "Fees", rows }, () => undefined))
      .then(
        () => null,
        (thrown: unknown) => thrown as Error,
      ),
  );
  return { excel, failure };
}

describe("a new sheet that can't be filled", () => {
  it("is deleted again", async () => {
    const { excel, failure } = await addRefused(() => undefined);
    expect(failure).toMatchObject({ kind: "not-permitted" });
    expect(names(excel)).toEqual(["Sheet1"]);
  });

  it("is found though somebody has renamed it, and a sheet that has got its name stays", async () => {
    const { excel } = await addRefused(({ spreadsheet }, sheetId) => {
      spreadsheet.renameSheet(sheetId, "Mine now");
      spreadsheet.addSheet("Fees");
    });
    expect(names(excel)).toEqual(["Sheet1", "Fees"]);
  });

  it.each(["row", "column"] as const)(
    "is deleted again though somebody has inserted a %s among its cells",
    async (axis) => {
      const { excel } = await addRefused(({ spreadsheet }, sheetId) => {
        spreadsheet.shift(sheetId, { axis, at: 1, by: 1 });
      });
      expect(names(excel)).toEqual(["Sheet1"]);
    },
  );

  it("leaves what somebody types there before it is filled", async () => {
    let request = 0;
    const excel: PlayedExcel = openExcel({
      onRequest() {
        if (++request === 5) excel.enter("Fees!A1", [["a note of mine"]]);
      },
    });
    const adding = excel.app.workbook.run((context) =>
      addFilledSheet(context, { name: "Fees", rows }, () => undefined),
    );
    await expect(inTime(adding)).rejects.toThrow("they were left as they are: Fees!A1.");
    expect(excel.values("Fees!A1:B2").flat()).toEqual(["a note of mine", "", "", ""]);
  });

  it("stays with what somebody has written on it, which the failure names", async () => {
    const { excel, failure } = await addRefused((there) => there.enter("Fees!D2", [["a note of mine"]]));
    expect(names(excel)).toEqual(["Sheet1", "Fees"]);
    expect(excel.values("Fees!D2")).toEqual([["a note of mine"]]);
    expect(failure?.message).toContain("they were left as they are: Fees!D2.");
  });
});
