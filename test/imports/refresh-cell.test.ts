import { describe, expect, it } from "vitest";
import type { Ahj } from "../../src/api/schemas";
import { openCache } from "../../src/cache/cache";
import { createDisk } from "../../src/cache/disk";
import type { FoundAnswer } from "../../src/lookup/answers";
import { nameInFormula } from "../../src/imports/formula-name";
import { isUnchanged, refreshCell } from "../../src/imports/refresh-cell";
import type { SavedImport } from "../../src/imports/saved-import";
import { createSnapshots, type Known } from "../../src/imports/snapshots";
import type { TableColumns } from "../../src/sheet/import-table";
import type { CellUpdate, TableEdit } from "../../src/sheet/table-edit";
import { type Published, planTable, type TableForm } from "../../src/sheet/table-plan";
import { connected, type Interception } from "../recorded-service";

const allTypes = await connected("demo-national").lookup.catalogue.types();
const types = [1003, 1056].flatMap((id) => allTypes.filter((type) => type.id === id));
const { ahjs: california } = await connected("demo-national").lookup.directory.list("CA");
const ahjs = california.filter(({ type }) => type === "county").slice(0, 3) as [Ahj, Ahj, Ahj];
const asked = { ahjId: ahjs[1].id, typeId: 1056 };

/** The value of the second AHJ's type 1056 becomes $9,999. */
const dearer: Interception = async (request) => {
  if (!request.url.includes("/v1/reports/matrix")) return undefined;
  const answer = await connected("demo-national").fetch(request.clone());
  const body = (await answer.json()) as { data: { rows: { values: Record<string, { value: string }> }[] } };
  for (const { values } of body.data.rows) if (values[1056]) values[1056].value = "$9,999";
  return Response.json(body);
};

/** An import of three counties, its rows turned round, on a service that may answer otherwise by now. */
async function imported(form: TableForm, intercept?: Interception) {
  const { lookup, requests } = connected("demo-national", intercept ? { intercept } : {});
  const before = await connected("demo-national").lookup.answers.read({
    values: new Map(ahjs.map(({ id }) => [id, new Set([1003, 1056])])),
  });
  const of = (ahjId: number, typeId: number): Published | null => {
    const answer = before.of(ahjId, typeId);
    return answer instanceof Error ? null : answer.cell;
  };
  const plan = planTable({ ahjs, types, of }, form);
  const saved: SavedImport = {
    id: "one",
    name: "Fees",
    tableId: "{1}",
    service: "https://service.test",
    collection: null,
    form,
    columns: plan.columns,
    types,
    lastRun: { atMs: 0, rows: 0, values: 0, notRefreshed: 0 },
  };
  const rows = plan.rows.map((row) => row.map(({ value }) => value as unknown)).reverse();
  const headers = plan.columns.map(({ header }) => header);
  const updates: CellUpdate[] = [];
  const tables = {
    mayWrite: () => Promise.resolve(),
    read: (_: string, wanted: readonly string[]): Promise<TableColumns> => {
      const columns: TableColumns["columns"] = new Map();
      plan.columns.forEach(({ header }, place) => {
        if (wanted.includes(header))
          columns.set(header, { values: rows.map((row) => row[place]), numberFormats: [] });
      });
      return Promise.resolve({ rowCount: rows.length, headers, columns });
    },
    edit: (_: string, edit: TableEdit) => {
      updates.push(...edit.updates);
      return Promise.resolve();
    },
  };
  const { documents } = openCache(createDisk({}), "memory");
  const snapshot = new Map<string, Known | null>(ahjs.map(({ id }) => [`${id} 1056`, of(id, 1056)]));
  await createSnapshots(documents).write("one", snapshot);
  const doors = { tables, lookup, documents };
  const known = before.of(asked.ahjId, asked.typeId) as FoundAnswer;
  return { saved, known, doors, rows, updates, requests, headers };
}

