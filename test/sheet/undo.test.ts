import { describe, expect, it } from "vitest";
import { createWorkbook } from "../../src/sheet/workbook";

describe("undo", () => {
  it.each([true, false])("takes one step for all that is done at once, where Excel can: %s", async (can) => {
    const options: Excel.RunOptions[] = [];
    const excel = {
      run(given: Excel.RunOptions, work: (context: object) => Promise<unknown>) {
        options.push(given);
        return work({});
      },
    };
    const asked: string[] = [];
    const workbook = createWorkbook(
      () => excel as unknown as typeof Excel,
      (version) => {
        asked.push(version);
        return can;
      },
    );
    expect(await workbook.run(() => Promise.resolve("done"))).toBe("done");
    expect(options).toEqual([{ delayForCellEdit: true, mergeUndoGroup: can }]);
    expect(asked).toEqual(["1.20"]);
  });
});
