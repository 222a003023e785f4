import { afterEach, describe, expect, it, vi } from "vitest";
import type { Session } from "../../../src/app";
import type { Ahj, DataPointType } from "../../../src/engine/api/schemas";
import { createSignature } from "../../../src/settings/signature";
import {
  createSavedImportsControl,
  type RefreshState,
  type SavedImportsControl,
} from "../../../src/taskpane/refresh/saved-imports-control";
// A script that is loaded on demand would arrive in real time, but these tests use fake time, so it is loaded here.
import "../../../src/taskpane/refresh/refresh-work";
import "../../../src/workbook/imports/refresh/summary";
import "../../../src/workbook/unfinished/noted-import";
import type { RefreshReport } from "../../../src/workbook/imports/refresh/plan-refresh";
import { placeImport } from "../../../src/workbook/imports/run/place-import";
import { createImportBook, type KeptImport } from "../../../src/workbook/imports/saved/import-book";
import { importNamespace } from "../../../src/workbook/imports/saved/saved-import";
import { plainForm } from "../../../src/workbook/sheet/layout/table-plan";
import { type Unfinished, unfinishedXml, type Work } from "../../../src/workbook/unfinished/unfinished-work";
import { inTime } from "../../excel/in-time";
import { type ExcelOptions, openExcel, type PlayedExcel, type SavedFile } from "../../excel/open-excel";
import { pass, playExcel } from "../../functions/excel";
import { baseUrl } from "../../recorded-service";

playExcel();

const counties = ["06001", "06037", "06059"];
let file: SavedFile;
let excel: PlayedExcel;
let session: Session;
let control: SavedImportsControl;
let stop: () => void;

async function found(geoids: readonly string[], of = session): Promise<Ahj[]> {
  const resolved = await inTime(of.lookup.directory.resolve(geoids));
  return [...resolved.values()].filter((each): each is Ahj => "id" in each);
}
async function typesOf(count: number, of = session): Promise<DataPointType[]> {
  return (await inTime(of.lookup.catalogue.types())).slice(0, count);
}

/** A file with two imports, as the service answered before the month in which rules change. */
async function importedFile(): Promise<SavedFile> {
  const played = openExcel({ month: "before" });
  const of = await inTime(played.app.session());
  for (const [name, geoids] of Object.entries({ Counties: counties, Nevada: ["32003"] })) {
    const question = { kind: "matrix" as const, ahjs: await found(geoids, of), types: await typesOf(40, of) };
    const order = { question, form: plainForm, hasSources: false, sheetName: name };
    const dependencies = { workbook: played.app.workbook, session: of };
    await inTime(placeImport(order, { kind: "new-sheet", name }, dependencies, {}));
    await pass(1_000);
  }
  const saved = played.save();
  played.close();
  return saved;
}

/** Opens the file a month later. */
async function open(options: ExcelOptions = {}, prepare: () => Promise<unknown> = async () => undefined) {
  file ??= await importedFile();
  vi.setSystemTime(new Date("2026-03-12T18:00:00Z"));
  excel = openExcel({ file, month: "after", ...options });
  session = await inTime(excel.app.session());
  await inTime(prepare());
  control = createSavedImportsControl(excel.app, session);
  stop = control.follow();
  await rests();
}
afterEach(() => {
  stop();
  expect(excel.problems).toEqual([]);
  excel.close();
});

const state = () => control.getSnapshot();
/** Waits until nothing is under way any more. */
async function rests() {
  for (let turn = 0; turn < 50; turn += 1) {
    await pass(1_000);
    if (!state().isRefreshing) return pass(1_000);
  }
}
function kept(name: string): KeptImport {
  const one = state().list?.imports.find(({ saved }) => saved.name === name);
  if (!one) throw new Error(`There is no import ${name}.`);
  return one;
}
const names = () => state().list?.imports.map(({ saved }) => saved.name);
const places = () => state().list?.imports.map(({ place }) => place?.address ?? null);
const stateOf = (name: string): RefreshState | undefined => state().refreshes.get(kept(name).saved.id);
function reportOf(name: string): RefreshReport {
  const refresh = stateOf(name);
  if (refresh?.status !== "done") throw new Error(`${name} is ${refresh?.status ?? "not refreshed"}.`);
  return refresh.report;
}
const tableOf = (name: string) => kept(name).saved.tableId;
const sheetOf = (name: string) => excel.spreadsheet.sheets().find((sheet) => sheet.name === name)!.id;
const matrices = () => excel.requests.filter((request) => request.includes("matrix")).length;
async function refreshed(...wanted: string[]) {
  control.refresh(wanted.map(kept));
  await rests();
}
/** Holds every request for values back until the test lets it go. */
function holdBack() {
  let letGo = () => {};
  const until = new Promise<void>((resolve) => (letGo = resolve));
  const intercept = async (request: Request) => {
    if (request.url.includes("matrix")) await until;
    return undefined;
  };
  return { intercept, letGo };
}

