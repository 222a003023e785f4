import { expect, it } from "vitest";
import { config } from "../../../src/config";
import { unfreezeFormulas } from "../../../src/workbook/cell-formulas/freeze";
import { listFrozen } from "../../../src/workbook/cell-formulas/frozen-formulas";
import { playExcel } from "../../functions/excel";
import { killedAt } from "../../reliability/killed/death";
import { killedOperations } from "../../reliability/killed/interrupted";

playExcel();
const { namespace } = config;

it("formulas that were never frozen count as back, and are no longer kept as frozen", async () => {
  for (let at = 0; ; at += 1) {
    const { run } = killedOperations.freezing;
    const killed = await killedAt(run, { at, to: "Excel", carriedOut: "all" });
    if (killed.status === "over") throw new Error("All was frozen before that.");
    const { excel, inTime } = await killed.reopened();
    const { workbook } = excel.app;
    const kept = (await inTime(listFrozen(workbook, namespace))).parts.flatMap(({ formulas }) => formulas);
    if (kept.length === 0) continue;
    const unfrozen = await inTime(
      unfreezeFormulas("workbook", workbook, {
        ...{ namespace, calls: excel.app, onProgress() {} },
        signal: new AbortController().signal,
      }),
    );
    expect(unfrozen.left).toEqual([]);
    expect(unfrozen.back.map(({ formula }) => formula)).toEqual(kept.map(({ formula }) => formula));
    expect((await inTime(listFrozen(workbook, namespace))).parts).toEqual([]);
    return;
  }
});
