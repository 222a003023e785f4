import { writeTable } from "../../../../src/workbook/sheet/tables/write-table";
import { describe, expect, it } from "vitest";
import { rowsRead } from "../../../../src/workbook/sheet/layout/row-keys";
import { createImportTables } from "../../../../src/workbook/sheet/tables/table-changes";
import type { TableEdit } from "../../../../src/workbook/sheet/tables/table-edit";
import type { FormattedCell } from "../../../../src/workbook/sheet/values/cell-value";
import { inTime } from "../../../excel/in-time";
import { openExcel, type PlayedExcel } from "../../../excel/open-excel";
import { playExcel } from "../../../functions/excel";
import { reorder } from "../../../people/grid-edits";
import { type People, peopleIn } from "../../../people/people";
import { createRandom } from "../../../truth/random";

playExcel();

const cases = Number(process.env.MOVING_CASES ?? 300);
const firstSeed = Number(process.env.MOVING_SEED ?? 1);

const text = (value: string): FormattedCell => ({ value, numberFormat: "@" });
const rowIds = [7, 8, 9, 11, 12, 13];
const newIds = [21, 22];

/** The texts that an edit writes into the row of an id. */
const own = (id: unknown) => [`fee ${String(id)}`, `code ${String(id)}`, `due ${String(id)}`];

describe("an edit of a table in which people work", () => {
  it(`loses no text that they type, and writes nothing into another's row: ${cases} cases`, async () => {
    const lies: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + cases; seed += 1) {
      const lie = await play(seed).catch((thrown: unknown) => `it throws ${String((thrown as Error).stack)}`);
      if (lie) lies.push(`seed ${seed}: ${lie}`);
    }
    expect(lies.slice(0, 5)).toEqual([]);
  });
});

const plan = {
  columns: ["AHJ ID", "Fee", "Due", "Mine"].map((header) => ({ header })),
  rows: rowIds.map((id) => [
    { value: id, numberFormat: "0" },
    text(`$${id}`),
    text(`soon ${id}`),
    text(`note ${id}`),
  ]),
};

/** Writes the table into the first sheet, and reads its rows. */
async function placed({ app: { workbook }, spreadsheet }: PlayedExcel) {
  const sheetId = spreadsheet.sheets()[0]!.id;
  const target = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
  const { tableId } = await inTime(writeTable(workbook, plan, target));
  const tables = createImportTables(workbook);
  return { tables, tableId, read: rowsRead(await inTime(tables.read(tableId, ["AHJ ID"])), ["AHJ ID"]) };
}

describe("the columns of a table", () => {
  it.each(["row", "column"] as const)(
    "are read with their own values, whichever request somebody deletes a %s before",
    async (axis) => {
      let played = 0;
      for (let at = 0; at < 6; at += 1) {
        let request = -1;
        const excel: PlayedExcel = openExcel({
          onRequest() {
            request += 1;
            if (request !== at) return;
            played += 1;
            excel.spreadsheet.shift(sheetId, { axis, at: 2, by: -1 });
          },
        });
        const sheetId = excel.spreadsheet.sheets()[0]!.id;
        const { workbook } = excel.app;
        request = -100;
        const target = { kind: "cell" as const, sheetId, row: 1, column: 1, mayOverwrite: null };
        const { tableId } = await inTime(writeTable(workbook, plan, target));
        request = -1;
        const table = await inTime(createImportTables(workbook).read(tableId, ["AHJ ID", "Due"]));
        const there = table.columns.get("AHJ ID")?.values ?? [];
        expect(there, `request ${at}`).toHaveLength(table.rowCount);
        expect(rowIds).toEqual(expect.arrayContaining(there));
        expect(table.columns.get("Due")?.values).toEqual(there.map((id) => `soon ${String(id)}`));
      }
      expect(played).toBeGreaterThan(2);
    },
  );
});

