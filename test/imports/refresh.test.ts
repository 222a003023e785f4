import { describe, expect, it } from "vitest";
import type { Ahj, DataPointType } from "../../src/api/schemas";
import { openCache } from "../../src/cache/cache";
import { createDisk } from "../../src/cache/disk";
import { Failure } from "../../src/errors";
import { refreshImport } from "../../src/imports/refresh";
import { runImport } from "../../src/imports/run-import";
import { importXml, parseImportXml, type SavedImport } from "../../src/imports/saved-import";
import type { CellUpdate, TableColumns } from "../../src/sheet/import-table";
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

/** The workbook's door on a table in memory. */
function workbookWith(table: SheetTable) {
  return {
    readColumns: (_: string, headers: readonly string[]): Promise<TableColumns> => {
      const columns: TableColumns["columns"] = new Map();
      table.headers.forEach((header, place) => {
        if (!headers.includes(header)) return;
        columns.set(header, { place, values: table.rows.map((row) => row[place]), numberFormats: [] });
      });
      return Promise.resolve({ rowCount: table.rows.length, columns });
    },
    updateCells: (_: string, updates: readonly CellUpdate[]) => {
      for (const { row, column, cell } of updates) (table.rows[row] ?? [])[column] = cell.value;
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
    lastRun: { atMs: 0, rows: 0, values: 0, notRefreshed: 0 },
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
    const { run, report } = await refreshImport(saved, {
      ...service,
      workbook: workbookWith(sheet),
      documents,
    });
    expect(sheet).toEqual(before);
    expect(report).toEqual({
      changes: [],
      notRefreshed: [],
      unknownTypes: [],
      missingColumns: [],
      ownRows: 0,
    });
    expect(run).toMatchObject({ rows: ahjs.length, notRefreshed: 0 });
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
      const { report } = await refreshImport(saved, { ...service, workbook: workbookWith(sheet), documents });
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
        expect(place.column).toBe(fee);
        expect(after?.updatedAt).toMatch(/^\d{4}-/);
      }
    },
  );

  it("tells the text that a value was published as before, and its citation, where this device has kept it", async () => {
    const { saved, sheet, documents } = await importInto();
    await refreshImport(saved, { ...connected("demo-national"), workbook: workbookWith(sheet), documents });
    const changed = connected("demo-national", { intercept: dearer });
    const { report } = await refreshImport(saved, { ...changed, workbook: workbookWith(sheet), documents });
    expect(report.changes[0]?.before).toMatchObject({ value: "$30", reference: expect.anything() as string });
    const again = await refreshImport(saved, { ...changed, workbook: workbookWith(sheet), documents });
    expect(again.report.changes).toEqual([]);
  });

  it("with a smaller subscription keeps what it may not see, and says whose it is", async () => {
    const { saved, sheet, documents } = await importInto();
    const before = structuredClone(sheet);
    const { report, run } = await refreshImport(saved, {
      ...connected("demo-county"),
      workbook: workbookWith(sheet),
      documents,
    });
    expect(sheet).toEqual(before);
    expect(report.notRefreshed.length).toBeGreaterThanOrEqual(ahjs.length - 1);
    expect(report.notRefreshed[0]).toMatchObject({
      kind: "outside-subscription",
      name: expect.any(String) as string,
    });
    expect(run.notRefreshed).toBe(report.notRefreshed.length);
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
    await refreshImport(saved, { ...service, workbook: workbookWith(sheet), documents });
    isDown = true;
    const before = structuredClone(sheet);
    const refreshing = refreshImport(saved, { ...service, workbook: workbookWith(sheet), documents });
    await expect(refreshing).rejects.toMatchObject({ kind: "unreachable" });
    expect(sheet).toEqual(before);
  });

  it("beside a list names rows by what the list says, and has the notes follow their values", async () => {
    const { saved, sheet, documents } = await importInto();
    sheet.headers[1] = "Our list";
    const [name] = sheet.headers.splice(1, 1);
    sheet.headers.push(name ?? "");
    sheet.rows = sheet.rows.map(([id, label, ...rest]) => [id, ...rest, `row of ${String(label)}`]);
    // A double: each of its rows is brought up to date.
    sheet.rows.push([...(sheet.rows[0] ?? [])]);
    const notes: (string | null | undefined)[] = [];
    const inSheet = workbookWith(sheet);
    const { report } = await refreshImport(
      {
        ...saved,
        columns: saved.columns.filter(({ header }) => header !== "Name"),
        listHeader: "Our list",
        form: { ...saved.form, hasNotes: true },
      },
      {
        ...connected("demo-national", { intercept: dearer }),
        documents,
        workbook: {
          ...inSheet,
          updateCells(id: string, updates: readonly CellUpdate[]) {
            notes.push(...updates.map(({ note }) => note));
            return inSheet.updateCells(id, updates);
          },
        },
      },
    );
    expect(report.changes.length).toBeGreaterThan(0);
    expect(report.changes.every(({ ahj }) => ahj.name.startsWith("row of "))).toBe(true);
    expect(notes).toHaveLength(report.changes.length);
    expect(notes.every((note) => typeof note === "string" && note.includes("\n"))).toBe(true);
    expect(report.missingColumns).toEqual([]);
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
      workbook: workbookWith(without(gone)),
      documents,
    });
    expect(report.missingColumns).toEqual([gone]);
    const lost = refreshImport(saved, { ...service, workbook: workbookWith(without("AHJ ID")), documents });
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
