import { describe, expect, it, vi } from "vitest";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { Failure } from "../../../../src/errors";
import { refreshImport } from "../../../../src/workbook/imports/refresh/refresh";
import { runImport } from "../../../../src/workbook/imports/run/run-import";
import { createSnapshots } from "../../../../src/workbook/imports/saved/snapshots";
import {
  importXml,
  parseImportXml,
  type SavedImport,
} from "../../../../src/workbook/imports/saved/saved-import";
import type { EditOptions, TableEdit } from "../../../../src/workbook/sheet/tables/table-edit";
import { plainForm, type TableForm, type TablePlan } from "../../../../src/workbook/sheet/layout/table-plan";
import { connected, type Interception } from "../../../recorded-service";
import { savedFees } from "../saved-fees";
import { asInSheet, nothingChanged, type SheetTable, tablesWith } from "./sheet-table";
import { lastRun, toldBy } from "../last-run";
import { memoryBook } from "../memory-parts";

/** The header of a type's values; it may add their unit to its name. */
const headerOf = ({ headers }: SheetTable, { name = "" }: Partial<DataPointType> = {}) =>
  headers.find((header) => header === name || header.startsWith(`${name} (`)) ?? "";

const allTypes = await connected("demo-national").lookup.catalogue.types();
const types: DataPointType[] = [1003, 1030, 1056, 1076].flatMap((id) =>
  allTypes.filter((type) => type.id === id),
);
const california: readonly Ahj[] = (await connected("demo-national").lookup.directory.list("CA")).ahjs;
const ahjs = california.filter(({ type }) => type === "county").slice(0, 12);

function savedAs(plan: TablePlan, form: TableForm): SavedImport {
  return savedFees({
    form,
    columns: plan.columns,
    types: types.map(({ id, name, unit_of_measure }) => ({ id, name, unit_of_measure })),
    lastRun: { atMs: Date.now(), rows: 0, values: 0, notRefreshed: 0 },
  });
}

/** The service raises fees: $30 becomes $31 everywhere. */
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
  const saved = savedAs(plan, form);
  const { book } = await memoryBook(saved);
  return { saved, sheet: asInSheet(plan), documents, book };
}

