import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { Failure } from "../../../../src/errors";
import type { FoundAnswer } from "../../../../src/engine/lookup/answers/kept-answers";
import { nameInFormula } from "../../../../src/engine/lookup/directory/codes";
import {
  askOneAnew,
  changeOf,
  isUnchanged,
  refreshCell,
} from "../../../../src/workbook/imports/refresh/refresh-cell";
import type { SavedImport } from "../../../../src/workbook/imports/saved/saved-import";
import { createSnapshots } from "../../../../src/workbook/imports/saved/snapshots";
import type { TableColumns } from "../../../../src/workbook/sheet/tables/bound-table";
import type { CellUpdate, TableEdit } from "../../../../src/workbook/sheet/tables/table-edit";
import { planTable, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import type { PublishedAnswer } from "../../../../src/workbook/sheet/layout/answer-parts";
import { connected, type Interception } from "../../../recorded-service";
import { ahj, fee, playImport, playLookup, published, rule, type Said } from "../played-import";
import { savedFees } from "../saved-fees";
import { lastRun, toldBy } from "../last-run";
import { memoryBook } from "../memory-parts";

const allTypes = await connected("demo-national").lookup.catalogue.types();
const types = [1003, 1056].flatMap((id) => allTypes.filter((type) => type.id === id));
const { ahjs: california } = await connected("demo-national").lookup.directory.list("CA");
const ahjs = california.filter(({ type }) => type === "county").slice(0, 3) as [Ahj, Ahj, Ahj];
const asked = { ahjId: ahjs[1].id, typeId: 1056 };

/** Changes the value of the second AHJ's type 1056 to $9,999. */
const dearer: Interception = async (request) => {
  if (!request.url.includes("/v1/reports/matrix")) return undefined;
  const answer = await connected("demo-national").fetch(request.clone());
  const body = (await answer.json()) as { data: { rows: { values: Record<string, { value: string }> }[] } };
  for (const { values } of body.data.rows) if (values[1056]) values[1056].value = "$9,999";
  return Response.json(body);
};

/** An import of three counties with its rows reversed, on a service that may give other answers by now. */
async function imported(form: TableForm, intercept?: Interception) {
  const { lookup, requests } = connected("demo-national", intercept ? { intercept } : {});
  const before = await connected("demo-national").lookup.answers.read({
    values: new Map(ahjs.map(({ id }) => [id, new Set([1003, 1056])])),
  });
  const of = (ahjId: number, typeId: number): PublishedAnswer | null => {
    const answer = before.of(ahjId, typeId);
    return answer instanceof Error ? null : answer.cell;
  };
  const plan = planTable({ ahjs, types, of }, form);
  const saved = savedFees({
    form,
    columns: plan.columns,
    types,
  });
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
      return Promise.resolve({
        changedCells: [],
        missingCells: [],
        missingColumns: [],
        changedColumns: [],
        notesOfOthers: { kept: [], replaced: [] },
      });
    },
  };
  const { documents } = openCache(createDisk({}), "memory");
  const run = lastRun(Object.fromEntries(ahjs.map(({ id }) => [`${id} 1056`, of(id, 1056)])));
  await createSnapshots(documents).write("one", run);
  const { book } = await memoryBook(saved);
  const dependencies = { tables, lookup, documents, book };
  const known = before.of(asked.ahjId, asked.typeId) as FoundAnswer;
  return { saved, known, dependencies, rows, updates, requests, headers };
}

