import { writeTable } from "../../src/workbook/sheet/tables/write-table";
import { describe, expect, it } from "vitest";
import type { Ahj } from "../../src/engine/api/schemas";
import { config } from "../../src/config";
import { freezeFormulas, unfreezeFormulas } from "../../src/workbook/cell-formulas/freeze";
import { refreshFormulas } from "../../src/workbook/cell-formulas/refresh-formulas";
import { planBookSources } from "../../src/workbook/imports/sources/book-sources";
import { createImportBook } from "../../src/workbook/imports/saved/import-book";
import type { ImportOrder } from "../../src/workbook/imports/run/import-types";
import { placeImport } from "../../src/workbook/imports/run/place-import";
import { takeServiceValues } from "../../src/workbook/imports/refresh/take-service-values";
import { refreshImport } from "../../src/workbook/imports/refresh/refresh";
import { createImportTables } from "../../src/workbook/sheet/tables/table-changes";
import { plainForm } from "../../src/workbook/sheet/layout/table-plan";
import { searchTexts } from "../../src/workbook/sheet/cells/text-search";
import type { Destination } from "../../src/workbook/sheet/tables/write-table";
import { baseUrl } from "../recorded-service";
import { type FormulaName, formulaNames, playExcel } from "../functions/excel";
import { inTime } from "./in-time";
import { type ExcelOptions, openExcel } from "./open-excel";

/** A user's work from the first minute to handing the workbook on, in every Excel that makes a difference to the add-in. */
playExcel();

/** Older Excels than 1.20 have no undo groups, so the platform makes no difference to them. */
const platforms = { "1.9": ["web"], "1.15": ["web"], "1.20": ["web", "desktop"] } as const;
const excels: ExcelOptions[] = Object.entries(platforms).flatMap(([excelApi, undos]) =>
  ["1.3", "1.4"].flatMap((customFunctionsRuntime) =>
    undos.map((undo) => ({ excelApi, customFunctionsRuntime, undo, isPaced: true })),
  ),
);
const named = excels.map((excel) => [`${Object.values(excel).slice(0, 3).join(", ")}`, excel] as const);

const args: Record<FormulaName, string> = {
  VALUE: '"06001", 1003',
  MATRIX: '"06001", 1003',
  CITATION: '"06001", 1003',
  CARD: '"06001", 1057',
  CHANGED: '"06001", 1003, "2026-01-01"',
  GEOID: '"Alameda County, CA"',
  AHJ: '"06001", "county"',
  AHJS: '"NV"',
  TYPES: "",
  CATEGORIES: "",
  UNITS: "",
  COLLECTIONS: "",
  COLLECTION: '"Zoning", "06001"',
  FIND: '"06001", {1003,"has a value",""}',
};

/** This key's subscription covers the job, and its directory loads in a fraction of the time that the whole country takes. */
const key = "demo-west";
const { signal } = new AbortController();
const quietly = { signal, onProgress() {} };
const kinds = ["new sheet", "cell", "collection", "beside", "in place"] as const;
type Kind = (typeof kinds)[number];

