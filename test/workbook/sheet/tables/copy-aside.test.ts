import { describe, expect, it } from "vitest";
import { copyAside, letGo } from "../../../../src/workbook/sheet/tables/copy-aside";
import { loadable } from "../played-sheet";

/** An Excel that refuses the requests with these numbers. */
function excelRefusing(...requests: number[]) {
  const log: string[] = [];
  let syncs = 0;
  const range = loadable({ copyFrom: () => log.push("copy") });
  const sheet = loadable({ id: "copy", getRangeByIndexes: () => range, delete: () => log.push("delete") });
  const context = {
    workbook: { worksheets: { add: () => sheet } },
    sync() {
      syncs += 1;
      return requests.includes(syncs) ? Promise.reject(new Error(`refused ${syncs}`)) : Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  return { context, range: range as unknown as Excel.Range, log };
}

describe("the hidden sheet with the overwritten cells", () => {
  it("is deleted if the copy is refused, and the reason is told", async () => {
    const { context, range, log } = excelRefusing(2, 3);
    await expect(copyAside(context, range)).rejects.toThrow("refused 2");
    expect(log).toEqual(["copy", "delete", "delete"]);
  });

  it("is deleted at the second try if Excel refuses the first", async () => {
    const { context, range, log } = excelRefusing(3);
    await letGo(context, await copyAside(context, range));
    expect(log).toEqual(["copy", "delete", "delete"]);
  });

  it("may stay if Excel does not delete it: the new cells have been written", async () => {
    const { context, range, log } = excelRefusing(3, 4);
    await letGo(context, await copyAside(context, range));
    expect(log).toEqual(["copy", "delete", "delete"]);
  });
});
