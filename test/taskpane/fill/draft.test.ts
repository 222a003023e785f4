import { beforeEach, describe, expect, it } from "vitest";
import type { Session } from "../../../src/app";
import type { Collection, DataPointType } from "../../../src/engine/api/schemas";
import type { KeptImport } from "../../../src/workbook/imports/saved/import-book";
import { createImportSelector, type DraftedImport } from "../../../src/taskpane/fill/draft/draft";
import { createDraftControl, type DraftControl } from "../../../src/taskpane/fill/draft/draft-control";
import { asImportForm, formWords } from "../../../src/taskpane/fill/draft/import-form";
import { inTime } from "../../excel/in-time";
import { openExcel } from "../../excel/open-excel";
import { playExcel } from "../../functions/excel";

playExcel();

let excel: ReturnType<typeof openExcel>;
let session: Session;
let types: readonly DataPointType[];
let drafts: DraftControl;
let imported: () => DraftedImport;

beforeEach(async () => {
  excel = openExcel();
  session = await inTime(excel.app.session());
  types = (await inTime(session.lookup.catalogue.types())).slice(0, 3);
  drafts = createDraftControl(excel.app, session);
  const importOf = createImportSelector();
  imported = () => importOf(drafts.getState(), defaults);
});

const defaults = asImportForm(null, true);
const ask = (chosen: readonly DataPointType[], collection: Collection | null = null) =>
  drafts.change({ type: "ask", questions: { types: chosen, collection } });
const addState = (code: string) => inTime(drafts.where.addState(code));

describe("the import that a user is choosing", () => {
  it("says which choice is missing, until nothing is", async () => {
    expect(imported()).toMatchObject({ order: null, missing: "Choose jurisdictions and questions." });
    ask(types);
    expect(imported()).toMatchObject({ order: null, missing: "Choose jurisdictions." });
    await addState("DC");
    expect(imported()).toMatchObject({ missing: "", order: { question: { kind: "matrix", types } } });
    ask([]);
    expect(imported()).toMatchObject({ order: null, missing: "Choose questions." });
    drafts.change({ type: "put", isBeside: true });
    expect(imported().missing).toBe("Select your list in the sheet, then choose Use selected cells above.");
  });

  it("is named after its choices, unless the user has entered a name", async () => {
    await addState("DC");
    ask(types.slice(0, 1));
    const { name } = types[0]!;
    expect(imported().defaultName).toContain(name.slice(0, 8));
    expect(imported().order?.sheetName).toBe(imported().defaultName);
    drafts.change({ type: "name", name: "  For the board " });
    expect(imported().order?.sheetName).toBe("For the board");
  });

  it("gets a name of its own beside imports that ask the same", async () => {
    await addState("DC");
    ask(types.slice(0, 1));
    const name = imported().defaultName;
    const there = (...names: string[]) => names.map((each) => ({ saved: { name: each } }) as KeptImport);
    const nameBeside = (...names: string[]) =>
      createImportSelector()(drafts.getState(), defaults, there(...names)).order?.sheetName;
    expect(nameBeside("Other")).toBe(name);
    expect(nameBeside(name.toUpperCase())).toBe(`${name} 2`);
    expect(nameBeside(name, `${name} 2`)).toBe(`${name} 3`);
  });

  it("shows dashes for no value if the user wants them for this import or for new ones, beside a list too", async () => {
    await addState("DC");
    ask(types);
    expect(imported().order?.form.hasDashes).toBe(false);
    drafts.change({ type: "form", form: { ...defaults, hasDashes: true } });
    expect(imported().order?.form).toMatchObject({ layout: "wide", hasDashes: true });
    const kept = { layout: "wide", citations: "none", hasDashes: true };
    expect(asImportForm(kept, true).hasDashes).toBe(true);
    expect(formWords(asImportForm(kept, true), true)).toBe("a row per jurisdiction, “–” for no value");
    expect(formWords(asImportForm(null, true), true)).toBe("a row per jurisdiction");
    excel.enter("A1", [["Place"], ["06001"]]);
    excel.spreadsheet.select(excel.spreadsheet.sheets()[0]!.id, [{ row: 0, column: 0, rows: 2, columns: 1 }]);
    await inTime(drafts.readList());
    drafts.change({ type: "put", isBeside: true });
    expect(imported().order?.form.hasDashes).toBe(true);
  });

  it("asks a collection of a new table, and its questions beside a list, which has a column for each", async () => {
    const [collection] = await inTime(session.lookup.catalogue.collections());
    await addState("DC");
    ask(types, collection);
    expect(imported().order?.question.kind).toBe("collection");
    excel.enter("A1", [["Place"], ["06001"]]);
    excel.spreadsheet.select(excel.spreadsheet.sheets()[0]!.id, [{ row: 1, column: 0, rows: 1, columns: 1 }]);
    await inTime(drafts.readList());
    drafts.change({ type: "put", isBeside: true });
    expect(imported().order?.question).toMatchObject({ kind: "matrix", ahjs: [{ geoid: "06001" }], types });
  });

  it("may be a list without questions, whose names become jurisdictions", async () => {
    excel.enter("A1", [
      ["City", "State"],
      ["Clark County", "NV"],
      ["Lane County", "Oregon"],
    ]);
    excel.spreadsheet.select(excel.spreadsheet.sheets()[0]!.id, [{ row: 0, column: 0, rows: 3, columns: 2 }]);
    ask(types);
    drafts.want({ isSelectedList: true });
    await inTime(
      new Promise<void>((resolve) =>
        drafts.listed.lookUp.subscribe(({ status }) => status === "done" && resolve()),
      ),
    );
    expect(imported()).toMatchObject({
      missing: "",
      order: { question: { types: [], ahjs: [{ geoid: "32003" }, { geoid: "41039" }] } },
    });
    expect(imported().defaultName).toBe("2 jurisdictions");
  });

  it("keeps the objects of a choice that no later choice has changed, so that nothing is estimated again", async () => {
    await addState("DC");
    ask(types);
    const { question, form } = imported().order!;
    drafts.change({ type: "name", name: "Fees" });
    expect(imported().order?.question).toBe(question);
    expect(imported().order?.form).toBe(form);
  });
});