describe("one answer of an import, refreshed alone", () => {
  it.each([
    { layout: "wide", hasCitations: false },
    { layout: "wide", hasCitations: true },
    { layout: "long", hasCitations: true },
  ] as const)("changes the cells that show it and no other, with one request: %o", async (form) => {
    const { saved, known, dependencies, rows, updates, requests, headers } = await imported(form, dearer);
    const change = await refreshCell(saved, { asked, before: known }, dependencies);
    expect(requests).toEqual(["POST /v1/reports/matrix"]);
    expect(change.before?.value).toBe(known.cell.value);
    expect(change.after?.value).toBe("$9,999");
    expect(isUnchanged(change)).toBe(false);
    expect(updates).toHaveLength(1);
    const [{ row, header, cell }] = updates as [CellUpdate];
    expect(rows[row]?.[headers.indexOf("AHJ ID")]).toBe(asked.ahjId);
    if (form.layout === "long") expect(rows[row]?.[headers.indexOf("Type ID")]).toBe(1056);
    expect(header).toBe(form.layout === "long" ? "Value" : `${types[1]?.name} ($)`);
    expect(cell.value).toBe(9_999);
    // The next refresh of the whole import compares with this run.
    const run = await createSnapshots(dependencies.documents).read("one");
    const kept = Object.values(run ? toldBy(run) : {});
    expect(kept.filter((known) => known?.value === "$9,999")).toHaveLength(1);
    expect(kept).toHaveLength(3);
  });

  it("has the note follow its value, where the number stays but is written elsewhere", async () => {
    const { saved, known, dependencies, updates } = await imported({ layout: "wide", hasCitations: false });
    const other = { ...known.cell, section: "before" };
    await createSnapshots(dependencies.documents).write(
      "one",
      lastRun({ [`${asked.ahjId} ${asked.typeId}`]: other }),
    );
    const noted = { ...saved, form: { ...saved.form, hasNotes: true } };
    const change = await refreshCell(noted, { asked, before: known }, dependencies);
    expect(isUnchanged(change)).toBe(true);
    expect(updates).toHaveLength(1);
    expect(updates[0]?.note).toContain(known.cell.section);
  });

  it("says so if nothing has changed, and replaces a text that a user typed over it", async () => {
    const { saved, known, dependencies, rows, updates, requests, headers } = await imported({
      layout: "wide",
      hasCitations: false,
    });
    expect(isUnchanged(await refreshCell(saved, { asked, before: known }, dependencies))).toBe(true);
    expect([updates, requests]).toEqual([[], ["POST /v1/reports/matrix"]]);
    (rows[1] ?? [])[5] = "mine";
    const change = await refreshCell(saved, { asked, before: known }, dependencies);
    expect([change.before?.value, change.after?.value]).toEqual(["mine", known.cell.value]);
    expect(updates).toMatchObject([{ row: 1, header: headers[5] }]);
  });

  it("names a text that a user typed over a citation, or over a value that has changed meanwhile", async () => {
    const { saved, known, dependencies, rows, headers } = await imported(
      { layout: "wide", hasCitations: true },
      dearer,
    );
    const value = headers.indexOf(`${types[1]?.name} ($)`);
    (rows[1] ?? [])[value] = "my value";
    (rows[1] ?? [])[value + 1] = "my citation";
    const change = await refreshCell(saved, { asked, before: known }, dependencies);
    expect([change.before?.value, change.after?.value]).toEqual([known.cell.value, "$9,999"]);
    expect(change.replaced).toEqual(["my value", "my citation"]);
  });

  it("leaves the sheet as it is if the service can't be asked", async () => {
    const form = { layout: "wide", hasCitations: false } as const;
    const used = () => new Response("{}", { status: 429, headers: { "Retry-After": "600" } });
    const { saved, known, dependencies, updates } = await imported(form, used);
    await expect(refreshCell(saved, { asked, before: known }, dependencies)).rejects.toMatchObject({
      kind: "rate-limited",
    });
    expect(updates).toEqual([]);
  });
});

const found = (cell: PublishedAnswer): FoundAnswer => ({
  type: allTypes[0] as FoundAnswer["type"],
  cell,
  isOld: false,
});

describe("refreshing one answer", () => {
  const dated = published("$30", { updatedAt: "2026-01-02T03:04:05Z" });

  it.each([
    ["with its date where that was known", found(dated), "dated"],
    ["without a date where none was known", found(published("$30")), "values"],
    ["without a date where there was no answer", new Failure("no-value"), "values"],
    ["without a date where nothing was known", null, "values"],
  ] as const)("asks once, at once, for one answer: %s", async (_, before, source) => {
    const service = playLookup({ "1 10": published("$31") });
    const { signal } = new AbortController();
    const startMs = Date.now();
    const answer = await askOneAnew({ ahjId: 1, typeId: 10 }, before, service.lookup, { signal });
    expect(answer).toEqual(published("$31"));
    expect(service.asked).toEqual({ values: [], dated: [], ahjs: [], [source]: ["1 10"] });
    expect(service.options).toMatchObject([{ signal, urgent: true }]);
    // No kept answer is new enough, and a used-up limit is not waited for.
    const [{ sinceMs, giveUpAtMs } = {}] = service.options;
    expect(sinceMs).toBeGreaterThanOrEqual(startMs);
    expect(giveUpAtMs).toBe(sinceMs);
  });

  it("gives nothing if there is no value, and fails if the service gives no answer", async () => {
    const { lookup } = playLookup({ "1 20": "outside-subscription" });
    expect(await askOneAnew({ ahjId: 1, typeId: 10 }, null, lookup)).toBeNull();
    const denied = askOneAnew({ ahjId: 1, typeId: 20 }, null, lookup);
    await expect(denied).rejects.toMatchObject({ kind: "outside-subscription" });
  });

  it.each([
    ["a value", found(published("$30")), published("$30")],
    ["that there is none", new Failure("no-value"), null],
    ["why there was no answer", new Failure("unreachable"), undefined],
    ["nothing", null, undefined],
  ])("compares with the known answer: %s", (_, before, known) => {
    expect(changeOf(before, published("$31"))).toEqual({ before: known, after: published("$31") });
  });

  it.each([
    [undefined, null, false],
    [undefined, published("$30"), false],
    [null, null, true],
    [null, published("$30"), false],
    [published("$30"), published("$30", { fetchedAtMs: 9 }), true],
  ])("tells of %o that it is now %o: unchanged %s", (before, after, unchanged) => {
    expect(isUnchanged({ before, after })).toBe(unchanged);
  });
});

