import { expect, it } from "vitest";
import type { Ahj } from "../../../../src/engine/api/schemas";
import { openCache } from "../../../../src/engine/cache/cache";
import { createDisk } from "../../../../src/engine/cache/store";
import { refreshImport } from "../../../../src/workbook/imports/refresh/refresh";
import { refreshCell } from "../../../../src/workbook/imports/refresh/refresh-cell";
import { rememberImport } from "../../../../src/workbook/imports/saved/remember";
import { runImport } from "../../../../src/workbook/imports/run/run-import";
import { createImportBook } from "../../../../src/workbook/imports/saved/import-book";
import type { TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { baseUrl, connected, countByPath, type Interception } from "../../../recorded-service";
import { memoryParts } from "../memory-parts";
import { asInSheet, tablesWith } from "./sheet-table";

const key = "demo-national";
const { lookup } = connected(key);
const types = (await lookup.catalogue.types()).filter(({ id }) => id === 1056 || id === 1030);
const ahjs: readonly Ahj[] = (await lookup.directory.list("NV")).ahjs.slice(0, 8);
const form = (layout: TableForm["layout"], hasDashes = false): TableForm => ({
  ...{ layout, hasCitations: false, hasDates: true, hasDashes },
});

/** Makes every answer's date the last day of February 2026, shortly before midnight in UTC. */
const updatedInFebruary: Interception = async (request) => {
  if (!request.url.includes("/v1/data-points?")) return undefined;
  const answer = await connected(key).fetch(request.clone());
  const text = await answer.text();
  return new Response(text.replaceAll(/"updated_at":"[^"]*"/g, '"updated_at":"2026-02-28T23:59:59Z"'));
};
/** Excel's number for that day. */
const lastOfFebruary = 46_081;

async function importOf(layout: TableForm["layout"], { hasDashes = false, asked = types } = {}) {
  const { client, lookup: reading, requests } = connected(key);
  const question = { kind: "matrix" as const, ahjs, types: asked };
  const result = await runImport(
    question,
    { client, lookup: reading },
    { form: form(layout, hasDashes), isDated: true },
  );
  const { documents } = openCache(createDisk({}), "one");
  const book = createImportBook(memoryParts());
  await rememberImport(
    { question, form: form(layout, hasDashes), hasSources: false, sheetName: "Dated" },
    result,
    { tableId: "{1}", importId: "one" },
    { book, service: "https://service.test", documents },
  );
  const sheet = asInSheet(result.table);
  const dependencies = { tables: tablesWith(sheet), documents, book };
  const saved = (await book.read("one"))!;
  const dates = sheet.headers.flatMap((header, place) => (header.includes("Updated") ? [place] : []));
  return { saved, sheet, dependencies, requests, dates };
}

it("a table with dates has the day of each answer beside it, as a date of Excel's", async () => {
  const { sheet, dates } = await importOf("wide");
  const query = `ahj_ids=${ahjs.map(({ id }) => id).join()}&data_point_type_ids=1056&page=1&page_size=500`;
  const response = await connected(key).fetch(`${baseUrl}/v1/data-points?${query}`, {
    headers: { "X-API-Key": key },
  });
  const { data } = (await response.json()) as {
    data: { items: { ahj: { id: number }; updated_at: string }[] };
  };
  const ids = sheet.headers.indexOf("AHJ ID");
  const [, feeDate = -1] = dates;
  for (const { ahj, updated_at } of data.items) {
    const row = sheet.rows.find((cells) => cells[ids] === ahj.id);
    expect(row?.[feeDate]).toBe(Math.floor(Date.parse(updated_at) / 86_400_000) + 25_569);
  }
  expect(data.items.length).toBeGreaterThan(0);
});

it.each(["wide", "long"] as const)(
  "a refresh brings the dates up to date, and lists no change: %s",
  async (layout) => {
    const { saved, sheet, dependencies, dates } = await importOf(layout);
    const service = connected(key, { intercept: updatedInFebruary });
    const { report } = await refreshImport(saved, { ...service, ...dependencies });
    expect(report.changes).toEqual([]);
    expect(report.edited).toEqual([]);
    const shown = sheet.rows.flatMap((row) => dates.map((place) => row[place])).filter((cell) => cell !== "");
    expect(new Set(shown)).toEqual(new Set([lastOfFebruary]));
    expect(countByPath(service.requests)).toEqual({
      "GET /v1/data-points/types": 1,
      "GET /v1/data-points": 1,
    });
  },
);

it("a jurisdiction that the service no longer knows keeps its values and dates", async () => {
  const { saved, sheet, dependencies } = await importOf("wide");
  const [gone] = ahjs;
  const before = structuredClone(sheet.rows);
  const intercept: Interception = async (request) => {
    const isMatrix = request.url.endsWith("/v1/reports/matrix");
    if (!isMatrix && !request.url.includes("/v1/data-points?")) return undefined;
    const body = (await (await connected(key).fetch(request.clone())).json()) as {
      data: Record<"items" | "rows" | "ahjs", { id: number; ahj?: { id: number } }[] | undefined> & {
        pagination?: { total: number };
      };
    };
    for (const list of ["items", "rows", "ahjs"] as const)
      body.data[list] = body.data[list]?.filter(({ id, ahj }) => (ahj?.id ?? id) !== gone?.id);
    const { pagination, items } = body.data;
    if (pagination && items) pagination.total = items.length;
    return Response.json(body);
  };
  const service = connected(key, { intercept });
  const { report } = await refreshImport(saved, { ...service, ...dependencies });
  expect(sheet.rows[0]).toEqual(before[0]);
  expect(report.notRefreshed).toMatchObject([{ ahjId: gone?.id, kind: "unknown-jurisdiction" }]);
  expect(countByPath(service.requests)["POST /v1/reports/matrix"]).toBe(1);
});

it("a date that somebody has typed over is kept and listed", async () => {
  const { saved, sheet, dependencies, dates } = await importOf("wide");
  const [place = -1] = dates;
  const row = sheet.rows.find((cells) => cells[place] !== "")!;
  row[place] = "checked by phone";
  const service = connected(key, { intercept: updatedInFebruary });
  const { report } = await refreshImport(saved, { ...service, ...dependencies });
  expect(row[place]).toBe("checked by phone");
  expect(report.edited).toMatchObject([{ part: "updatedAt", text: "checked by phone" }]);
});

it("a single answer that is refreshed brings its date", async () => {
  const { saved, sheet, dependencies, dates } = await importOf("wide");
  const [, feeDate = -1] = dates;
  const row = sheet.rows.find((cells) => cells[feeDate] !== "")!;
  const ahjId = row[sheet.headers.indexOf("AHJ ID")] as number;
  const service = connected(key, { intercept: updatedInFebruary });
  await refreshCell(saved, { asked: { ahjId, typeId: 1056 }, before: null }, { ...service, ...dependencies });
  expect(row[feeDate]).toBe(lastOfFebruary);
});

it("a list of values does not say that there is none for a jurisdiction it leaves out, so only a refresh writes its dash", async () => {
  const asked = types.filter(({ id }) => id === 1056);
  const { saved, sheet, dependencies } = await importOf("wide", { hasDashes: true, asked });
  const fees = () => sheet.rows.map((row) => row[sheet.headers.findIndex((each) => each.includes("Fee"))]);
  const before = fees();
  expect(before).toContain("");
  expect(before).not.toContain("–");
  const { report } = await refreshImport(saved, { ...connected(key), ...dependencies });
  expect(fees()).toEqual(before.map((fee) => (fee === "" ? "–" : fee)));
  expect([report.changes, report.edited]).toEqual([[], []]);
});