describe("the list of imports", () => {
  it("shows where each stands, the newest first", async () => {
    await open();
    expect(names()).toEqual(["Nevada", "Counties"]);
    expect(places()).toEqual([expect.stringMatching(/^Nevada!A1:/), expect.stringMatching(/^Counties!A1:/)]);
    expect(state()).toMatchObject({ copies: [], leftCopies: [], failure: undefined, isRefreshing: false });
  });

  it("shows at once that the sheet of an import was deleted", async () => {
    await open();
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await pass(1_000);
    expect(kept("Nevada").place).toBeNull();
    expect(kept("Counties").place).not.toBeNull();
  });

  it("shows at once that the table of an import was deleted, and that it is back", async () => {
    await open();
    const table = excel.spreadsheet.tables().find(({ id }) => id === tableOf("Nevada"))!;
    excel.spreadsheet.deleteTable(table.id);
    await pass(1_000);
    expect(kept("Nevada").place).toBeNull();
    excel.spreadsheet.addTable(table);
    await pass(1_000);
    expect(kept("Nevada").place).not.toBeNull();
  });

  it("looks once at the workbook when many tables go at the same time", async () => {
    await open();
    const readParts = vi.spyOn(excel.app.workbook, "readParts");
    control = createSavedImportsControl(excel.app, session);
    const stopOther = control.follow();
    await rests();
    const before = readParts.mock.calls.length;
    for (const { id } of excel.spreadsheet.tables()) excel.spreadsheet.deleteTable(id);
    await pass(1_000);
    stopOther();
    expect(places()).toEqual([null, null]);
    const looks = readParts.mock.calls.slice(before).filter(([namespace]) => namespace === importNamespace);
    // There is one look for each list that is shown.
    expect(looks).toHaveLength(2);
  });

  it("is not read while nobody looks at it", async () => {
    await open();
    stop();
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await pass(1_000);
    expect(kept("Nevada").place).not.toBeNull();
    stop = control.follow();
    await pass(1_000);
    expect(kept("Nevada").place).toBeNull();
  });

  it("hears of nothing if it is left before Excel has begun to report", async () => {
    await open();
    stop();
    control.follow()();
    await pass(1_000);
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await pass(1_000);
    expect(kept("Nevada").place).not.toBeNull();
  });

  it("looks twice: an import that goes while it looks is no failure", async () => {
    await open();
    excel.fail(5012, 1, "workbook");
    control.reload();
    await rests();
    expect(state().failure).toBeUndefined();
    excel.fail(5012, 2, "workbook");
    control.reload();
    await rests();
    expect(state().failure).toBeDefined();
    control.reload();
    await rests();
    expect(state().failure).toBeUndefined();
  });

  it("keeps a failure in sight when a table goes meanwhile", async () => {
    await open();
    control.goTo("no such table");
    await rests();
    expect(state().failure?.kind).toBe("table-gone");
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await pass(1_000);
    expect(kept("Nevada").place).toBeNull();
    expect(state().failure?.kind).toBe("table-gone");
  });

  it("offers a copied table, and makes it an import of its own once, however often it is asked", async () => {
    await open();
    const original = excel.spreadsheet.tables().find(({ id }) => id === tableOf("Nevada"))!;
    const { id: sheetId } = excel.spreadsheet.addSheet("Copy");
    const cells = excel.spreadsheet.read(original.sheetId, original.rect);
    excel.spreadsheet.writeFormulas(
      sheetId,
      original.rect,
      cells.map((row) => row.map(({ value }) => value)),
    );
    const { rect, style } = original;
    excel.spreadsheet.addTable({ name: "Copied", sheetId, rect, style });
    await pass(1_000);
    const [copy] = state().copies;
    expect(copy?.of.saved.name).toBe("Nevada");
    control.keepCopy(copy!);
    control.keepCopy(copy!);
    await rests();
    expect(names()).toEqual(expect.arrayContaining(["Nevada (copy)"]));
    expect(names()).toHaveLength(3);
    expect(state().copies).toEqual([]);
  });

  it("shows and deletes hidden copies that an earlier run has left, but not that of an interrupted one", async () => {
    const work: Work = {
      ...{ kind: "import", importId: "x", name: "Codes", destination: "cell" },
      tables: [
        {
          ...{ sheetId: null, sheetName: "Codes", row: 0, column: 0, rows: 2, columns: 2 },
          ...{ copyName: "RegData copy 3", prints: null },
        },
      ],
    };
    await open({}, async () => {
      for (const name of ["RegData copy 1", "RegData copy 2", "RegData copy 3"]) {
        const { id } = excel.spreadsheet.addSheet(name);
        excel.spreadsheet.hideSheet(id, true);
      }
      await excel.app.workbook.writePart(null, unfinishedXml({ id: "one", atMs: 0, work }));
    });
    const left = () => state().leftCopies.map(({ sheetName }) => sheetName);
    expect(left()).toEqual(["RegData copy 1", "RegData copy 2"]);
    control.showLeftCopy(state().leftCopies[0]!);
    await rests();
    expect(left()).toEqual(["RegData copy 2"]);
    await inTime(control.deleteLeftCopies());
    expect(left()).toEqual([]);
    expect(excel.spreadsheet.sheets().map(({ name }) => name)).toEqual([
      ...["Sheet1", "Counties", "Nevada", "RegData copy 1", "RegData copy 3"],
    ]);
  });

  it("removes an unreadable import from the workbook", async () => {
    await open({}, () =>
      excel.app.workbook.writePart(null, `<import xmlns="${importNamespace}">{}</import>`),
    );
    const [refused] = state().list!.refused;
    control.forgetRefused(refused!);
    await rests();
    expect(state().list).toMatchObject({ refused: [], imports: [{}, {}] });
  });
});