describe("jurisdictions that a find has given", () => {
  const find = { match: "all", conditions: [], within: { kind: "all" } } as const;

  it("are asked again by a refresh, until the user changes them or wants a plain list", async () => {
    const { ahjs } = await inTime(session.lookup.directory.list("DC"));
    ask(types);
    drafts.change({ type: "use-found", found: { ahjs, find, words: "fee is there", types: [] } });
    expect(imported().order?.question.find).toBe(find);
    expect(imported().isFindChanged).toBe(false);
    drafts.where.change({ type: "remove", ahjId: ahjs[0]!.id });
    expect(imported().order?.question.find).toBeUndefined();
    expect(imported()).toMatchObject({ find: undefined, isFindChanged: true });
    drafts.where.change({ type: "add", ahjs: [ahjs[0]!] });
    expect(imported().order?.question.find).toBe(find);
    drafts.change({ type: "forget-find" });
    expect(imported().order?.question.find).toBeUndefined();
    expect(imported().isFindChanged).toBe(false);
  });
});

describe("an import that is inserted again", () => {
  it("takes the place of all choices: its name, its questions, and its jurisdictions", async () => {
    await addState("DC");
    ask(types.slice(0, 1));
    drafts.change({ type: "put", isBeside: true });
    drafts.want({ types: types.slice(1), again: { name: "Fees of 2025", entries: ["06001", "48453"] } });
    expect(drafts.getState()).toMatchObject({ isBeside: false, name: "Fees of 2025" });
    expect(drafts.where.lookUp.getState().status).toBe("running");
    await inTime(
      new Promise<void>((resolve) =>
        drafts.where.lookUp.subscribe(({ status }) => status === "done" && resolve()),
      ),
    );
    const { question, sheetName } = imported().order!;
    expect(question.ahjs.map(({ geoid }) => geoid)).toEqual(["06001", "48453"]);
    expect(question).toMatchObject({ kind: "matrix", types: types.slice(1) });
    expect(sheetName).toBe("Fees of 2025");
  });
});
