import { beforeEach, describe, expect, it } from "vitest";
import type { Ahj } from "../../src/engine/api/schemas";
import { config } from "../../src/config";
import { freezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { planBookSources } from "../../src/workbook/imports/sources/book-sources";
import { planChanges } from "../../src/workbook/imports/refresh/changes-sheet";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import type { TableForm } from "../../src/workbook/sheet/layout/table-plan";
import { collectValues } from "../../src/workbook/last-known/collect";
import { parseLastKnownXml, lastKnownXml } from "../../src/workbook/last-known/last-known-values";
import { inTime } from "../excel/in-time";
import { openExcel, type PlayedExcel } from "../excel/open-excel";
import { connected } from "../recorded-service";
import { call, pass, playExcel, settled } from "../functions/excel";
import { saying } from "./hostile-service";
import { inCell, isPolluted, texts } from "./hostile-texts";

playExcel();

const { namespace } = config;

const ids = { permit: 1003, fee: 1056 };
const state = "NV";

/** As many jurisdictions as there are texts; each has a place in the list. */
const { lookup } = connected("demo-national");
const { ahjs: ofState } = await lookup.directory.list(state);
const placeOf = new Map(ofState.slice(0, texts.length).map(({ id }, place) => [id, place]));

/** The service's text for the jurisdiction at each place. */
let said: (place: number) => string;
beforeEach(() => {
  said = (place) => texts[place % texts.length] ?? "";
});
const textOf = ({ id }: Pick<Ahj, "id">) => said(placeOf.get(id) ?? NaN);

/** Excel on a service that gives each of these jurisdictions its text, whatever is asked. */
function hostileExcel(): PlayedExcel {
  const intercept = saying((object) => {
    const { ahj, values } = object as { ahj?: Ahj; values?: Record<string, object | null> };
    if (placeOf.has(Number(object.id)) && "state_code" in object)
      Object.assign(object, {
        name: textOf(object as unknown as Ahj),
        type: textOf(object as unknown as Ahj),
      });
    if ("unit_of_measure" in object) Object.assign(object, { name: said(0), unit_of_measure: "__proto__" });
    if ("description" in object) object.description = said(15);
    if (!ahj || !placeOf.has(ahj.id)) return;
    const answer = { value: textOf(ahj), reference: textOf(ahj), section: textOf(ahj) };
    for (const cell of values ? Object.values(values) : [object]) if (cell) Object.assign(cell, answer);
  });
  return openExcel({ intercept, excelApi: "1.18" });
}

async function listed({ app }: PlayedExcel) {
  const session = await inTime(app.session());
  const { ahjs } = await inTime(session.lookup.directory.list(state));
  const types = await inTime(session.lookup.catalogue.types());
  const asked = types.filter(({ id }) => id === ids.permit || id === ids.fee);
  return { session, ahjs: ahjs.filter(({ id }) => placeOf.has(id)), types: asked };
}

async function imported(excel: PlayedExcel, form: TableForm) {
  const { session, ahjs, types } = await listed(excel);
  const order = {
    question: { kind: "matrix" as const, ahjs, types },
    form,
    hasSources: true,
    sheetName: "x",
  };
  const place = { kind: "new-sheet" as const, name: said(32) };
  const placed = await inTime(placeImport(order, place, { workbook: excel.app.workbook, session }, {}));
  if (placed.status === "failed") throw placed.failure;
  return { placed, session, ahjs };
}

describe("a hostile text from the service", () => {
  it("stands in an import as it was sent", async () => {
    const excel = hostileExcel();
    const form = { layout: "wide" as const, hasCitations: true, hasNotes: true };
    const { placed, session, ahjs } = await imported(excel, form);
    const [headers = [], ...rows] = excel.values(placed.address ?? "");
    expect(rows).toHaveLength(ahjs.length);
    rows.forEach((row, index) => {
      const ahj = ahjs[index] as Ahj;
      const text = inCell(textOf(ahj));
      expect(row.slice(0, 4)).toEqual([text, ahj.state_code, text, ahj.geoid]);
      expect(row.at(-1)).toBe(ahj.id);
      for (const shown of row.slice(4, -1)) expect(["", text]).toContain(shown);
    });
    expect(rows.flat().filter((cell) => cell !== "").length).toBeGreaterThan(rows.length * 7);
    expect(
      excel
        .cells(placed.address ?? "")
        .flat()
        .every(({ value, formula }) => value === formula),
    ).toBe(true);
    expect(new Set(headers).size).toBe(headers.length);
    expect(placed.longTexts.length).toBeGreaterThan(0);

    const sources = excel.values(placed.sourcesAddress ?? "").slice(1);
    expect(sources.length).toBeGreaterThan(rows.length);
    const shown = new Set(texts.map(inCell));
    for (const [, , , ...told] of sources)
      expect(told.slice(0, 3).every((cell) => shown.has(String(cell)))).toBe(true);

    const { imports, refused } = await inTime(createImportBook(excel.app.workbook).list());
    expect([imports.length, refused]).toEqual([1, []]);
    const kept = imports[0]!;
    const tables = createImportTables(excel.app.workbook);
    const again = await inTime(
      refreshImport(kept.saved, { tables, book: createImportBook(excel.app.workbook), ...session }),
    );
    expect(again.report.changes).toEqual([]);

    said = (place) => texts[(place + 1) % texts.length] ?? "";
    await pass(1_000);
    const changed = await inTime(
      refreshImport(kept.saved, { tables, book: createImportBook(excel.app.workbook), ...session }),
    );
    expect(changed.report.changes.length).toBeGreaterThan(rows.length);
    const after = excel.values(placed.address ?? "").slice(1);
    after.forEach((row, index) => {
      const text = inCell(textOf(ahjs[index] as Ahj));
      for (const cell of row.slice(4, -1)) expect(["", text]).toContain(cell);
    });
    const plan = planChanges(
      changed.report,
      changed.report.changes.map(() => "A1"),
    );
    for (const cell of plan.rows.flat()) {
      expect(typeof cell.value).toBe("string");
      expect(cell.numberFormat === "@" || String(cell.value).startsWith("'")).toBe(true);
    }
    // The refresh has renamed the questions' headers, which the import's record then names.
    const renamed = [{ ...kept, saved: changed.saved }];
    const { plan: bookSources } = await inTime(
      planBookSources(renamed, { tables, ...session, service: session.credentials.baseUrl }),
    );
    expect(bookSources?.rows.length).toBeGreaterThan(rows.length);
    expect(excel.problems).toEqual([]);
    expect(isPolluted()).toBe(false);
  }, 60_000);

  it("stands in a long import, too, as it was sent", async () => {
    const excel = hostileExcel();
    const { placed } = await imported(excel, { layout: "long", hasCitations: true });
    const [, ...rows] = excel.values(placed.address ?? "");
    const shown = new Set(texts.map(inCell));
    for (const row of rows) for (const cell of row.slice(6, 9)) expect(shown.has(String(cell))).toBe(true);
    expect(rows.length).toBeGreaterThan(texts.length);
  }, 60_000);

  it("is given by formulas, frozen and carried along as it was sent", async () => {
    const excel = hostileExcel();
    const { session, ahjs } = await listed(excel);
    const asked = ahjs.filter(({ geoid }) => geoid !== null);
    excel.enter(
      "A1",
      asked.map(({ geoid }) => [`'${geoid}`]),
    );
    excel.enter(
      "B1",
      asked.map((_, row) => [`=REGDATA.VALUE(A${row + 1}, ${ids.permit})`]),
    );
    excel.enter(
      "C1",
      asked.map((_, row) => [`=REGDATA.CITATION(A${row + 1}, ${ids.permit})`]),
    );
    excel.enter(
      "D1",
      asked.map((_, row) => [`=REGDATA.AHJ(A${row + 1})`]),
    );
    excel.enter("F1", [[`=REGDATA.MATRIX(A1:A${asked.length}, ${ids.permit})`]]);
    await pass(10_000);
    const cells = excel.values(`B1:D${asked.length}`);
    let values = 0;
    cells.forEach(([value, citation, name], row) => {
      const text = textOf(asked[row] as Ahj);
      expect(name).toBe(inCell(text));
      if (value === "#N/A" && excel.errorMessage(`B${row + 1}`) !== null) return;
      values += 1;
      expect(value).toBe(inCell(text));
      expect(citation).toBe(inCell(`${text}, ${text}`));
    });
    expect(values).toBeGreaterThan(asked.length / 2);

    const { workbook } = excel.app;
    const found = await inTime(workbook.findFormulas("workbook", { namespace, canSeeSpills: false }));
    const { values: collected } = await inTime(
      collectValues(found, { workbook, lookup: session.lookup, namespace }),
    );
    const small = {
      ...collected,
      answers: collected.answers.filter(({ value }) => (value?.length ?? 0) < 1_000),
    };
    small.ahjs = small.ahjs.filter(({ name }) => name.length < 1_000);
    small.details = [];
    expect(small.answers.length).toBeGreaterThan(asked.length / 3);
    const xml = lastKnownXml(small);
    await inTime(workbook.writePart(null, xml));
    const parsed = parseLastKnownXml(xml);
    expect(parsed?.answers).toEqual(small.answers);
    expect(parsed?.ahjs).toEqual(small.ahjs);

    const single = found.filter(({ column }) => column > 0 && column < 4);
    const freezing = { canSeeDataTypes: false, signal: new AbortController().signal, onProgress() {} };
    await inTime(freezeFormulas(single, workbook, freezing));
    const frozen = excel.cells(`B1:D${asked.length}`);
    frozen.forEach((row, at) =>
      row.forEach(({ value, formula }, column) => {
        expect(value).toBe(cells[at]?.[column]);
        // A text that could be an Excel error stays a formula.
        if (value !== "#N/A") expect(formula).toBe(value);
      }),
    );
    expect(excel.problems).toEqual([]);
    expect(isPolluted()).toBe(false);
  }, 60_000);

  it("is given by cards and collections as it was sent", async () => {
    const { ahjs } = await listed(hostileExcel());
    const asked = ahjs.filter(({ geoid }) => geoid !== null);
    const cards = await settled(asked.map(({ geoid }) => call("CARD", geoid, ids.permit)));
    cards.forEach((card, at) => {
      const ahj = asked[at] as Ahj;
      const text = inCell(textOf(ahj));
      const property = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
      expect(card).toMatchObject({
        type: "Entity",
        text,
        properties: {
          Value: property(text),
          Jurisdiction: property(inCell(`${textOf(ahj)}, ${ahj.state_code}`)),
          Question: property(inCell(said(0))),
          Unit: property("__proto__"),
          Reference: property(text),
          Section: property(text),
        },
      });
    });
    // Texts of a megabyte in each cell of a collection would take seconds.
    const few = asked.filter((ahj) => textOf(ahj).length < 1_000);
    const geoids = few.map(({ geoid }) => [geoid]);
    const [wide, long] = (await settled([
      call("COLLECTION", "Zoning", geoids),
      call("COLLECTION", "Zoning", geoids, "long"),
    ])) as unknown[][][];
    expect(wide?.length).toBe(few.length + 1);
    wide?.slice(1).forEach(([name, state_code, ...values], at) => {
      const text = inCell(textOf(few[at] as Ahj));
      expect([name, state_code]).toEqual([text, state]);
      for (const value of values) if (!(value instanceof Error)) expect(["", text]).toContain(value);
      expect(values).toContain(text);
    });
    const told = (long ?? []).slice(1).flatMap((row) => row.filter((cell) => typeof cell === "string"));
    const shown = new Set<unknown>(["", state, ...geoids.flat(), ...texts.map(inCell)]);
    expect(told.filter((cell) => !shown.has(cell))).toEqual([]);
    expect(told.length).toBeGreaterThan(few.length * 5);
    expect(isPolluted()).toBe(false);
  });

  it("is given by lists as it was sent", async () => {
    hostileExcel();
    const [types, categories, units, ahjs, collections] = (await settled([
      call("TYPES"),
      call("CATEGORIES"),
      call("UNITS"),
      call("AHJS", state),
      call("COLLECTIONS"),
    ])) as unknown[][][];
    expect(types?.[1]?.slice(1, 4)).toEqual([inCell(said(0)), inCell(said(15)), "__proto__"]);
    const names = new Map(ahjs?.slice(1).map(([id, name]) => [Number(id), name]));
    for (const id of placeOf.keys()) expect(names.get(id)).toBe(inCell(textOf({ id })));
    expect(collections?.[1]?.[2]).toBe(inCell(said(15)));
    for (const list of [categories, units]) expect(list?.length).toBeGreaterThan(2);
  });
});