describe("an import", () => {
  it("is renamed and forgotten; its table stays", async () => {
    await open();
    control.rename(kept("Nevada"), "Clark County");
    await rests();
    expect(names()).toEqual(["Clark County", "Counties"]);
    const { tableId } = kept("Clark County").saved;
    control.forget(kept("Clark County"));
    await rests();
    expect(names()).toEqual(["Counties"]);
    expect(excel.spreadsheet.tables().map(({ id }) => id)).toContain(tableId);
  });

  it("shows its table when the user goes there", async () => {
    await open();
    control.goTo(tableOf("Nevada"));
    await rests();
    expect(excel.spreadsheet.selection().sheetId).toBe(sheetOf("Nevada"));
  });

  it("is summed up question by question, without a request", async () => {
    await open();
    const before = excel.requests.length;
    const { pictures } = await inTime(control.summary(kept("Counties")));
    expect(pictures).toHaveLength(40);
    for (const { counts } of pictures) expect(counts.value + counts.none).toBe(3);
    expect(excel.requests).toHaveLength(before);
  });
});

describe("a refresh", () => {
  it("shows its progress and the changes; the workbook remembers it", async () => {
    await open();
    const seen: (RefreshState | undefined)[] = [];
    control.subscribe(() => seen.push(stateOf("Counties")));
    const before = kept("Counties").saved.lastRun.atMs;
    control.refresh([kept("Counties")]);
    expect(state()).toMatchObject({ isRefreshing: true });
    expect(stateOf("Counties")).toEqual({ status: "running" });
    await rests();
    expect(seen.some((each) => each?.status === "running" && each.progress)).toBe(true);
    expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
    expect(stateOf("Nevada")).toBeUndefined();
    expect(kept("Counties").saved.lastRun.atMs).toBeGreaterThan(before);
    expect(names()).toEqual(["Counties", "Nevada"]);
    const history = await inTime(control.history(kept("Counties")));
    expect(history).toHaveLength(1);
    expect(history[0]?.changes).toHaveLength(reportOf("Counties").changes.length);
    await inTime(control.clearHistory(kept("Counties")));
    expect(await inTime(control.history(kept("Counties")))).toEqual([]);
  });

  it("is the only one: a button pressed while it runs does nothing", async () => {
    await open();
    control.refresh([kept("Counties")]);
    control.refresh([kept("Nevada")]);
    await rests();
    expect(stateOf("Counties")?.status).toBe("done");
    expect(stateOf("Nevada")).toBeUndefined();
  });

  it("of all imports takes those whose tables are still there", async () => {
    await open();
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    control.refreshPresent();
    await rests();
    expect(stateOf("Counties")?.status).toBe("done");
    expect(stateOf("Nevada")).toBeUndefined();
  });

  it("that is cancelled begins no further import, and leaves the sheet as it was", async () => {
    const { intercept, letGo } = holdBack();
    await open({ intercept });
    const before = excel.values("Nevada!A1:Z2");
    control.refresh([kept("Nevada"), kept("Counties")]);
    await pass(1_000);
    control.cancel();
    letGo();
    await rests();
    expect(stateOf("Nevada")).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
    expect(stateOf("Counties")).toBeUndefined();
    expect(excel.values("Nevada!A1:Z2")).toEqual(before);
    control.refresh([kept("Nevada")]);
    await rests();
    expect(stateOf("Nevada")?.status).toBe("done");
  });

  it("that fails does not keep the next import from being refreshed", async () => {
    await open();
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await refreshed("Nevada", "Counties");
    expect(stateOf("Nevada")).toMatchObject({ status: "failed", failure: { kind: "table-gone" } });
    expect(stateOf("Counties")?.status).toBe("done");
  });

  it("clears earlier failures, and says when the list can't be read afterwards", async () => {
    await open();
    control.goTo("no such table");
    await rests();
    expect(state().failure).toBeDefined();
    control.refresh([kept("Nevada")]);
    expect(state().failure).toBeUndefined();
    await rests();
    expect(state().failure).toBeUndefined();
    vi.spyOn(excel.app.workbook, "findTables").mockRejectedValue(new Error("no"));
    await refreshed("Nevada");
    expect(state()).toMatchObject({ isRefreshing: false, failure: { kind: "internal" } });
    expect(stateOf("Nevada")?.status).toBe("done");
  });

  it("whose outcome the workbook can't keep still reports it, and says so", async () => {
    await open();
    const { writePart } = excel.app.workbook;
    vi.spyOn(excel.app.workbook, "writePart").mockImplementation((id, xml) =>
      xml.includes(importNamespace) ? Promise.reject(new Error("full")) : writePart(id, xml),
    );
    control = createSavedImportsControl(excel.app, session);
    stop();
    stop = control.follow();
    await rests();
    await refreshed("Counties");
    expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
    expect(state().failure).toBeDefined();
  });

  it("does not say who ran it unless the user allows that", async () => {
    await open();
    await refreshed("Nevada");
    expect(kept("Nevada").saved.lastRun.by).toBeUndefined();
    await inTime(createSignature(excel.app.storage).change(() => true));
    await refreshed("Nevada");
    expect(kept("Nevada").saved.lastRun.by).toBe("service.test");
  });

  it("says that formulas wait where the workbook calculates only when asked", async () => {
    await open();
    await refreshed("Nevada");
    expect(state().isManual).toBe(false);
    excel.document.calculationMode = "Manual";
    await refreshed("Nevada");
    expect(state().isManual).toBe(true);
  });

  it("looks at the workbook only at its end when tables go", async () => {
    const { intercept, letGo } = holdBack();
    await open({ intercept });
    control.refresh([kept("Counties")]);
    await pass(1_000);
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await pass(1_000);
    expect(kept("Nevada").place).not.toBeNull();
    letGo();
    await rests();
    expect(kept("Nevada").place).toBeNull();
  });
});