async function open(options: ExcelOptions) {
  const excel = openExcel({ ...options, key: null });
  const { app, spreadsheet, enter } = excel;
  const { workbook } = app;
  await inTime(app.connect(baseUrl, key));
  const session = await inTime(app.session());
  const book = createImportBook(workbook);
  const tables = createImportTables(workbook);
  const [types, { ahjs }, collections] = await inTime(
    Promise.all([
      session.lookup.catalogue.types(),
      session.lookup.directory.load(),
      session.lookup.catalogue.recentCollections(),
    ]),
  );
  const counties = ahjs
    .filter(({ geoid, state_code }) => geoid?.length === 5 && state_code === "CA")
    .slice(0, 3);
  const [cellSheet, listSheet] = ["Cell", "List"].map((name) => spreadsheet.addSheet(name).id) as [
    string,
    string,
  ];
  enter("Cell!B3", [["given up"]]);
  enter("List!A1", [["geoID"], ...counties.map(({ geoid }) => [`'${geoid}`])]);

  const matrix = (from: number, wanted: readonly Ahj[] = counties) => ({
    question: { kind: "matrix" as const, ahjs: wanted, types: types.slice(from, from + 2) },
  });
  const place = (order: Partial<ImportOrder> & Pick<ImportOrder, "question">, to: Destination) =>
    inTime(
      placeImport(
        { form: plainForm, hasSources: false, sheetName: "Fees", ...order },
        to,
        { workbook, session },
        {},
      ),
    );
  const atCell = { kind: "cell" as const, sheetId: cellSheet, row: 1, column: 1 };
  const imports: Record<Kind, () => ReturnType<typeof place>> = {
    "new sheet": () => place({ ...matrix(0), hasSources: true }, { kind: "new-sheet", name: "Fees" }),
    cell: () => place(matrix(0), { ...atCell, mayOverwrite: { rows: 20, columns: 20 } }),
    collection: () => {
      const collection = collections.find(({ name }) => name === "Zoning")!;
      const question = { kind: "collection" as const, ahjs: counties, collection };
      return place({ question }, { kind: "new-sheet", name: "Zoning" });
    },
    async beside() {
      spreadsheet.select(listSheet, [{ row: 0, column: 0, rows: 4, columns: 1 }]);
      const list = await inTime(workbook.readListColumn());
      const header = { from: "list" as const, text: "geoID" };
      return place(
        { ...matrix(0), beside: { list, header, ahjs: counties } },
        { kind: "beside", list, header, mayOverwrite: null },
      );
    },
    async "in place"() {
      const all = (await inTime(book.list())).imports;
      const kept = all.find(({ place: there }) => there?.address.startsWith("Cell!"))!;
      const { rows, headers } = await inTime(workbook.describeTable(kept.saved.tableId));
      const { tableId } = kept.saved;
      const replaces = { kept, headers, rows, columns: headers.length };
      return place(
        { ...matrix(3), replaces },
        { kind: "in-place", tableId, rows, headers, mayOverwrite: { rows: 20, columns: 20 } },
      );
    },
  };
  const sheetNames = () => spreadsheet.sheets().map(({ name, isHidden }) => (isHidden ? `(${name})` : name));
  return { ...excel, workbook, session, book, tables, imports, sheetNames };
}