describe("a refresh", () => {
  it("without any change writes nothing and lists nothing", async () => {
    const { saved, sheet, documents, book } = await importInto();
    const before = structuredClone(sheet);
    const service = connected("demo-national");
    const { saved: after, report } = await refreshImport(saved, {
      ...service,
      tables: tablesWith(sheet),
      documents,
      book,
    });
    expect(sheet).toEqual(before);
    expect(report).toEqual({
      atMs: expect.any(Number) as number,
      renamedColumns: [],
      changes: [],
      edited: [],
      unsure: [],
      confirmed: ahjs.length * types.length,
      changedMeanwhile: [],
      keptColumns: [],
      replaced: [],
      notRefreshed: [],
      keptAsOfMs: saved.lastRun.asOfMs ?? saved.lastRun.atMs,
      unknownTypes: [],
      missingColumns: [],
      ownRows: 0,
      followed: [],
      otherEntries: [],
      newRows: 0,
      entered: [],
      left: [],
      stillLeft: [],
      ...{ unchecked: [], ahjs: ahjs.length, renamed: [] },
      notesLeft: 0,
      notesOfOthers: { kept: [], replaced: [] },
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
      const { saved, sheet, documents, book } = await importInto({ layout, hasCitations });
      // The user has sorted the table, moved a column, inserted one, deleted a row and added one.
      sheet.rows.reverse();
      sheet.rows.splice(3, 1);
      const moved = (cells: unknown[]) => ["mine", ...cells.slice(2), ...cells.slice(0, 2)];
      sheet.headers = moved(sheet.headers) as string[];
      sheet.rows = [...sheet.rows.map(moved), sheet.headers.map(() => "note")];
      const before = structuredClone(sheet);
      const service = connected("demo-national", { intercept: dearer });
      const { report } = await refreshImport(saved, {
        ...service,
        tables: tablesWith(sheet),
        documents,
        book,
      });
      const fee = sheet.headers.indexOf(layout === "wide" ? headerOf(sheet, types[2]) : "Value");
      const expected = before.rows.map((row) =>
        row.map((value, column) => (column === fee && value === 30 ? 31 : value)),
      );
      expect(expected).not.toEqual(before.rows);
      expect(sheet.rows).toEqual(expected);
      expect(report.ownRows).toBe(1);
      // Neither this device nor the workbook knows the values that were written.
      expect(report.unsure.length).toBeGreaterThan(0);
      // Such a sheet has no number formats, so only the header of a wide table's column tells the unit.
      const shown = layout === "wide" ? "$30" : "30";
      for (const { type, before, after, place } of report.unsure) {
        expect([type?.id, before?.value, after?.value]).toEqual([1056, shown, "$31"]);
        expect(place.header).toBe(sheet.headers[fee]);
        expect(after?.updatedAt).toMatch(/^\d{4}-/);
      }
    },
  );

  it.each(["wide", "long"] as const)(
    "follows rows that are moved between its reading and writing: %s",
    async (layout) => {
      const { saved, sheet, documents, book } = await importInto({ layout, hasCitations: false });
      const [, gone] = sheet.rows;
      const service = connected("demo-national", { intercept: dearer });
      const fee = sheet.headers.indexOf(layout === "wide" ? headerOf(sheet, types[2]) : "Value");
      const expected = sheet.rows
        .filter((row) => row !== gone)
        .map((row) => row.map((value, column) => (column === fee && value === 30 ? 31 : value)));
      const tables = tablesWith(sheet, () => {
        sheet.rows.splice(1, 1);
        sheet.rows.reverse();
      });
      await refreshImport(saved, { ...service, tables, documents, book });
      expect(sheet.rows.reverse()).toEqual(expected);
    },
  );

  it("adds a row for a value that is new in a long table, with its jurisdiction, and lists it", async () => {
    const { saved, sheet, documents, book } = await importInto({ layout: "long", hasCitations: true });
    const whole = structuredClone(sheet);
    const without = (key: string) => (row: unknown[]) => `${String(row[9])} ${String(row[10])}` !== key;
    // One value was missing at the first run, a row of another was deleted, and one AHJ had no value at all.
    const keys = sheet.rows.map((row) => `${String(row[9])} ${String(row[10])}`);
    const [fresh = "", , takenOut = ""] = keys;
    const first = keys.filter((key) => key.startsWith(`${fresh.split(" ")[0]} `));
    const last = keys.filter((key) => key.startsWith(`${keys.at(-1)?.split(" ")[0]} `));
    expect(first).not.toContain(last[0]);
    const snapshots = createSnapshots(documents);
    await refreshImport(saved, {
      ...connected("demo-national"),
      tables: tablesWith(sheet),
      documents,
      book,
    });
    const known = toldBy((await snapshots.read(saved.id))!);
    for (const key of [fresh, ...last]) known[key] = null;
    await snapshots.write(saved.id, lastRun(known));
    sheet.rows = sheet.rows.filter((row) => [fresh, takenOut, ...last].every((key) => without(key)(row)));
    sheet.headers.push("My note");
    for (const row of sheet.rows) row.push("note");
    const before = structuredClone(sheet.rows);

    const service = connected("demo-national");
    const { report, saved: after } = await refreshImport(saved, {
      ...service,
      tables: tablesWith(sheet),
      documents,
      book,
    });
    const added = [fresh, ...last].map((key) => [
      ...(whole.rows.find((row) => !without(key)(row)) ?? []),
      "",
    ]);
    expect(sheet.rows).toEqual([...before, ...added]);
    expect(report).toMatchObject({ newRows: added.length, withoutRow: 1 });
    expect(report.changes.map(({ before, place }) => [before, place])).toEqual(
      added.map((_, index) => [null, { row: before.length + index, header: "Value" }]),
    );
    expect(after.lastRun).toMatchObject({ rows: sheet.rows.length, values: sheet.rows.length });
    expect(report.read.keys).toHaveLength(sheet.rows.length);
    const again = await refreshImport(saved, { ...service, tables: tablesWith(sheet), documents, book });
    expect(again.report).toMatchObject({ changes: [], newRows: 0, withoutRow: 1 });
  });

  it("lists no new value of a long table whose column of values is gone", async () => {
    const { saved, sheet, documents, book } = await importInto({ layout: "long", hasCitations: false });
    const dependencies = () => ({
      ...connected("demo-national"),
      tables: tablesWith(sheet),
      documents,
      book,
    });
    sheet.headers = sheet.headers.map((header) => (header === "Value" ? "My value" : header));
    const [cut] = sheet.rows.splice(0, 1);
    const longAgo = { ...saved, lastRun: { ...saved.lastRun, atMs: 0 } };
    const { report } = await refreshImport(longAgo, dependencies());
    expect(report).toMatchObject({ changes: [], missingColumns: ["Value"], newRows: 1 });
    const value = sheet.headers.indexOf("My value");
    expect(sheet.rows.at(-1)).toEqual(cut?.map((cell, place) => (place === value ? "" : cell)));
  });

  it("takes values with later dates for new if this device knows nothing of the last run", async () => {
    const { saved, sheet, documents, book } = await importInto({ layout: "long", hasCitations: false });
    const [cut] = sheet.rows.splice(0, 1);
    const dependencies = () => ({
      ...connected("demo-national"),
      tables: tablesWith(sheet),
      documents,
      book,
    });
    const old = await refreshImport({ ...saved, id: "two" }, dependencies());
    expect(old.report).toMatchObject({ newRows: 0, withoutRow: 1 });
    const longAgo = { ...saved, id: "three", lastRun: { ...saved.lastRun, atMs: 0 } };
    expect((await refreshImport(longAgo, dependencies())).report).toMatchObject({
      newRows: 1,
      withoutRow: 0,
    });
    expect(sheet.rows.at(-1)).toEqual(cut);
  });

  it("can change the question: columns of types come and go, jurisdictions come with rows, the user's columns stay", async () => {
    const { saved, sheet, documents, book } = await importInto({ layout: "wide", hasCitations: true });
    sheet.headers.push("My note");
    for (const row of sheet.rows) row.push("note");
    const newType = allTypes.find(({ id }) => id === 1031) ?? allTypes[0];
    const newAhj = california.find(({ type }) => type !== "county");
    if (!newType || !newAhj) throw new Error("the sample data have changed");
    const change = { types: [...types.slice(1), newType], newAhjs: [newAhj, ...ahjs.slice(0, 1)] };
    const service = connected("demo-national");
    const { saved: after, report } = await refreshImport(
      saved,
      { ...service, tables: tablesWith(sheet), documents, book },
      { change },
    );
    const question = { kind: "matrix" as const, ahjs: [...ahjs, newAhj], types: change.types };
    const { table } = await runImport(question, connected("demo-national"), { form: saved.form });
    const expected = asInSheet(table);
    expect(sheet.headers).toEqual([...expected.headers, "My note"]);
    expect(sheet.rows).toEqual(
      expected.rows.map((row, index) => [...row, index < ahjs.length ? "note" : ""]),
    );
    expect(after.columns).toEqual(table.columns);
    expect(after.types.map(({ id }) => id)).toEqual(change.types.map(({ id }) => id));
    expect(report).toMatchObject({ changes: [], newRows: 1 });
    expect(service.requests).toEqual(["POST /v1/reports/matrix"]);
  });

  it("adds no row for a jurisdiction outside the subscription, and says so", async () => {
    const { saved, sheet, documents, book } = await importInto();
    const before = structuredClone(sheet);
    const newAhj = california.find(({ type }) => type !== "county");
    if (!newAhj) throw new Error("the sample data have changed");
    const { report } = await refreshImport(
      saved,
      { ...connected("demo-county"), tables: tablesWith(sheet), documents, book },
      { change: { types, newAhjs: [newAhj] } },
    );
    expect(sheet).toEqual(before);
    expect(report.notRefreshed.map(({ ahjId }) => ahjId)).toContain(newAhj.id);
    expect(report.newRows).toBe(0);
  });

  it("reports the earlier published text of a value, and its citation, if this device has kept it", async () => {
    const { saved, sheet, documents, book } = await importInto();
    await refreshImport(saved, {
      ...connected("demo-national"),
      tables: tablesWith(sheet),
      documents,
      book,
    });
    const changed = connected("demo-national", { intercept: dearer });
    const { report } = await refreshImport(saved, {
      ...changed,
      tables: tablesWith(sheet),
      documents,
      book,
    });
    expect(report.changes[0]?.before).toMatchObject({ value: "$30", reference: expect.anything() as string });
    const again = await refreshImport(saved, { ...changed, tables: tablesWith(sheet), documents, book });
    expect(again.report.changes).toEqual([]);
  });

  it("with a smaller subscription keeps the values that it may not see, and names their jurisdictions", async () => {
    const { saved, sheet, documents, book } = await importInto();
    const before = structuredClone(sheet);
    const { report, saved: after } = await refreshImport(saved, {
      ...connected("demo-county"),
      tables: tablesWith(sheet),
      documents,
      book,
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
    const { saved, sheet, documents, book } = await importInto();
    let isDown = false;
    const service = connected("demo-national", {
      intercept: () => {
        if (isDown) throw new TypeError("refused");
        return undefined;
      },
    });
    await refreshImport(saved, { ...service, tables: tablesWith(sheet), documents, book });
    isDown = true;
    const before = structuredClone(sheet);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    try {
      // An answer that comes in the millisecond in which the refresh begins would count as new.
      vi.advanceTimersByTime(1);
      const refreshing = refreshImport(saved, { ...service, tables: tablesWith(sheet), documents, book });
      const failing = expect(refreshing).rejects.toMatchObject({ kind: "unreachable" });
      await vi.advanceTimersByTimeAsync(60_000);
      await failing;
    } finally {
      vi.useRealTimers();
    }
    expect(sheet).toEqual(before);
  });

  it("beside a list names rows by the list's entries, and has the notes follow their values", async () => {
    const { saved, sheet, documents, book } = await importInto();
    sheet.headers = [...sheet.headers.slice(1), "Our list"];
    sheet.rows = sheet.rows.map(([label, ...rest]) => [...rest, `row of ${String(label)}`]);
    // A row stands twice in the table: both are updated.
    sheet.rows.push([...(sheet.rows[0] ?? [])]);
    const notes: (string | null | undefined)[] = [];
    const tables = tablesWith(sheet);
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
        book,
        tables: {
          ...tables,
          edit(id: string, edit: TableEdit) {
            notes.push(...edit.updates.map(({ note }) => note));
            return tables.edit(id, edit);
          },
        },
      },
    );
    expect(report.unsure.length).toBeGreaterThan(0);
    expect(report.unsure.every(({ ahj }) => ahj.name.startsWith("row of "))).toBe(true);
    // The answers that the notes cite are not known here, so every note is written.
    expect(notes.length).toBeGreaterThan(report.unsure.length);
    expect(notes.every((note) => typeof note === "string")).toBe(true);
    expect(report.missingColumns).toEqual([]);
  });

  it("beside a list fills a row whose entry is another's by now, and leaves it where that is not certain", async () => {
    const { saved, sheet, documents, book } = await importInto();
    const beside = { ...saved, columns: saved.columns.filter(({ header }) => header !== "Name") };
    const list = { ...beside, listHeader: "Name" };
    const [one, two, three, four, five] = ahjs;
    const entries = [
      one?.name,
      three?.geoid,
      three?.geoid,
      `ahj:${three?.id}`,
      four?.name,
      `${six()?.name}, NV`,
    ];
    entries.forEach((entry, row) => sheet.rows[row]?.splice(0, 1, entry));
    function six() {
      return ahjs[5];
    }
    const fee = sheet.headers.indexOf(headerOf(sheet, types[2]));
    for (const row of sheet.rows) row[fee] = "old";
    const service = connected("demo-national");
    await service.lookup.directory.list("CA");
    const { report } = await refreshImport(list, {
      ...service,
      tables: tablesWith(sheet),
      documents,
      book,
    });
    expect(two?.id !== three?.id && five !== undefined).toBe(true);
    expect(report.followed.map(({ place }) => place.row)).toEqual([1, 3]);
    expect(report.otherEntries.map(({ place }) => place.row)).toEqual([4, 5]);
    const isOld = sheet.rows.map((row) => row[fee] === "old");
    expect(isOld).toEqual(ahjs.map((_, row) => [4, 5].includes(row)));
    const id = sheet.headers.indexOf("AHJ ID");
    expect([1, 2, 3].map((row) => sheet.rows[row]?.[id])).toEqual([three?.id, three?.id, three?.id]);
    expect(report.changes.map(({ ahj }) => ahj.id)).not.toContain(two?.id);
  });

  it("beside a list knows the notes that it had written about the place before", async () => {
    const { saved, sheet, documents, book } = await importInto({ ...plainForm, hasNotes: true });
    const beside = { ...saved, columns: saved.columns.filter(({ header }) => header !== "Name") };
    const list = { ...beside, listHeader: "Name" };
    const edits: TableEdit[] = [];
    const tables = {
      ...tablesWith(sheet),
      edit(id: string, edit: TableEdit) {
        edits.push(edit);
        return tablesWith(sheet).edit(id, edit);
      },
    };
    const dependencies = () => ({ ...connected("demo-national"), tables, documents, book });
    // From now on, this device knows the notes.
    await refreshImport(list, dependencies());
    const [first, second] = ahjs;
    sheet.rows[0]!.splice(0, 1, second?.geoid);
    edits.length = 0;
    const { report } = await refreshImport(list, dependencies());
    expect(report.followed.map(({ before, ahj }) => [before?.id, ahj.id])).toEqual([[first?.id, second?.id]]);
    const noted = edits.flatMap(({ updates }) => updates.filter(({ note }) => note !== undefined));
    expect(noted.length).toBeGreaterThan(0);
    expect(noted.map(({ lastNote }) => lastNote)).not.toContain(undefined);
  });

  it("lets a note name its value's source only once this Excel could write it", async () => {
    const { saved, sheet, documents, book } = await importInto({ ...plainForm, hasNotes: true });
    const refreshWith = async (canNote: boolean, intercept?: Interception) => {
      const notes: unknown[] = [];
      const tables = {
        ...tablesWith(sheet),
        edit(_: string, { updates }: TableEdit, options?: EditOptions) {
          const wanted = updates.flatMap(({ note }) => (note === undefined ? [] : [note]));
          if (canNote) notes.push(...wanted);
          else if (wanted.length > 0) options?.onNotesLeft?.(wanted.length);
          return Promise.resolve(nothingChanged);
        },
      };
      const service = connected("demo-national", intercept ? { intercept } : {});
      const { report } = await refreshImport(saved, { ...service, tables, documents, book });
      return { report, notes };
    };
    const first = await refreshWith(true);
    expect(first.report.changes).toEqual([]);
    expect(first.notes.length).toBeGreaterThan(0);
    expect((await refreshWith(true)).notes).toEqual([]);
    const moved: Interception = async (request) => {
      if (!request.url.includes("/v1/reports/matrix")) return undefined;
      const answer = await connected("demo-national").fetch(request.clone());
      return new Response((await answer.text()).replace(/"section":"[^"]*"/g, '"section":"9-99"'), {
        headers: { "Content-Type": "application/json" },
      });
    };
    const left = await refreshWith(false, moved);
    expect(left.report.notesLeft).toBeGreaterThan(0);
    const later = await refreshWith(true, moved);
    expect(later.report.changes).toEqual([]);
    expect(later.notes).toHaveLength(left.report.notesLeft);
    expect(later.notes.every((note) => String(note).includes("9-99"))).toBe(true);
  });

  it("keeps the values of a type that was removed from the collection, and says so", async () => {
    const { saved, sheet, documents, book } = await importInto();
    const before = structuredClone(sheet);
    const [takenOut, ...asked] = types;
    const collection = {
      ...(await connected("demo-national").lookup.catalogue.collections())[0],
      id: "fees",
      name: "Fees",
      data_point_type_ids: asked.map(({ id }) => id),
      category_ids: [],
    };
    // The service no longer has a value for the last AHJ.
    const emptied = asked.at(-1);
    const { client } = connected("demo-national");
    const { data } = await client.matrix({
      ahj_ids: ahjs.map(({ id }) => id),
      data_point_type_ids: types.map(({ id }) => id),
    });
    const items = data.rows.flatMap(({ ahj, values }) =>
      asked.slice(0, -1).map((type) => ({
        id: ahj.id * 10_000 + type.id,
        ahj,
        data_point_type: type,
        value: values[type.id]?.value ?? null,
        reference: null,
        section: null,
        updated_at: "2026-01-02T03:04:05Z",
      })),
    );
    const pagination = (total: number) => ({ page: 1, page_size: 500, total, total_pages: 1 });
    const page = (list: unknown[]) =>
      Response.json({
        response_type: "success",
        description: "",
        data: {
          items: list,
          pagination: pagination(list.length),
          collection_id: "fees",
          collection_name: "Fees",
        },
        warnings: [],
      });
    const service = connected("demo-national", {
      intercept: ({ url }) =>
        url.includes("/data?")
          ? page(items)
          : url.includes("/v1/collections")
            ? page([collection])
            : undefined,
    });
    const { report } = await refreshImport(
      { ...saved, collection: { id: "fees", name: "Fees" } },
      { ...service, tables: tablesWith(sheet), documents, book },
    );
    const shown = (table: SheetTable, type?: DataPointType) =>
      table.rows.map((row) => row[table.headers.indexOf(headerOf(table, type))]);
    expect(report.unknownTypes.map(({ id }) => id)).toEqual([takenOut?.id]);
    expect(shown(sheet, takenOut)).toEqual(shown(before, takenOut));
    expect(shown(before, takenOut).some((value) => value !== "")).toBe(true);
    expect(shown(sheet, emptied).every((value) => value === "")).toBe(true);
    expect(service.requests.filter((request) => request.includes("/v1/collections?"))).toHaveLength(1);
  });

  it("names columns that are gone, and needs the ids", async () => {
    const { saved, sheet, documents, book } = await importInto();
    const without = (name: string): SheetTable => {
      const place = sheet.headers.indexOf(name);
      const cut = <Item>(items: readonly Item[]) => items.filter((_, index) => index !== place);
      return { headers: cut(sheet.headers), rows: sheet.rows.map(cut) };
    };
    const service = connected("demo-national");
    const gone = headerOf(sheet, types[1]);
    const { report } = await refreshImport(saved, {
      ...service,
      tables: tablesWith(without(gone)),
      documents,
      book,
    });
    expect(report.missingColumns).toEqual([gone]);
    const lost = refreshImport(saved, {
      ...service,
      tables: tablesWith(without("AHJ ID")),
      documents,
      book,
    });
    await expect(lost).rejects.toThrow(/column of AHJ ids/);
    await expect(lost).rejects.toBeInstanceOf(Failure);
  });
});

describe("a saved import", () => {
  it("comes back from its XML as it was, whatever texts it holds", async () => {
    const { saved } = await importInto({ layout: "long", hasCitations: true });
    const odd = { ...saved, name: `<import>&"'\u0000\u001f\ud800\uffff</import> =1+1` };
    const xml = importXml(odd);
    const read = { ...odd, name: `<import>&"'\ufffd\ufffd\ud800\uffff</import> =1+1` };
    expect(parseImportXml(xml)).toEqual(read);
    expect(parseImportXml(`<?xml version="1.0"?>${xml.replaceAll('"name"', "&quot;name&quot;")}`)).toEqual(
      read,
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
