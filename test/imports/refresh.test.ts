import { describe, expect, it } from "vitest";
import type { Ahj, DataPointType } from "../../src/api/schemas";
import { openCache } from "../../src/cache/cache";
import { createDisk } from "../../src/cache/disk";
import { Failure } from "../../src/errors";
import { refreshImport } from "../../src/imports/refresh";
import { runImport } from "../../src/imports/run-import";
import { importXml, parseImportXml, type SavedImport } from "../../src/imports/saved-import";
import { movedRows, rowsRead, type TableColumns } from "../../src/sheet/import-table";
import type { TableEdit } from "../../src/sheet/table-edit";
import { plainForm, type TableForm, type TablePlan } from "../../src/sheet/table-plan";
import { connected, type Interception } from "../recorded-service";

/** A table as it stands in a sheet: headers, and rows of what the cells show. */
interface SheetTable {
  headers: string[];
  rows: unknown[][];
}

function asInSheet({ columns, rows }: TablePlan): SheetTable {
  return {
    headers: columns.map(({ header }) => header),
    rows: rows.map((row) =>
      row.map(({ value }) => (typeof value === "string" ? value.replace(/^'/, "") : value)),
    ),
  };
}

/** The tables' door on a table in memory; `meanwhile` happens between its reading and its writing. */
function tablesWith(table: SheetTable, meanwhile: () => void = () => undefined) {
  const readNow = (headers: readonly string[]): TableColumns => {
    const columns: TableColumns["columns"] = new Map();
    table.headers.forEach((header, place) => {
      if (!headers.includes(header)) return;
      columns.set(header, { values: table.rows.map((row) => row[place]), numberFormats: [] });
    });
    return { rowCount: table.rows.length, headers: table.headers, columns };
  };
  return {
    mayWrite: () => Promise.resolve(),
    read: (_: string, headers: readonly string[]) => Promise.resolve(readNow(headers)),
    edit: (_: string, { read, newRows, newColumns, columns, goneColumns, updates }: TableEdit) => {
      meanwhile();
      const rowsNow = movedRows(read.keys, rowsRead(readNow(read.ids), read.ids).keys);
      const rowCount = table.rows.length;
      for (let added = 0; added < newRows; added += 1) table.rows.push(table.headers.map(() => ""));
      const at = 1 + Math.max(...columns.map((header) => table.headers.indexOf(header)));
      table.headers.splice(at, 0, ...newColumns);
      for (const row of table.rows) row.splice(at, 0, ...newColumns.map(() => ""));
      for (const { row, header, cell } of updates) {
        const rowNow = row < read.keys.length ? rowsNow[row] : rowCount + row - read.keys.length;
        const cells = rowNow === undefined ? [] : (table.rows[rowNow] ?? []);
        const { value } = cell;
        cells[table.headers.indexOf(header)] = typeof value === "string" ? value.replace(/^'/, "") : value;
      }
      for (const header of goneColumns) {
        const place = table.headers.indexOf(header);
        for (const cells of [table.headers, ...table.rows]) cells.splice(place, 1);
      }
      return Promise.resolve();
    },
  };
}

const allTypes = await connected("demo-national").lookup.catalogue.types();
const types: DataPointType[] = [1003, 1030, 1056, 1076].flatMap((id) =>
  allTypes.filter((type) => type.id === id),
);
const california: readonly Ahj[] = (await connected("demo-national").lookup.directory.list("CA")).ahjs;
const ahjs = california.filter(({ type }) => type === "county").slice(0, 12);

function savedAs(plan: TablePlan, form: TableForm): SavedImport {
  return {
    id: "one",
    name: "Fees",
    tableId: "{1}",
    service: "https://service.test",
    collection: null,
    form,
    columns: plan.columns,
    types: types.map(({ id, name, unit_of_measure }) => ({ id, name, unit_of_measure })),
    lastRun: { atMs: Date.now(), rows: 0, values: 0, notRefreshed: 0 },
  };
}

/** Fees go up: $30 becomes $31, wherever it is published so. */
const dearer: Interception = async (request) => {
  if (!request.url.includes("/v1/reports/matrix") && !request.url.includes("/v1/data-points"))
    return undefined;
  const { fetch } = connected("demo-national");
  const answer = await fetch(request.clone());
  return new Response((await answer.text()).replaceAll('"value":"$30"', '"value":"$31"'), {
    status: answer.status,
    headers: { "Content-Type": "application/json" },
  });
};

async function importInto(form: TableForm = plainForm) {
  const { client, lookup } = connected("demo-national");
  const { table: plan } = await runImport({ kind: "matrix", ahjs, types }, { client, lookup }, { form });
  const { documents } = openCache(createDisk({}), "one");
  return { saved: savedAs(plan, form), sheet: asInSheet(plan), documents };
}

describe("a refresh", () => {
  it("of what has not changed writes nothing and lists nothing", async () => {
    const { saved, sheet, documents } = await importInto();
    const before = structuredClone(sheet);
    const service = connected("demo-national");
    const { saved: after, report } = await refreshImport(saved, {
      ...service,
      tables: tablesWith(sheet),
      documents,
    });
    expect(sheet).toEqual(before);
    expect(report).toEqual({
      changes: [],
      notRefreshed: [],
      unknownTypes: [],
      missingColumns: [],
      ownRows: 0,
      newRows: 0,
      withoutRow: 0,
      read: { ids: ["AHJ ID"], keys: ahjs.map(({ id }) => `[${id}]`) },
    });
    expect(after.lastRun).toMatchObject({ rows: ahjs.length, notRefreshed: 0 });
    expect(service.requests).toEqual(["POST /v1/reports/matrix"]);
  });

  it.each([
    ["wide", false],
    ["wide", true],
    ["long", false],
    ["long", true],
  ] as const)(
    "finds rows and columns wherever they are now: %s, citations %s",
    async (layout, hasCitations) => {
      const { saved, sheet, documents } = await importInto({ layout, hasCitations });
      // Sorted, a column moved, one of the user's own put in, one row deleted and one added.
      sheet.rows.reverse();
      sheet.rows.splice(3, 1);
      const moved = (cells: unknown[]) => ["mine", ...cells.slice(2), ...cells.slice(0, 2)];
      sheet.headers = moved(sheet.headers) as string[];
      sheet.rows = [...sheet.rows.map(moved), sheet.headers.map(() => "note")];
      const before = structuredClone(sheet);
      const service = connected("demo-national", { intercept: dearer });
      const { report } = await refreshImport(saved, { ...service, tables: tablesWith(sheet), documents });
      const fee = sheet.headers.indexOf(layout === "wide" ? (types[2]?.name ?? "") : "Value");
      const expected = before.rows.map((row) =>
        row.map((value, column) => (column === fee && value === 30 ? 31 : value)),
      );
      expect(expected).not.toEqual(before.rows);
      expect(sheet.rows).toEqual(expected);
      expect(report.ownRows).toBe(1);
      expect(report.changes.length).toBeGreaterThan(0);
      for (const { type, before, after, place } of report.changes) {
        expect([type.id, before?.value, after?.value]).toEqual([1056, "30", "$31"]);
        expect(place.header).toBe(sheet.headers[fee]);
        expect(after?.updatedAt).toMatch(/^\d{4}-/);
      }
    },
  );

  it("tells the text that a value was published as before, and its citation, where this device has kept it", async () => {
    const { saved, sheet, documents } = await importInto();
    await refreshImport(saved, { ...connected("demo-national"), tables: tablesWith(sheet), documents });
    const changed = connected("demo-national", { intercept: dearer });
    const { report } = await refreshImport(saved, { ...changed, tables: tablesWith(sheet), documents });
    expect(report.changes[0]?.before).toMatchObject({ value: "$30", reference: expect.anything() as string });
    const again = await refreshImport(saved, { ...changed, tables: tablesWith(sheet), documents });
    expect(again.report.changes).toEqual([]);
  });

  it("with a smaller subscription keeps what it may not see, and says whose it is", async () => {
    const { saved, sheet, documents } = await importInto();
    const before = structuredClone(sheet);
    const { report, saved: after } = await refreshImport(saved, {
      ...connected("demo-county"),
      tables: tablesWith(sheet),
      documents,
    });
    expect(sheet).toEqual(before);
    expect(report.notRefreshed.length).toBeGreaterThanOrEqual(ahjs.length - 1);
    expect(report.notRefreshed[0]).toMatchObject({
      kind: "outside-subscription",
      name: expect.any(String) as string,
    });
    expect(after.lastRun.notRefreshed).toBe(report.notRefreshed.length);
  });

  it("never takes an old answer for a new one, and leaves the sheet as it was when it fails", async () => {
    const { saved, sheet, documents } = await importInto();
    let isDown = false;
    const service = connected("demo-national", {
      intercept: () => {
        if (isDown) throw new TypeError("refused");
        return undefined;
      },
    });
    await refreshImport(saved, { ...service, tables: tablesWith(sheet), documents });
    isDown = true;
    const before = structuredClone(sheet);
    const refreshing = refreshImport(saved, { ...service, tables: tablesWith(sheet), documents });
    await expect(refreshing).rejects.toMatchObject({ kind: "unreachable" });
    expect(sheet).toEqual(before);
  });

  it("names columns that are gone, and can't do without the ids", async () => {
    const { saved, sheet, documents } = await importInto();
    const without = (name: string): SheetTable => {
      const place = sheet.headers.indexOf(name);
      const cut = <Item>(items: readonly Item[]) => items.filter((_, index) => index !== place);
      return { headers: cut(sheet.headers), rows: sheet.rows.map(cut) };
    };
    const service = connected("demo-national");
    const gone = types[1]?.name ?? "";
    const { report } = await refreshImport(saved, {
      ...service,
      tables: tablesWith(without(gone)),
      documents,
    });
    expect(report.missingColumns).toEqual([gone]);
    const lost = refreshImport(saved, { ...service, tables: tablesWith(without("AHJ ID")), documents });
    await expect(lost).rejects.toThrow(/column of ids/);
    await expect(lost).rejects.toBeInstanceOf(Failure);
  });
});

describe("a saved import", () => {
  it("comes back from its XML as it was, whatever its texts hold", async () => {
    const { saved } = await importInto({ layout: "long", hasCitations: true });
    const odd = { ...saved, name: `<import>&"'\u0000\u001f\ud800\uffff</import> =1+1` };
    const xml = importXml(odd);
    expect(parseImportXml(xml)).toEqual(odd);
    expect(parseImportXml(`<?xml version="1.0"?>${xml.replaceAll('"name"', "&quot;name&quot;")}`)).toEqual(
      odd,
    );
  });

  it.each([
    ["of another version", (xml: string) => xml.replace('"version":1', '"version":2')],
    ["damaged", (xml: string) => xml.slice(0, 200)],
    ["with a hole", (xml: string) => xml.replace('"tableId"', '"tableid"')],
    ["of somebody else", () => `<other xmlns="urn:regdata:import">{}</other>`],
    ["far too large", (xml: string) => xml.replace('"name":"', `"name":"${"x".repeat(5_000_001)}`)],
  ])("%s is not understood", async (_, spoil) => {
    const { saved } = await importInto();
    expect(parseImportXml(spoil(importXml(saved)))).toBeNull();
  });
});