describe("imports of another service", () => {
  const other = "https://other.test";
  const fromElsewhere = async () => {
    const book = createImportBook(excel.app.workbook);
    const { imports } = await book.list();
    const { saved } = imports.find((each) => each.saved.name === "Nevada")!;
    await book.update(saved.id, { service: other });
  };

  it("are not refreshed until the user says so, while the others are", async () => {
    await open({}, fromElsewhere);
    await refreshed("Nevada", "Counties");
    expect(stateOf("Counties")?.status).toBe("done");
    expect(stateOf("Nevada")).toBeUndefined();
    expect(state().otherService.map(({ saved }) => saved.service)).toEqual([other]);
    control.leaveOthers();
    expect(state().otherService).toEqual([]);
    expect(matrices()).toBe(1);
  });

  it("belong to the connected service once they were refreshed from there", async () => {
    await open({}, fromElsewhere);
    await refreshed("Nevada");
    control.refreshOthers();
    await rests();
    expect(stateOf("Nevada")?.status).toBe("done");
    expect(state().otherService).toEqual([]);
    expect(kept("Nevada").saved.service).toBe(baseUrl);
  });

  it("are not changed with another service's answers", async () => {
    await open({}, fromElsewhere);
    const change = { types: kept("Nevada").saved.types.slice(1), newAhjs: [] };
    expect(await inTime(control.change(kept("Nevada"), change))).toBe(false);
    expect(stateOf("Nevada")).toMatchObject({ failure: { kind: "other-service" } });
    expect(kept("Nevada").saved.types).toHaveLength(40);
  });
});

