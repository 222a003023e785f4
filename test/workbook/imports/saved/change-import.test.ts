import { describe, expect, it, vi } from "vitest";
import { canChange, changedTypes, rebased } from "../../../../src/workbook/imports/saved/change-import";
import { createGate } from "../../../../src/async/gate";
import { lossesOf } from "../../../../src/workbook/imports/saved/losses";
import { firstRows } from "../../../../src/workbook/imports/run/run-import";
import type { ImportData } from "../../../../src/workbook/imports/run/import-types";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import { planTable, plainForm } from "../../../../src/workbook/sheet/layout/table-plan";

const type = (id: number, name = `Type ${id}`) => ({ id, name, unit_of_measure: "USD" });
const ahj = (id: number) => ({ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid: `06${id}` });

/** An import of these types, as the workbook remembers it. */
function saved(types: ReturnType<typeof type>[], change: Partial<SavedImport> = {}): SavedImport {
  const form = change.form ?? plainForm;
  return {
    ...{
      id: "1",
      name: "Fees",
      tableId: "t",
      service: "https://service.test",
      collection: null,
      form,
      types,
    },
    columns: planTable({ ahjs: [], types, of: () => null }, form).columns,
    lastRun: { atMs: 0, rows: 0, values: 0, notRefreshed: 0 },
    ...change,
  };
}

describe("an import that is changed", () => {
  it("is a matrix with a row for each jurisdiction", () => {
    expect(canChange(saved([type(1)]))).toBe(true);
    expect(canChange(saved([type(1)], { collection: { id: "c", name: "Fees" } }))).toBe(false);
    expect(canChange(saved([type(1)], { form: { layout: "long", hasCitations: false } }))).toBe(false);
  });

  it("keeps a colleague's additions meanwhile, and does without what the colleague has removed", () => {
    const was = { types: [type(1), type(2), type(3)] };
    const now = { types: [type(3), type(2), type(4)] };
    const change = { types: [type(1), type(3), type(5), type(4)], newAhjs: [ahj(7)] };
    expect(rebased(change, was, now)).toEqual({ types: [type(3), type(4), type(5)], newAhjs: [ahj(7)] });
  });

  it("loses the columns of types that go, and gets columns of new types, under headers that are free", () => {
    const before = saved([type(1), type(2)]);
    const headers = [...before.columns.map(({ header }) => header), "Type 3", "Mine"];
    const added = { ...type(3), description: "more than is kept" };
    const {
      saved: after,
      newColumns,
      goneColumns,
    } = changedTypes(before, { types: [type(2), added] }, headers);
    expect(goneColumns).toEqual(["Type 1"]);
    expect(newColumns).toHaveLength(1);
    expect(newColumns[0]).toMatch(/^Type 3.+/);
    expect(after.types).toEqual([type(2), type(3)]);
    expect(
      after.columns.map(({ content }) => (content.of === "answer" ? content.typeId : content.of)),
    ).toEqual(["ahj", "ahj", "ahj", "ahj", 2, 3, "ahj"]);
    expect(changedTypes(before, { types: [type(1), type(2)] }, headers)).toMatchObject({
      newColumns: [],
      goneColumns: [],
    });
  });
});