describe("one cell of an import", () => {
  const [alpha, beta] = [ahj(1, "Alpha"), ahj(2, "Beta")];
  const said: Said = {
    "1 10": published("$30", { section: "1-10" }),
    "1 20": published("as adopted"),
    "2 10": published("$40"),
  };
  const play = (given: Partial<Parameters<typeof playImport>[0]> = {}) =>
    playImport({ ahjs: [alpha, beta], said, known: said as Record<string, PublishedAnswer>, ...given });
  type Sheet = Awaited<ReturnType<typeof playImport>>;
  const before = found(said["1 10"] as PublishedAnswer);
  const refresh = (
    { tables, documents, book, saved }: Sheet,
    now = said,
    changes: Partial<SavedImport> = {},
  ) => {
    const { lookup } = playLookup(now, { who: [alpha, beta] });
    void lookup.directory.recall();
    return refreshCell(
      { ...saved, ...changes },
      { asked: { ahjId: 1, typeId: 10 }, before },
      {
        tables,
        documents,
        book,
        lookup,
      },
    );
  };
  const dearer = { ...said, "1 10": published("$31", { section: "1-11" }) };

  it("is found and written by its own columns; the table keeps all of them", async () => {
    const sheet = await play();
    const headers = [...sheet.headers];
    await refresh(sheet, dearer);
    expect(sheet.reads.flat()).toContain(`${fee.name} ($)`);
    expect(sheet.reads.flat()).not.toContain(rule.name);
    expect(sheet.edits[0]).toMatchObject({ newRows: [], newColumns: [], goneColumns: [] });
    expect(sheet.headers).toEqual(headers);
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([31, 40]);
  });

  it("beside a list is left if the entry is another's by now", async () => {
    const sheet = await play({ ahjs: [alpha, alpha] });
    Object.assign(sheet.cell(1, "Name"), { value: "Beta" });
    const columns = sheet.saved.columns.filter(({ header }) => header !== "Name");
    await refresh(sheet, dearer, { columns, listHeader: "Name" });
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([31, 30]);
  });

  it("whose note this Excel can't write gets the note with the next refresh", async () => {
    const sheet = await play({ form: { layout: "wide", hasCitations: false, hasNotes: true } });
    sheet.excel.canNote = false;
    await refresh(sheet, dearer);
    sheet.excel.canNote = true;
    await sheet.refresh(dearer);
    expect(sheet.cell(0, "Fee ($)")).toMatchObject({ value: 31, note: "Code\n1-11" });
    expect(sheet.edits[1]?.updates).toHaveLength(1);
  });

  it("is compared with the text that it shows, and nothing is kept, if this device knows nothing of the import", async () => {
    const sheet = await playImport({ ahjs: [alpha, beta], said });
    expect(isUnchanged(await refresh(sheet))).toBe(true);
    expect(await sheet.kept()).toBeUndefined();
  });

  it("reports a user's text over the value, in any of its rows", async () => {
    const sheet = await play({ ahjs: [alpha, alpha], form: { layout: "wide", hasCitations: true } });
    Object.assign(sheet.cell(1, "Fee ($)"), { value: "mine" });
    expect(await refresh(sheet)).toMatchObject({ before: { value: "mine" }, after: { value: "$30" } });
    expect(sheet.rows.map((row) => row["Fee ($)"]?.value)).toEqual([30, 30]);
  });

  it("reports the answer as unchanged if a user typed over its citation, which is restored", async () => {
    const sheet = await play({ form: { layout: "wide", hasCitations: true } });
    Object.assign(sheet.cell(0, "Fee: Section"), { value: "mine" });
    expect(isUnchanged(await refresh(sheet))).toBe(true);
    expect(sheet.cell(0, "Fee: Section").value).toBe("1-10");
    sheet.cut("Fee ($)");
    Object.assign(sheet.cell(0, "Fee: Section"), { value: "mine" });
    expect(isUnchanged(await refresh(sheet))).toBe(true);
  });
});

describe("a formula's name for an AHJ", () => {
  it("is its geoID if that is certain, else its id", async () => {
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