describe("the columns of a table that takes several requests", () => {
  it.each([[["AHJ ID", "Due"]], [["Due"]]])(
    "are read with the values of one order of rows, whichever request somebody sorts it before: %s",
    async (headers) => {
      const ids = Array.from({ length: 51_000 }, (_, row) => row);
      for (let at = 3; at < 6; at += 1) {
        let request = -100;
        const excel: PlayedExcel = openExcel({
          onRequest() {
            request += 1;
            if (request === at) excel.spreadsheet.writeFormulas(sheetId, below, cellsOf(ids.toReversed()));
          },
        });
        const { workbook } = excel.app;
        const sheetId = excel.spreadsheet.sheets()[0]!.id;
        const below = { row: 1, column: 0, rows: ids.length, columns: 2 };
        const cellsOf = (order: readonly number[]) => order.map((id) => [id, `soon ${id}`]);
        const small = {
          columns: plan.columns.filter(({ header }) => ["AHJ ID", "Due"].includes(header)),
          rows: [[{ value: 0, numberFormat: "0" }, text("soon 0")]],
        };
        const target = { kind: "cell" as const, sheetId, row: 0, column: 0, mayOverwrite: null };
        const { tableId } = await inTime(writeTable(workbook, small, target));
        excel.spreadsheet.writeFormulas(sheetId, below, cellsOf(ids));
        excel.spreadsheet.updateTable(excel.spreadsheet.tables()[0]!.id, {
          rect: { ...below, row: 0, rows: ids.length + 1 },
        });
        request = -1;
        const { columns } = await inTime(createImportTables(workbook).read(tableId, headers));
        const orders = [...columns.values()].map(({ values }) =>
          values.map((value) => Number(String(value).replace("soon ", ""))),
        );
        const [first] = orders[0]!;
        const expected = first === 0 ? ids : ids.toReversed();
        const isMixed = orders.some((order) => order.some((id, row) => id !== expected[row]));
        expect(isMixed, `request ${at}`).toBe(false);
      }
    },
  );
});

describe("a column that an edit takes away", () => {
  it.each(["types", "sorts and types", "adds a row and types"] as const)(
    "comes back with each row's own values if somebody %s just before any request",
    async (what) => {
      let played = 0;
      for (let at = 0; at < 20; at += 1) {
        let request = -100;
        let hasActed = false;
        const excel: PlayedExcel = openExcel({
          onRequest() {
            request += 1;
            if (request !== at) return;
            const table = excel.spreadsheet.tables()[0]!;
            const { rect } = table;
            const rows = rect.rows - 1;
            hasActed = excel.spreadsheet.read(sheetId, { ...rect, rows: 1 })[0]?.[2]?.value === "Due";
            if (!hasActed) return;
            played += 1;
            if (what === "sorts and types")
              reorder(
                excel.spreadsheet,
                table,
                Array.from({ length: rows }, (_, row) => rows - 1 - row),
              );
            if (what === "adds a row and types")
              excel.spreadsheet.updateTable(table.id, { rect: { ...rect, rows: rect.rows + 1 } });
            const row = what === "adds a row and types" ? rect.row + rect.rows : rect.row + 1;
            excel.spreadsheet.writeFormulas(sheetId, { row, column: 3, rows: 1, columns: 1 }, [["typed"]]);
          },
        });
        const sheetId = excel.spreadsheet.sheets()[0]!.id;
        const { tables, tableId, read } = await placed(excel);
        const goneColumns = [{ header: "Due", shown: rowIds.map((id) => `soon ${id}`) }];
        const edit = { read, columns: ["AHJ ID"], newRows: [], newColumns: [], goneColumns, updates: [] };
        request = -1;
        await inTime(tables.edit(tableId, edit));
        const { rect } = excel.spreadsheet.tables()[0]!;
        const [headers = [], ...rows] = excel.spreadsheet
          .read(sheetId, rect)
          .map((cells) => cells.map(({ value }) => value));
        const due = headers.indexOf("Due");
        expect(due >= 0, `request ${at}`).toBe(hasActed);
        for (const row of hasActed ? rows : [])
          expect([row[0] === "" ? "" : `soon ${String(row[0])}`, "typed"], `request ${at}`).toContain(
            row[due],
          );
        if (hasActed)
          expect(
            rows.map((row) => row[due]),
            `request ${at}`,
          ).toContain("typed");
      }
      expect(played).toBeGreaterThan(4);
    },
  );
});