describe("the warning before an import's table is replaced", () => {
  it("names columns and rows that are the user's own", async () => {
    const before = saved([type(1)]);
    const headers = [...before.columns.map(({ header }) => header), "Mine"];
    const id = headers.at(-2) ?? "";
    const read = vi.fn(() =>
      Promise.resolve({
        rowCount: 5,
        headers,
        columns: new Map([[id, { values: [7, "8", "", "note", 0], numberFormats: [] }]]),
      }),
    );
    const describeTable = () => Promise.resolve({ address: "A1", rows: 6, headers });
    expect(await lossesOf(before, { workbook: { describeTable }, tables: { read } })).toEqual({
      address: "A1",
      rows: 6,
      columns: headers.length,
      headers,
      ownColumns: ["Mine"],
      ownRows: 3,
    });
    expect(read).toHaveBeenCalledWith("t", [id]);
  });

  it("finds the column of jurisdictions' ids, wherever it stands among the import's", async () => {
    const before = saved([type(1)]);
    const inOrder = ["type id", "ahj name", "ahj id"].map((header) => {
      const [of, field] = header.split(" ");
      return { header, content: { of, field } };
    }) as SavedImport["columns"];
    const describeTable = () => Promise.resolve({ address: "A1", rows: 5, headers: [] });
    const ownRows = async (columns: SavedImport["columns"], ids: unknown[] | null) => {
      const cells = (values: unknown[]) => ({ values, numberFormats: [] });
      const shown = new Map([
        ["type id", cells([1, 1, 1, 1, 1])],
        ["ahj name", cells(["", "", "", "", ""])],
        ...(ids ? [["ahj id", cells(ids)] as const] : []),
      ]);
      const read = (_: string, headers: readonly string[]) =>
        Promise.resolve({
          rowCount: 5,
          headers: [],
          columns: new Map([...shown].filter(([header]) => headers.includes(header))),
        });
      const { ownRows } = await lossesOf(
        { ...before, columns },
        { workbook: { describeTable }, tables: { read } },
      );
      return ownRows;
    };
    expect(await ownRows(inOrder, [7, 8, 9, "mine", 10])).toBe(1);
    expect(await ownRows(inOrder, null)).toBe(0);
    expect(await ownRows(inOrder.slice(0, 2), [7, 8, 9, "mine", 10])).toBe(0);
  });
});

describe("the written part of an import", () => {
  const ahjs = [ahj(1), ahj(2), ahj(3)];
  const types = [type(1), type(2)];
  const values = new Map([
    ["1 1", "$1"],
    ["1 2", "$2"],
    ["2 1", "$3"],
    ["3 2", "$4"],
  ]);
  const whole = {
    answers: {
      ahjs,
      types,
      of: (ahjId: number, typeId: number) => {
        const value = values.get(`${ahjId} ${typeId}`);
        return value === undefined
          ? null
          : { value, reference: null, section: null, updatedAt: null, fetchedAtMs: 0 };
      },
    },
    report: {
      ...{ rows: 3, values: 4, leftOut: [], notRead: [ahj(9)], unknownTypes: [], missingValues: 0 },
      withoutValue: [
        { type: types[0], ahjs: [ahj(3)] },
        { type: types[1], ahjs: [ahj(2), ahj(3)] },
      ],
      oldAnswers: null,
    },
  } as unknown as ImportData;

  it("is the jurisdictions whose rows are all there, with the report of those", () => {
    const part = firstRows(whole, "wide", 2);
    expect(part?.answers.ahjs).toEqual([ahj(1), ahj(2)]);
    expect(part?.report).toMatchObject({
      rows: 2,
      values: 3,
      withoutValue: [{ type: types[1], ahjs: [ahj(2)] }],
      notRead: [ahj(9), ahj(3)],
    });
    // The first jurisdiction has two rows in a long table, and only one of them was written.
    expect(firstRows(whole, "long", 1)).toBeNull();
    expect(firstRows(whole, "long", 2)?.answers.ahjs).toEqual([ahj(1)]);
  });

  it("is all of the import or nothing at the ends", () => {
    expect(firstRows(whole, "wide", 0)).toBeNull();
    expect(firstRows(whole, "wide", 3)?.report).toMatchObject({ rows: 3, values: 4, notRead: [ahj(9)] });
  });
});

describe("an import that is paused", () => {
  const settled = async (work: Promise<unknown>) => {
    let outcome: unknown = "waiting";
    void work.then(
      () => (outcome = "passed"),
      (thrown: unknown) => (outcome = thrown),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    return outcome;
  };

  it("waits as a whole while the gate is closed, and goes on when it is opened", async () => {
    const gate = createGate();
    expect(await settled(gate.pass())).toBe("passed");
    gate.close();
    const both = [gate.pass(), gate.pass(new AbortController().signal)];
    expect(await settled(Promise.race(both))).toBe("waiting");
    gate.open();
    expect(await settled(Promise.all(both))).toBe("passed");
    gate.close();
    expect(await settled(gate.pass())).toBe("waiting");
  });

  it("ends if it is cancelled meanwhile", async () => {
    const gate = createGate();
    gate.close();
    const stop = new AbortController();
    const held = gate.pass(stop.signal);
    stop.abort();
    expect(await settled(held)).toMatchObject({ kind: "cancelled" });
    gate.open();
    expect(await settled(gate.pass())).toBe("passed");
  });
});
