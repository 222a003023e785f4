import { describe, expect, it } from "vitest";
import { withOperator } from "../../../src/taskpane/fill/find/condition-draft";
import { playExcel } from "../../functions/excel";
import { openFind, storage } from "./opened-find";

playExcel();

const nevada = { kind: "states", states: ["NV"] } as const;

describe("the conditions of a find", () => {
  it("are at most fifty", async () => {
    const { control, state } = await openFind();
    for (let pressed = 0; pressed < 60; pressed += 1) control.addCondition();
    expect(state().drafts).toHaveLength(50);
  });

  it("leave an empty one when the last one is removed, and each further one is its own", async () => {
    const { control, write, state } = await openFind();
    write(storage.fee, "at-most", "300");
    control.removeCondition(state().drafts[0]!.id);
    expect(state().drafts).toMatchObject([{ type: null, searchText: "", operands: ["", ""] }]);
    control.addCondition();
    control.addCondition();
    write(storage.fee, "at-most", "300");
    expect(state().drafts.map(({ operands: [first] }) => first)).toEqual(["", "", "300"]);
    control.removeCondition(state().drafts[2]!.id);
    expect(state().drafts).toHaveLength(2);
  });

  it("give no result once none of them is left", async () => {
    const { control, write, run, state } = await openFind();
    control.lookWithin(nevada);
    write(storage.fee, "at-most", "300");
    await run();
    expect(state().result).not.toBeNull();
    control.removeCondition(state().drafts[0]!.id);
    expect(state().result).toBeNull();
    expect(control.take(true)).toBeNull();
  });

  it("give no result while one of them can't be used, beside another that can", async () => {
    const { control, write, writeAll, run, state } = await openFind();
    control.lookWithin(nevada);
    writeAll([
      [storage.moratorium, "is-no"],
      [storage.fee, "at-most", "300"],
    ]);
    await run();
    expect(state().result).not.toBeNull();
    write(storage.fee, "at-most", "cheap");
    expect([...state().problems.keys()]).toEqual([state().drafts[1]!.id]);
    expect(state().result).toBeNull();
  });

  it("stay with an import that may have jurisdictions that are not known, if there are none", async () => {
    const { control, write, run, state, counts } = await openFind();
    control.lookWithin(nevada);
    write(storage.fee, "has-value");
    await run();
    control.changeCondition(withOperator(state().drafts[0]!, "no-value"));
    expect(counts()).toMatchObject({ "not-known": 0 });
    expect(control.take(true)?.find).toMatchObject({
      conditions: [{ operator: "no-value" }],
      within: nevada,
    });
  });
});