describe("one answer of an import, asked anew", () => {
  it.each([
    { layout: "wide", hasCitations: false },
    { layout: "wide", hasCitations: true },
    { layout: "long", hasCitations: true },
  ] as const)("changes the cells that show it and no other, with one request: %o", async (form) => {
    const { saved, known, doors, rows, updates, requests, headers } = await imported(form, dearer);
    const change = await refreshCell(saved, asked, known, doors);
    expect(requests).toEqual(["POST /v1/reports/matrix"]);
    expect(change.before?.value).toBe(known.cell.value);
    expect(change.after?.value).toBe("$9,999");
    expect(isUnchanged(change)).toBe(false);
    expect(updates).toHaveLength(1);
    const [{ row, header, cell }] = updates as [CellUpdate];
    expect(rows[row]?.[headers.indexOf("AHJ ID")]).toBe(asked.ahjId);
    if (form.layout === "long") expect(rows[row]?.[headers.indexOf("Type ID")]).toBe(1056);
    expect(header).toBe(form.layout === "long" ? "Value" : types[1]?.name);
    expect(cell.value).toBe(9_999);
    // The next refresh of the whole import compares with this.
    const kept = await createSnapshots(doors.documents).read("one");
    expect([...(kept?.values() ?? [])].filter((known) => known?.value === "$9,999")).toHaveLength(1);
    expect(kept?.size).toBe(3);
  });

  it("has the note follow its value, where the number stays but is written elsewhere", async () => {
    const { saved, known, doors, updates } = await imported({ layout: "wide", hasCitations: false });
    const other = { ...known.cell, section: "before" };
    await createSnapshots(doors.documents).write("one", new Map([[`${asked.ahjId} ${asked.typeId}`, other]]));
    const noted = { ...saved, form: { ...saved.form, hasNotes: true } };
    const change = await refreshCell(noted, asked, known, doors);
    expect(isUnchanged(change)).toBe(true);
    expect(updates).toHaveLength(1);
    expect(updates[0]?.note).toContain(known.cell.section);
  });

  it("says where nothing has changed, and mends what somebody typed over it", async () => {
    const { saved, known, doors, rows, updates, requests, headers } = await imported({
      layout: "wide",
      hasCitations: false,
    });
    expect(isUnchanged(await refreshCell(saved, asked, known, doors))).toBe(true);
    expect([updates, requests]).toEqual([[], ["POST /v1/reports/matrix"]]);
    (rows[1] ?? [])[6] = "mine";
    const change = await refreshCell(saved, asked, known, doors);
    expect([change.before?.value, change.after?.value]).toEqual(["mine", known.cell.value]);
    expect(updates).toMatchObject([{ row: 1, header: headers[6] }]);
  });

  it("leaves the sheet as it is where the service can't be asked", async () => {
    const form = { layout: "wide", hasCitations: false } as const;
    const used = () => new Response("{}", { status: 429, headers: { "Retry-After": "600" } });
    const { saved, known, doors, updates } = await imported(form, used);
    await expect(refreshCell(saved, asked, known, doors)).rejects.toMatchObject({ kind: "rate-limited" });
    expect(updates).toEqual([]);
  });
});

describe("what a formula calls an AHJ", () => {
  it("is its geoID where that is certain, else its id", async () => {
    const { lookup, requests } = connected("demo-national");
    const [one] = ahjs;
    expect(await nameInFormula(one, lookup.directory)).toBe(`ahj:${one.id}`);
    expect(requests).toEqual([]);
    await lookup.directory.resolve([one.geoid ?? ""]);
    expect(await nameInFormula(one, lookup.directory)).toBe(one.geoid);
    expect(await nameInFormula({ ...one, id: one.id + 1 }, lookup.directory)).toBe(`ahj:${one.id + 1}`);
    expect(await nameInFormula({ ...one, geoid: null }, lookup.directory)).toBe(`ahj:${one.id}`);
  });
});
