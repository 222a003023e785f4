import { createImportTables } from "../../../src/workbook/sheet/tables/table-changes";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createService } from "../../../reference-service/service";
import { createSignature } from "../../../src/settings/signature";
import {
  createSavedImportsControl,
  type RefreshState,
} from "../../../src/taskpane/refresh/saved-imports-control";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { importNamespace } from "../../../src/workbook/imports/saved/saved-import";
import {
  type Unfinished,
  unfinishedXml,
  type UnfinishedWork,
} from "../../../src/workbook/work-note/unfinished-work";
import { inTime } from "../../excel/in-time";
import { pass, playExcel } from "../../functions/excel";
import { baseUrl } from "../../recorded-service";
import {
  close,
  control,
  counties,
  excel,
  follow,
  found,
  holdBack,
  kept,
  leave,
  matrices,
  names,
  open,
  openPane,
  places,
  refreshed,
  rememberFind,
  reportOf,
  rests,
  session,
  sheetOf,
  state,
  stateOf,
  tableOf,
} from "./imported-workbook";

playExcel();
afterEach(close);

/** Does something at the moment when an import's refresh has ended. Returns a function that gives its result. */
function whenDone<Result>(name: string, act: () => Result): () => Result | undefined {
  let result: Result | undefined;
  const stopListening = control.subscribe(() => {
    if (stateOf(name)?.status !== "done") return;
    stopListening();
    result = act();
  });
  return () => result;
}