/** Makes the workbook remember a find that looks elsewhere, so that it finds none of the import's rows. */
async function rememberFind(name: string) {
  const book = createImportBook(excel.app.workbook);
  const { imports } = await book.list();
  const saved = imports.find((each) => each.saved.name === name)!.saved;
  const [type] = saved.types;
  await book.update(saved.id, {
    find: {
      match: "all",
      conditions: [{ type: type!, operator: "has-value", operand: "" }],
      within: { kind: "chosen", ahjIds: [] },
    },
  });
}

it("jurisdictions that left a find are reported once, and the workbook remembers them", async () => {
  await open({}, () => rememberFind("Counties"));
  await refreshed("Counties");
  expect(reportOf("Counties").left).toHaveLength(counties.length);
  await refreshed("Counties");
  expect(reportOf("Counties")).toMatchObject({ left: [], stillLeft: { length: counties.length } });
  const history = await inTime(control.history(kept("Counties")));
  expect(history.map(({ left }) => left?.length)).toEqual([undefined, counties.length]);
});

describe("a change of an import", () => {
  it("removes questions, adds jurisdictions, and remembers both", async () => {
    await open();
    const types = kept("Counties").saved.types.slice(0, 2);
    const newAhjs = await found(["06073"]);
    expect(await inTime(control.change(kept("Counties"), { types, newAhjs }))).toBe(true);
    await rests();
    expect(kept("Counties").saved.types).toEqual(types);
    expect(reportOf("Counties").newRows).toBe(1);
    expect(kept("Counties").place?.address).toMatch(/:[A-Z]+5$/);
    expect(names()).toEqual(["Counties", "Nevada"]);
  });

  it("that adds jurisdictions to the table of a find makes it a plain list in the workbook", async () => {
    await open({}, () => rememberFind("Counties"));
    const { types } = kept("Counties").saved;
    expect(await inTime(control.change(kept("Counties"), { types: types.slice(1), newAhjs: [] }))).toBe(true);
    await rests();
    expect(kept("Counties").saved.find).toMatchObject({ match: "all" });
    const newAhjs = await found(["06073"]);
    const change = { types: kept("Counties").saved.types, newAhjs };
    expect(await inTime(control.change(kept("Counties"), change))).toBe(true);
    await rests();
    expect(kept("Counties").saved.find).toBeNull();
    await refreshed("Counties");
    expect(reportOf("Counties")).toMatchObject({ entered: [], left: [], stillLeft: [] });
  });

  it("of an import that a colleague has forgotten meanwhile says so", async () => {
    await open();
    const was = kept("Nevada");
    await inTime(createImportBook(excel.app.workbook).forget(was.saved.id));
    const { types } = was.saved;
    expect(await inTime(control.change(was, { types: types.slice(1), newAhjs: [] }))).toBe(false);
    expect(state().failure).toMatchObject({
      kind: "cancelled",
      detail: expect.stringMatching(/forgotten/) as unknown,
    });
  });
});

describe("an interrupted refresh", () => {
  async function interrupted(work: Work & { kind: "refresh" | "change" }) {
    const unfinished: Unfinished = { id: "one", atMs: 0, work };
    await inTime(excel.app.workbook.writePart(null, unfinishedXml(unfinished)));
    const [first] = (await inTime(excel.app.unfinished.list())).works;
    return { ...first!, work };
  }

  it("is done again, and its note goes", async () => {
    await open();
    const { id: importId, name } = kept("Counties").saved;
    control.finish(await interrupted({ kind: "refresh", importId, name, newRows: [] }));
    await rests();
    expect(stateOf("Counties")?.status).toBe("done");
    expect((await inTime(excel.app.unfinished.list())).works).toEqual([]);
  });

  it("of an import that is forgotten can't be done again, and its note stays", async () => {
    await open();
    control.finish(await interrupted({ kind: "refresh", importId: "gone", name: "Gone", newRows: [] }));
    await rests();
    expect(state().failure?.kind).toBe("table-gone");
    expect((await inTime(excel.app.unfinished.list())).works).toHaveLength(1);
  });

  it("that fails again keeps its note", async () => {
    await open();
    const { id: importId, name } = kept("Nevada").saved;
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    control.finish(await interrupted({ kind: "refresh", importId, name, newRows: [] }));
    await rests();
    expect(stateOf("Nevada")?.status).toBe("failed");
    expect((await inTime(excel.app.unfinished.list())).works).toHaveLength(1);
  });
});