describe.each(named)("the whole job with ExcelApi, CustomFunctionsRuntime, undo: %s", (_, options) => {
  const canReplace = options.excelApi !== "1.9";

  it("is done, and leaves nothing behind", async () => {
    const job = await open(options);
    const { app, workbook, book, tables, session, enter, values, spreadsheet, problems } = job;
    formulaNames.forEach((name, row) =>
      enter(`Sheet1!A${1 + 400 * row}`, [[`=REGDATA.${name}(${args[name]})`]]),
    );
    await inTime(spreadsheet.idle());
    formulaNames.forEach((name, row) => {
      const [[shown]] = values(`Sheet1!A${1 + 400 * row}`) as [[unknown]];
      // A card's value is an error, but its text is not.
      if (name !== "CARD") expect([name, shown]).not.toEqual([name, expect.stringMatching(/^#/)]);
    });
    expect(spreadsheet.card("sheet-1", 1_200, 0) !== null).toBe(
      options.excelApi === "1.20" && options.customFunctionsRuntime === "1.4",
    );

    for (const kind of kinds) {
      const placed = await job.imports[kind]();
      if (kind === "in place" && !canReplace) expect(placed).toMatchObject({ status: "failed" });
      else expect([kind, placed]).toMatchObject([kind, { status: "done", notRemembered: null }]);
    }
    const sheets = ["Sheet1", "Cell", "List", "Fees", "Sources", "Zoning"];
    expect(job.sheetNames()).toEqual(sheets);
    expect(spreadsheet.tables()).toHaveLength(5);

    const { imports } = await inTime(book.list());
    // The import that replaced another has taken over its entry.
    expect(imports).toHaveLength(4);
    for (const { saved } of imports) {
      const { report } = await inTime(
        refreshImport(saved, { tables, book: createImportBook(workbook), ...session }),
      );
      expect([saved.name, report.changes]).toEqual([saved.name, []]);
    }
    const matrix = imports.find(({ place }) => place?.address.startsWith("Fees!"))!;
    const table = spreadsheet.tables().find(({ id }) => id === matrix.saved.tableId)!;
    enter("Fees!E2", [["typed over"]]);
    const changed = await inTime(
      refreshImport(matrix.saved, { tables, book: createImportBook(workbook), ...session }),
    );
    expect(changed.report).toMatchObject({ changes: [], edited: [{ text: "typed over" }] });
    const dependencies = { tables, book: createImportBook(workbook), documents: session.documents };
    const taken = await inTime(
      takeServiceValues(matrix.saved, { report: changed.report, cells: changed.report.edited }, dependencies),
    );
    expect(taken.edited).toEqual([]);
    expect(values("Fees!E2")).not.toEqual([["typed over"]]);
    const more = (await inTime(session.lookup.catalogue.types())).slice(2, 3);
    const change = { types: [...matrix.saved.types, ...more], newAhjs: [] };
    await inTime(
      refreshImport(changed.saved, { tables, book: createImportBook(workbook), ...session }, { change }),
    );
    expect(spreadsheet.tables().find(({ id }) => id === table.id)?.rect.columns).toBe(table.rect.columns + 1);
    const marks = changed.report.edited.map(({ place }) => ({ ...place, kind: "edited" as const }));
    await inTime(tables.unmark(table.id, await inTime(tables.mark(table.id, changed.report.read, marks))));

    const canSeeSpills = canReplace;
    const found = await inTime(
      workbook.findFormulas("workbook", { namespace: config.namespace, canSeeSpills }),
    );
    expect(found).toHaveLength(formulaNames.length);
    const refreshed = await inTime(refreshFormulas(found, { workbook, calls: app }, signal));
    expect(refreshed).toMatchObject({ formulas: formulaNames.length, waiting: 0, errors: 0 });
    await inTime(freezeFormulas(found, workbook, { ...quietly, canSeeDataTypes: false }));
    await inTime(
      unfreezeFormulas("workbook", workbook, { ...quietly, namespace: config.namespace, calls: app }),
    );

    const { imports: now } = await inTime(book.list());
    const { documents, lookup, credentials } = session;
    const sources = await inTime(
      planBookSources(now, { tables, lookup, documents, service: credentials.baseUrl }),
    );
    await inTime(writeTable(workbook, sources.plan!, { kind: "new-sheet", name: "All sources" }));
    const searched = await inTime(workbook.run((context) => searchTexts(context, [[key]])));
    expect(searched.found).toEqual([]);
    expect(job.sheetNames()).toEqual([...sheets, "All sources"]);
    expect(spreadsheet.tables()).toHaveLength(6);
    expect(spreadsheet.names()).toEqual([]);
    expect(await inTime(tables.leftCopies())).toEqual([]);
    expect(problems).toEqual([]);
  });
});

/** The oldest and the newest Excel: an import's work differs by ExcelApi, its undo by the platform. */
const refusing = named.filter(([name]) => ["1.9, 1.3, web", "1.20, 1.4, desktop"].includes(name));

it.each(refusing)(
  "an import leaves nothing behind whichever request Excel refuses: %s",
  async (_, options) => {
    for (const kind of kinds) {
      if (kind === "in place" && options.excelApi === "1.9") continue;
      let refused = 0;
      let requests = 0;
      let job: Awaited<ReturnType<typeof open>> | undefined;
      for (let request = 0; ; request += 1) {
        job ??= await open({ ...options, onRequest: () => (requests += 1) });
        if (kind === "in place") await job.imports.cell();
        const before = { sheets: job.sheetNames(), tables: job.spreadsheet.tables() };
        requests = 0;
        job.fail(7000, 1, "workbook", request);
        const placed = await job.imports[kind]().catch(() => null);
        const wasHit = requests > request;
        expect(job.sheetNames().filter((name) => name.startsWith("("))).toEqual([]);
        expect(job.spreadsheet.names()).toEqual([]);
        expect(job.problems).toEqual([]);
        // These requests may fail without harm: to learn which sheet is in front, to show the table, and to remember the import.
        if (placed?.status === "done") {
          if (!wasHit) break;
          job = undefined;
          continue;
        }
        refused += 1;
        const after = { sheets: job.sheetNames(), tables: job.spreadsheet.tables() };
        expect(after, `${kind}, request ${request}`).toEqual(before);
        if (kind === "in place") job = undefined;
      }
      expect(refused, kind).toBeGreaterThan(4);
    }
  },
);
