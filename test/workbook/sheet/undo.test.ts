import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/errors";
import { createWorkbook } from "../../../src/workbook/sheet/workbook";
import { pass, playExcel } from "../../functions/excel";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";

describe("one step of undo", () => {
  /** An Excel that refuses a group, or everything, with this code. */
  function excelRefusing(code: string | null, isAsked: (options: Excel.RunOptions) => boolean) {
    const options: Excel.RunOptions[] = [];
    const excel = {
      run(given: Excel.RunOptions, work: (context: object) => Promise<unknown>) {
        options.push(given);
        const refusal = Object.assign(new Error("refused"), { code });
        return code !== null && isAsked(given) ? Promise.reject(refusal) : work({});
      },
    };
    return {
      options,
      workbook: createWorkbook(
        () => excel as unknown as typeof Excel,
        () => true,
      ),
    };
  }
  const alone = { delayForCellEdit: true };
  const grouped = { delayForCellEdit: true, mergeUndoGroup: true };
  const isGroup = ({ mergeUndoGroup }: Excel.RunOptions) => mergeUndoGroup === true;

  it("is asked for if the work neither adds, hides nor deletes a sheet", async () => {
    const { options, workbook } = excelRefusing(null, isGroup);
    expect(await workbook.runAsOneStep(() => Promise.resolve("done"))).toBe("done");
    expect(await workbook.run(() => Promise.resolve("done"))).toBe("done");
    expect(options).toEqual([grouped, alone]);
  });

  it("is left out if Excel can't undo the work as a group", async () => {
    const { options, workbook } = excelRefusing("UndoNotSupported", isGroup);
    expect(await workbook.runAsOneStep(() => Promise.resolve("done"))).toBe("done");
    expect(options).toEqual([grouped, alone]);
  });

  it("is not tried again after any other refusal", async () => {
    const { options, workbook } = excelRefusing("GeneralException", isGroup);
    await expect(workbook.runAsOneStep(() => Promise.resolve())).rejects.toMatchObject({
      kind: "sheet-refused",
    });
    expect(options).toEqual([grouped]);
  });

  it("is not asked for if Excel knows no groups", async () => {
    const asked: string[] = [];
    const options: Excel.RunOptions[] = [];
    const excel = { run: (given: Excel.RunOptions) => Promise.resolve(options.push(given)) };
    const workbook = createWorkbook(
      () => excel as unknown as typeof Excel,
      (version) => {
        asked.push(version);
        return false;
      },
    );
    await workbook.runAsOneStep(() => Promise.resolve());
    expect(options).toEqual([alone]);
    expect(asked).toEqual(["1.20"]);
  });
});

describe("a refusal of Excel", () => {
  it.each([
    ["InvalidSelection", "no-cells-selected", /separate areas, a chart or a picture/],
    ["UndoNotSupported", "not-undoable", /could not be undone/],
    ["RequestPayloadSizeLimitExceeded", "too-much-at-once", /more than Excel can handle.*Choose fewer/],
    ["ResponsePayloadSizeLimitExceeded", "too-much-at-once", /more than Excel can handle/],
    ["InvalidOperationInCellEditMode", "cell-editing", /A cell is being edited.*Press Enter or Esc/],
    ["AccessDenied", "not-permitted", /protected, or the workbook read-only/],
    ["ActivityLimitReached", "sheet-refused", /Excel refused this\. Excel says: “refused”/],
  ])("%s is told in a sentence of its own", async (code, kind, sentence) => {
    const excel = { run: () => Promise.reject(Object.assign(new Error("refused"), { code })) };
    const workbook = createWorkbook(
      () => excel as unknown as typeof Excel,
      () => false,
    );
    const failure = await workbook.run(() => Promise.resolve()).catch((thrown: unknown) => thrown as Failure);
    expect(failure).toMatchObject({ kind, cause: { code } });
    expect((failure as Failure).message).toMatch(sentence);
  });
});

describe("Excel with ExcelApi 1.20", () => {
  playExcel();

  it("plays groups: a call without undo is refused in a group, and empties the user's undo list outside of one", async () => {
    const { undoStackCleared, spreadsheet } = openExcel({ excelApi: "1.20" });
    const remove = (mergeUndoGroup: boolean) =>
      inTime(
        Excel.run({ mergeUndoGroup }, async (context) => {
          const sheet = context.workbook.worksheets.add("More");
          await context.sync();
          sheet.delete();
          await context.sync();
        }),
      );
    await expect(remove(true)).rejects.toMatchObject({ code: "UndoNotSupported" });
    expect(spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1", "More"]);
    expect(undoStackCleared()).toBe(0);
    spreadsheet.deleteSheet(spreadsheet.sheets()[1]?.id ?? "");
    await remove(false);
    expect(spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1"]);
    expect(undoStackCleared()).toBe(1);
  });

  it.each([
    ["web", undefined],
    ["desktop", "UndoNotSupported"],
  ] as const)("hides a sheet in a group on the %s with %s", async (undo, code) => {
    openExcel({ excelApi: "1.20", undo });
    const hide = Excel.run({ mergeUndoGroup: true }, async (context) => {
      context.workbook.worksheets.add("More").visibility = "Hidden";
      await context.sync();
    });
    const refused = await inTime(
      hide.then(
        () => undefined,
        (thrown: { code: string }) => thrown.code,
      ),
    );
    expect(refused).toBe(code);
  });

  it("refuses a write in a group that office.js cuts into pieces (OfficeDev/office-js#6491), and the add-in writes it without", async () => {
    const { app, values } = openExcel({ excelApi: "1.20" });
    const rows = Array.from({ length: 40 }, (_, row) =>
      Array.from({ length: 40 }, (_, column) => row * column),
    );
    const write = async (context: Excel.RequestContext) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange("A1:AN40").values = rows;
      await context.sync();
    };
    await expect(inTime(Excel.run({ mergeUndoGroup: true }, write))).rejects.toMatchObject({
      code: "UndoNotSupported",
    });
    expect(values("AN40")).toEqual([[""]]);
    await inTime(app.workbook.runAsOneStep(write));
    expect(values("AN40")).toEqual([[39 * 39]]);
    await pass(0);
  });

  it("has no groups before 1.20: the option is ignored", async () => {
    const { spreadsheet, undoStackCleared } = openExcel({ excelApi: "1.19" });
    await inTime(
      Excel.run({ mergeUndoGroup: true }, async (context) => {
        context.workbook.worksheets.add("More").delete();
        await context.sync();
      }),
    );
    expect(spreadsheet.sheets()).toHaveLength(1);
    expect(undoStackCleared()).toBe(0);
  });
});