describe("a text that somebody had typed before an edit replaced it", () => {
  it("is named if the edit fails and the table no longer exists", async () => {
    const excel = openExcel({});
    const { tables, tableId, read } = await placed(excel);
    const stop = new AbortController();
    const update = { row: 0, header: "Fee", cell: text("$9"), shown: "$7", typed: "$7" };
    const later = { row: 4, header: "Due", cell: text("now"), shown: "soon 12" };
    const edit = {
      ...{ read, columns: ["AHJ ID"], newRows: [], newColumns: [] },
      updates: [update, later],
      goneColumns: [{ header: "Due", shown: rowIds.map((id) => `soon ${id}`), typedRows: new Set([1]) }],
    };
    const onWritten = () => {
      excel.spreadsheet.deleteTable(excel.spreadsheet.tables()[0]!.id);
      stop.abort();
    };
    const failing = inTime(tables.edit(tableId, edit, { signal: stop.signal, onWritten }));
    await expect(failing).rejects.toThrow("could not be put back: “$7”");
  });
});

describe("a column in which somebody types as it is taken away", () => {
  it.each([1, 2, 3, 4, 5, 6])(
    "comes back with all texts, or they are named, where Excel refuses the request that is %s after that",
    async (later) => {
      let played = 0;
      for (let at = 0; at < 16; at += 1) {
        let request = -100;
        const excel: PlayedExcel = openExcel({
          onRequest() {
            request += 1;
            if (request === at + later) excel.fail(7000, 2, "workbook", 0);
            const [table] = excel.spreadsheet.tables();
            if (request !== at || table?.rect.columns !== 4) return;
            played += 1;
            excel.enter("D3", [["typed"]]);
          },
        });
        const { tables, tableId, read } = await placed(excel);
        const goneColumns = [{ header: "Due", shown: rowIds.map((id) => `soon ${id}`) }];
        const edit = { read, columns: ["AHJ ID"], newRows: [], newColumns: [], goneColumns, updates: [] };
        request = -1;
        const said = await inTime(tables.edit(tableId, edit)).then(
          () => "",
          (failure: { message: string }) => failure.message,
        );
        if (request < at) continue;
        const due = excel.values("D3:D8").flat();
        const told = `typed before request ${at}: ${said}, ${due.join()}`;
        if (said === "" && !due.includes("typed"))
          expect(due, told).toEqual(["note 7", ...rowIds.slice(1).map((id) => `note ${id}`)]);
        else
          expect(
            [...due, said].some((text) => String(text).includes("typed")),
            told,
          ).toBe(true);
        // The column brings the texts of the other rows back.
        if (due.includes("typed"))
          expect(due.slice(1), told).toEqual(rowIds.slice(1).map((id) => `soon ${id}`));
      }
      expect(played).toBeGreaterThan(4);
    },
  );
});