describe("the report of a refresh", () => {
  const typed = "somebody typed this";
  /** Refreshes after a cell with a value was typed over. */
  async function edited() {
    await open();
    const header = kept("Counties").saved.columns.findIndex(
      ({ content }) => content.of === "answer" && content.part === "value",
    );
    excel.enter(address(1, header), [[typed]]);
    await refreshed("Counties");
    expect(reportOf("Counties").edited.map(({ text }) => text)).toEqual([typed]);
    return address(1, header);
  }
  const letters = (column: number): string =>
    column < 0 ? "" : letters(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));
  const address = (row: number, column: number) => `Counties!${letters(column)}${row + 1}`;
  const fills = () => {
    const sheetId = sheetOf("Counties");
    const { rect } = excel.spreadsheet.tables().find((table) => table.sheetId === sheetId)!;
    const places = Array.from({ length: rect.rows * rect.columns }, (_, at) => ({
      ...{ row: Math.floor(at / rect.columns), column: at % rect.columns },
    }));
    return places
      .filter(({ row, column }) => excel.spreadsheet.look(sheetId, row, column).fillColor !== null)
      .map(({ row, column }) => address(row, column));
  };

  it("shows where the edited cells stand, and puts back their own values if the user wants", async () => {
    const cell = await edited();
    expect(await inTime(control.editedAddresses(kept("Counties"), reportOf("Counties")))).toEqual([cell]);
    control.takeServiceValues(kept("Counties"), reportOf("Counties"), reportOf("Counties").edited);
    await rests();
    expect(excel.values(cell)).not.toEqual([[typed]]);
    expect(reportOf("Counties").edited).toEqual([]);
  });

  it("writes nothing into an import that a colleague has forgotten", async () => {
    const cell = await edited();
    const was = kept("Counties");
    await inTime(createImportBook(excel.app.workbook).forget(was.saved.id));
    const report = reportOf("Counties");
    control.takeServiceValues(was, report, report.edited);
    await rests();
    expect(state().failure?.kind).toBe("cancelled");
    expect(excel.values(cell)).toEqual([[typed]]);
  });

  it("marks its cells in the sheet, each once, and unmarks them again", async () => {
    const cell = await edited();
    const report = reportOf("Counties");
    control.mark(kept("Counties"), report);
    await rests();
    expect([...state().marks.keys()]).toEqual([kept("Counties").saved.id]);
    expect(fills()).toHaveLength(report.changes.length + 1);
    expect(fills()).toContain(cell);
    control.unmark(kept("Counties"));
    await rests();
    expect(fills()).toEqual([]);
    expect(state()).toMatchObject({ marks: new Map(), failure: undefined });
  });

  it("is unmarked when the import is forgotten", async () => {
    await edited();
    control.mark(kept("Counties"), reportOf("Counties"));
    await rests();
    control.forget(kept("Counties"));
    await rests();
    expect(names()).toEqual(["Nevada"]);
    expect(state()).toMatchObject({ marks: new Map(), failure: undefined });
    expect(fills()).toEqual([]);
  });

  it("can be dismissed even if its sheet is gone with the marks", async () => {
    await edited();
    control.mark(kept("Counties"), reportOf("Counties"));
    await rests();
    excel.spreadsheet.deleteSheet(sheetOf("Counties"));
    await pass(1_000);
    control.forget(kept("Counties"));
    await rests();
    expect(names()).toEqual(["Nevada"]);
    expect(state().failure).toBeUndefined();
  });

  it("stands on a sheet of its own when it is exported", async () => {
    await edited();
    control.exportChanges(kept("Counties"), reportOf("Counties"));
    await rests();
    expect(excel.spreadsheet.sheets().map(({ name }) => name)).toContain("Changes");
    expect(state().failure).toBeUndefined();
  });

  it("leads to its cells in the sheet", async () => {
    const cell = await edited();
    excel.spreadsheet.activateSheet(sheetOf("Sheet1"));
    const [{ place }] = reportOf("Counties").edited as [RefreshReport["edited"][number]];
    control.goToCell(kept("Counties"), reportOf("Counties"), place);
    await rests();
    const { sheetId, rects } = excel.spreadsheet.selection();
    expect(sheetId).toBe(sheetOf("Counties"));
    expect(rects.map(({ row, column }) => address(row, column))).toEqual([cell]);
  });
});