/** The cells of the first row that a refresh of one import alone changes, by their columns. */
async function changedAlone(name: string): Promise<{ column: string; value: unknown }[]> {
  const row = () => excel.values(`${name}!A2:AZ2`)[0] ?? [];
  const before = row();
  await refreshed(name);
  return row().flatMap((value, at) =>
    value === before[at]
      ? []
      : [{ column: (at < 26 ? "" : "A") + String.fromCharCode(65 + (at % 26)), value }],
  );
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
    const stopOther = createSavedImportsControl(excel.app, session).follow();
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
    leave();
    excel.spreadsheet.deleteSheet(sheetOf("Nevada"));
    await pass(1_000);
    expect(kept("Nevada").place).not.toBeNull();
    follow();
    await pass(1_000);
    expect(kept("Nevada").place).toBeNull();
  });

  it("hears of nothing if it is left before Excel has begun to report", async () => {
    await open();
    leave();
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
    // The copy may have been made before the last refresh, so that nobody knows who wrote its cells.
    const { digests } = createImportBook(excel.app.workbook);
    const rows = async (name: string) => (await digests(kept(name).saved.id)).ahjIds().length;
    expect([await rows("Nevada (copy)"), await rows("Nevada")]).toEqual([
      0,
      kept("Nevada").saved.lastRun.rows,
    ]);
  });

  it("shows and deletes hidden copies that an earlier run has left, but not that of an interrupted one", async () => {
    const work: UnfinishedWork = {
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

  it("keeps the number of the workbook's XML parts over its refreshes, and takes all of its parts along when it is forgotten", async () => {
    const services = { before: createService({ month: "before" }), after: createService({ month: "after" }) };
    let month: keyof typeof services = "after";
    await open({ intercept: (request) => services[month].fetch(request) });
    const parts = () => [...excel.document.customXmlParts.values()];
    const before = parts().length;
    const { id } = kept("Counties").saved;
    const ofCounties = parts().filter((xml) => xml.includes(id)).length;
    expect(ofCounties).toBeGreaterThan(0);
    for (month of ["after", "before", "after", "before"] as const) {
      await refreshed("Counties");
      expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
      expect(parts()).toHaveLength(before);
    }
    // The marks of its changes go, too.
    control.forget(kept("Counties"));
    await rests();
    expect(parts().filter((xml) => xml.includes(id))).toEqual([]);
    expect(parts()).toHaveLength(before - ofCounties);
    control.forget(kept("Nevada"));
    await rests();
    expect(parts()).toEqual([]);
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
    expect(stateOf("Counties")).toMatchObject({ status: "running", job: { progress: undefined } });
    await rests();
    expect(seen.some((each) => each?.status === "running" && each.job.progress)).toBe(true);
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

  it("says until when the request limit makes it wait", async () => {
    let refusals = 1;
    await open({
      intercept: (request) =>
        request.url.includes("matrix") && refusals-- > 0
          ? new Response("{}", { status: 429, headers: { "Retry-After": "30" } })
          : undefined,
    });
    const waits: number[] = [];
    control.subscribe(() => {
      const now = stateOf("Counties");
      if (now?.status === "running" && now.job.waitingUntilMs !== undefined)
        waits.push(now.job.waitingUntilMs);
    });
    const until = Date.now() + 30_000;
    await refreshed("Counties");
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.every((each) => Math.abs(each - until) < 2_000)).toBe(true);
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
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

  it("takes the failures of last time away when it begins, and leaves those of imports that it does not refresh", async () => {
    let isDown = true;
    await open({ intercept: () => (isDown ? new Response("{}", { status: 503 }) : undefined) });
    await refreshed("Counties", "Nevada");
    expect([stateOf("Counties")?.status, stateOf("Nevada")?.status]).toEqual(["failed", "failed"]);
    isDown = false;
    const seen = whenDone("Counties", () => stateOf("Nevada"));
    await refreshed("Counties", "Nevada");
    expect(seen()).toBeUndefined();
    isDown = true;
    await refreshed("Nevada");
    await refreshed("Counties");
    expect([stateOf("Counties")?.status, stateOf("Nevada")?.status]).toEqual(["failed", "failed"]);
  });

  it("asks for the next import while one is written, shows nothing of it before its turn, and asks once", async () => {
    await open();
    const seen = whenDone("Counties", () => [matrices(), stateOf("Nevada")]);
    await refreshed("Counties", "Nevada");
    expect(seen()).toEqual([2, undefined]);
    expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
    expect(stateOf("Nevada")?.status).toBe("done");
    expect(matrices()).toBe(2);
  });

  it("that fails for the import whose answers were asked ahead fails for this one alone", async () => {
    await open({
      intercept: (request) =>
        request.url.includes("matrix") && matrices() > 1 ? new Response("{}", { status: 401 }) : undefined,
    });
    const before = excel.values("Nevada!A1:AZ2");
    await refreshed("Counties", "Nevada");
    expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
    expect(stateOf("Nevada")).toMatchObject({ status: "failed", failure: { kind: "wrong-key" } });
    expect(excel.values("Nevada!A1:AZ2")).toEqual(before);
    expect(matrices()).toBe(2);
  });

  it("that is cancelled while one is written leaves the next one as it was, though its answers are there", async () => {
    await open();
    const before = excel.values("Nevada!A1:AZ2");
    const stopListening = control.subscribe(() => {
      const now = stateOf("Counties");
      if (now?.status === "running" && now.job.progress?.phase === "writing") control.cancel();
    });
    await refreshed("Counties", "Nevada");
    stopListening();
    expect(matrices()).toBe(2);
    expect(stateOf("Nevada")).toBeUndefined();
    expect(excel.values("Nevada!A1:AZ2")).toEqual(before);
    await refreshed("Nevada");
    expect(stateOf("Nevada")?.status).toBe("done");
  });

  it("writes a table that was asked for ahead where it stands by then, and nothing over what people typed meanwhile", async () => {
    await open();
    const alone = await changedAlone("Nevada");
    expect(alone.length).toBeGreaterThan(1);
    close();
    await open();
    const cellOf = ({ column }: { column: string }) => `Nevada!${column}4`;
    whenDone("Counties", () => {
      excel.spreadsheet.shift(sheetOf("Nevada"), { axis: "row", at: 0, by: 2 });
      excel.enter(cellOf(alone[0]!), [["ask Ann"]]);
    });
    await refreshed("Counties", "Nevada");
    expect(stateOf("Nevada")?.status).toBe("done");
    expect(alone.map((cell) => excel.values(cellOf(cell))[0]?.[0])).toEqual([
      "ask Ann",
      ...alone.slice(1).map(({ value }) => value),
    ]);
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
      // Only what a refresh has found is refused, not what it notes before.
      /"changed":[1-9]/.test(xml) ? Promise.reject(new Error("full")) : writePart(id, xml),
    );
    await openPane();
    await refreshed("Counties");
    expect(reportOf("Counties").changes.length).toBeGreaterThan(0);
    expect(state().failure).toBeDefined();
  });

  it("keeps what people typed even if colleagues have refreshed the import since the list was read", async () => {
    await open();
    const shown = kept("Counties");
    const colleague = createSavedImportsControl(excel.app, session);
    for (let times = 0; times < 2; times += 1) {
      colleague.refreshPresent();
      await pass(86_400_000);
    }
    const { header } = shown.saved.columns.find(({ content }) => content.of === "answer")!;
    const { headers } = await inTime(createImportTables(excel.app.workbook).read(tableOf("Counties"), []));
    const address = `Counties!${"ABCDEFGHIJ"[headers.indexOf(header)]}2`;
    excel.enter(address, [["ask Ann"]]);
    control.refresh([shown]);
    await rests();
    expect(excel.values(address)).toEqual([["ask Ann"]]);
    expect(reportOf("Counties").edited.map(({ text }) => text)).toEqual(["ask Ann"]);
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
    expect(stateOf("Nevada")).toMatchObject({
      failure: {
        kind: "other-service",
        detail: "This workbook says that it came from “other.test”.",
      },
    });
    expect(kept("Nevada").saved.types).toHaveLength(40);
  });
});

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
  async function interrupted(work: UnfinishedWork & { kind: "refresh" | "change" }) {
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
    expect(state().failure).toMatchObject({
      kind: "table-gone",
      detail: "The workbook no longer remembers this import.",
    });
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