/** Plays one seed, and returns a description of the first mistake, or null. */
async function play(seed: number): Promise<string | null> {
  const chance = createRandom(seed);
  const random = (below: number) => chance.whole(0, below - 1);
  let request = -1;
  let people: People | undefined;
  const acts = new Set<number>();
  const done: string[] = [];
  const excel: PlayedExcel = openExcel({
    onRequest() {
      request += 1;
      if (acts.has(request) && people) done.push(`${request} ${people.act()}`);
    },
  });
  const { workbook } = excel.app;
  const sheetId = excel.spreadsheet.sheets()[0]!.id;
  const { tableId } = await inTime(
    writeTable(workbook, plan, { kind: "cell", sheetId, row: 1, column: 1, mayOverwrite: null }),
  );
  const tables = createImportTables(workbook);
  const table = await inTime(tables.read(tableId, ["AHJ ID", "Fee", "Due"]));
  const read = rowsRead(table, ["AHJ ID"]);
  const isChange = random(2) === 0;
  const update = (row: number, header: string, value: string, shown: unknown) => ({
    ...{ row, header, cell: text(value), shown },
  });
  const edit: TableEdit = {
    read,
    columns: ["AHJ ID", "Fee", "Due"],
    newRows: isChange ? newIds.map((id) => [id]) : [],
    newColumns: isChange ? ["Code"] : [],
    goneColumns: isChange ? [{ header: "Due", shown: rowIds.map((id) => `soon ${id}`) }] : [],
    updates: [
      ...rowIds.map((id, row) => update(row, "Fee", `fee ${id}`, `$${id}`)),
      ...(isChange
        ? [...rowIds, ...newIds].map((id, row) => update(row, "Code", `code ${id}`, ""))
        : rowIds.map((id, row) => update(row, "Due", `due ${id}`, `soon ${id}`))),
    ],
  };
  const crowd = peopleIn(excel.spreadsheet, chance);
  people = crowd;
  const first = request + 1;
  const end = random(3);
  const length = isChange ? 30 : 10;
  for (let act = 0; act <= random(4); act += 1) acts.add(first + random(length));
  const stop = new AbortController();
  if (end === 1) excel.fail(7000, 1, "workbook", 3 + random(length));
  const outcome = await inTime(
    tables.edit(tableId, edit, {
      signal: stop.signal,
      onWritten: () => end === 2 && stop.abort(),
    }),
  ).then(
    (result) => ({ ...result, failure: null }),
    (failure: { kind?: string; detail?: string }) => ({
      changedCells: [],
      missingCells: [],
      missingColumns: [],
      changedColumns: [],
      failure,
    }),
  );
  people = undefined;
  return lieOf(excel, tableId, outcome.failure, done);

  function lieOf(
    { spreadsheet }: PlayedExcel,
    id: string,
    failure: { kind?: string; detail?: string } | null,
    story: readonly string[],
  ): string | null {
    const told = `${isChange ? "change" : "refresh"}, ${story.join(", ")}: ${failure ? `${failure.kind} ${failure.detail ?? ""}` : "done"}: `;
    if (failure?.kind === "internal")
      return told + String((failure as { cause?: { stack?: string } }).cause?.stack);
    const all = spreadsheet.read(sheetId, { row: 0, column: 0, rows: 60, columns: 20 }).flat();
    const values = new Set(all.map(({ value }) => value));
    const here = spreadsheet.tables().find((one) => one.id === id);
    if (!here) return crowd.typed().every((one) => values.has(one.text)) ? null : `${told}a text is lost`;
    const [headers = [], ...rows] = spreadsheet
      .read(sheetId, here.rect)
      .map((cells) => cells.map(({ value }) => value));
    const shows = JSON.stringify([headers, ...rows]);
    for (const { text: typed, inTable } of crowd.typed()) {
      if (!values.has(typed)) return `${told}${typed} is lost: ${shows}`;
      if (!inTable) continue;
      const alike = rows.filter((cells) => JSON.stringify([cells[0]]) === inTable.row);
      const column = headers.indexOf(inTable.header);
      if (alike.length > 0 && column >= 0 && !alike.some((cells) => cells[column] === typed))
        return `${told}${typed} of row ${inTable.row}, ${inTable.header}, stands elsewhere: ${shows}`;
    }
    const isLeft = failure?.detail?.includes("could not be taken back") ?? false;
    for (const cells of rows) {
      // A row cannot be identified if somebody has typed over its id, or has deleted that column.
      if (headers[0] !== "AHJ ID" || typeof cells[0] !== "number") continue;
      const ours = cells.filter((value) => /^(?:fee|code|due) \d+$/.test(String(value)));
      const others = ours.filter((value) => !own(cells[0]).includes(String(value)));
      if (others.length > 0) return `${told}${others.join()} in the row of ${cells[0]}: ${shows}`;
      const isBack = ours.every((value) => crowd.restored(String(value)) > 0);
      if (failure && !isLeft && !isBack && ours.length > 0) return `${told}${ours.join()} is left: ${shows}`;
    }
    return null;
  }
}
