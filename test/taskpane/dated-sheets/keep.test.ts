import { describe, expect, it } from "vitest";
import { createSavedImportsControl } from "../../../src/taskpane/refresh/saved-imports-control";
import { isSourcesSheet } from "../../../src/workbook/imports/sources/sources-sheet";
import { createImportBook } from "../../../src/workbook/imports/saved/import-book";
import { published } from "../../command/played-io";
import { inTime } from "../../excel/in-time";
import { pass, playExcel } from "../../functions/excel";
import { fee, importedBook } from "../../workbook/imports/imported-book";
import { columns, datedBook, type Said, values } from "./dated-book";

playExcel();

const code = 1003;
type Book = Awaited<ReturnType<typeof datedBook>>;
/** Everything that a person sees or that the workbook keeps. */
const contents = ({ excel }: Book) => JSON.stringify(excel.save());
const matrices = ({ excel }: Book) => excel.requests.filter((request) => request.includes("matrix")).length;

/** The number of requests to Excel until a dated sheet is there. */
async function requestsToKeep(): Promise<number> {
  let count = 0;
  const book = await datedBook({ onRequest: () => void (count += 1) });
  const before = count;
  let until = 0;
  const stop = book.control.subscribe(({ dated }) => {
    if (dated.status === "done") until ||= count;
  });
  await book.keepAndRefresh();
  stop();
  book.excel.close();
  return until - before;
}

describe("a dated sheet", () => {
  it("has a row for each answer that the imports show, with the service’s citation, and no request is sent", async () => {
    const book = await datedBook();
    const { excel } = book;
    const ids = book.ids();
    const said = await published(ids, [code, fee]);
    const shown = new Map(
      excel
        .values("Fees!E2:G5")
        .map(([theCode, theFee, id]) => [Number(id), { [code]: theCode, [fee]: theFee }]),
    );
    const before = excel.requests.length;
    expect(await book.keep()).toMatchObject({ status: "done", written: { address: `'${values}'!A1:L9` } });
    expect(excel.requests).toHaveLength(before);

    expect(excel.values(`'${values}'!A1:L1`)[0]).toEqual(columns);
    const rows = book.rowsOf(values);
    expect(rows.map((row) => `${row["AHJ ID"]} ${row["Question ID"]}`).sort()).toEqual(
      ids.flatMap((id) => [`${id} ${code}`, `${id} ${fee}`]).sort(),
    );
    for (const row of rows) {
      const [id, typeId] = [Number(row["AHJ ID"]), Number(row["Question ID"])];
      const answer = said.get(id)?.[typeId];
      const [Value, Standing] = answer ? [shown.get(id)?.[typeId as 1003 | 1056], ""] : ["", "no value"];
      expect(row).toMatchObject({
        ...{ Import: "Fees", Value, Standing, Unit: typeId === fee ? "USD" : "code edition" },
        ...{ Reference: answer?.reference ?? "", Section: answer?.section ?? "" },
        Jurisdiction: expect.stringMatching(/, NV$/),
      });
    }
    // At least one has a value and a citation, or this would say little.
    expect(rows.filter((row) => row["Value"] !== "" && row["Reference"] !== "").length).toBeGreaterThan(3);
    expect(excel.problems).toEqual([]);
  });

  it("marks what somebody has typed over an answer, cleared or replaced by a formula, without the service’s citation", async () => {
    const said: Said = new Map();
    const book = await datedBook({}, said);
    const { excel } = book;
    for (const id of book.ids()) said.set(id, { value: "$30", reference: "City Code" });
    await book.refresh();
    excel.enter("Fees!F2", [[999], [""], ["=F5"]]);
    const { written } = (await book.keep()) as { written: object };
    expect(written).toMatchObject({ edited: 3, uncited: 0 });
    const fees = new Map(book.rowsOf(values).map((row) => [`${row["AHJ ID"]} ${row["Question ID"]}`, row]));
    const of = (at: number) => fees.get(`${book.ids()[at]} ${fee}`);
    const none = { Reference: "", Section: "", Updated: "", "As of (UTC)": "" };
    expect(of(0)).toMatchObject({ Value: 999, Standing: "edited", ...none });
    expect(of(1)).toMatchObject({ Value: "", Standing: "edited", ...none });
    // The sheet holds plain values.
    expect(of(2)).toMatchObject({ Value: 30, Standing: "edited", ...none });
    expect(
      excel
        .cells(`'${values}'!F2:F9`)
        .flat()
        .every(({ formula }) => !String(formula ?? "").startsWith("=")),
    ).toBe(true);
    expect(of(3)).toMatchObject({ Value: 30, Standing: "", Reference: "City Code" });
  });

  it("gives a value that somebody has typed no citation, though one stands beside it in the table", async () => {
    const book = await datedBook({ form: { layout: "wide", hasCitations: true } });
    const { excel } = book;
    const [headers = [], ...rows] = excel.values("Fees!A1:K5");
    const reference = headers.indexOf("Minimum Permit Fee: Reference");
    const row = rows.findIndex((cells) => cells[reference] !== "");
    expect(row).toBeGreaterThanOrEqual(0);
    const id = rows[row]![headers.indexOf("AHJ ID")];
    excel.enter(`Fees!${"ABCDEFGHIJK"[reference - 1]}${row + 2}`, [[999]]);
    await book.keep();
    const kept = book.rowsOf(values).find((each) => each["AHJ ID"] === id && each["Question ID"] === fee);
    expect(kept).toMatchObject({ Value: 999, Standing: "edited", Reference: "", Section: "" });
  });

  it("says where the service has no value, also where a dash stands for it", async () => {
    const none: Said = new Map();
    const form = { layout: "wide" as const, hasCitations: false, hasDashes: true };
    const book = await datedBook({ form }, none);
    for (const id of book.ids()) none.set(id, null);
    await book.refresh();
    expect(book.excel.values("Fees!F2:F5").flat()).toEqual(["–", "–", "–", "–"]);
    await book.keep();
    const fees = book.rowsOf(values).filter((row) => row["Question ID"] === fee);
    expect(fees.map((row) => [row["Value"], row["Standing"]])).toEqual(fees.map(() => ["", "no value"]));
    expect(fees).toHaveLength(4);
  });

  it("takes citations from the table where this device does not know them, and counts the values that have none", async () => {
    const uncited: number[] = [];
    for (const hasCitations of [true, false]) {
      const first = await importedBook(undefined, { form: { layout: "wide", hasCitations } });
      // A colleague's device has kept nothing.
      const { excel, dependencies } = await first.reopened();
      const control = createSavedImportsControl(excel.app, dependencies);
      control.keepValues();
      await pass(20_000);
      const { dated } = control.getState();
      expect(dated.status).toBe("done");
      if (dated.status === "done") uncited.push(dated.written.uncited);
      excel.close();
    }
    const [withColumns, without] = uncited;
    expect(withColumns).toBe(0);
    expect(without).toBeGreaterThan(3);
  });

  it("does not count a value that the service gave without a citation among those whose citation is not known", async () => {
    const said: Said = new Map();
    const book = await datedBook({}, said);
    for (const id of book.ids()) said.set(id, { value: "$12" });
    await book.refresh();
    expect(await book.keep()).toMatchObject({ status: "done", written: { answers: 8, uncited: 0 } });
    const fees = book.rowsOf(values).filter((row) => row["Question ID"] === fee);
    expect(fees.map((row) => [row["Value"], row["Reference"]])).toEqual(fees.map(() => [12, ""]));
  });

  it("keeps a text of the service that looks like a formula as a text", async () => {
    const said: Said = new Map();
    const book = await datedBook({}, said);
    said.set(book.ids()[0]!, { value: "=1+1", reference: '=HYPERLINK("https://x.test")', section: "'4" });
    await book.refresh();
    await book.keep();
    const row = book
      .rowsOf(values)
      .find((each) => each["AHJ ID"] === book.ids()[0] && each["Question ID"] === fee);
    expect(row).toMatchObject({ Value: "=1+1", Reference: '=HYPERLINK("https://x.test")', Section: "'4" });
  });

  it("gets another name if one of that day is there, is no Sources sheet and no import, and no refresh changes it", async () => {
    const said: Said = new Map();
    const book = await datedBook({}, said);
    await book.keep();
    await book.keep();
    expect(book.sheetNames()).toEqual(["Sheet1", "Fees", values, `${values} 2`]);
    const before = JSON.stringify(book.rowsOf(values));
    said.set(book.ids()[0]!, { value: "$7" });
    await book.refresh();
    expect(book.excel.values("Fees!F2")).toEqual([[7]]);
    expect(JSON.stringify(book.rowsOf(values))).toBe(before);
    const { imports } = await inTime(createImportBook(book.excel.app.workbook).list());
    expect(imports.map(({ saved }) => saved.name)).toEqual(["Fees"]);
    expect(book.control.getState().copies).toEqual([]);
    expect(isSourcesSheet({ headers: columns })).toBe(false);
  });

  it("leaves out an import whose column of ids is gone, and says so", async () => {
    const book = await datedBook();
    book.excel.enter("Fees!G1", [["Mine"]]);
    expect(await book.keep()).toMatchObject({
      status: "done",
      written: {
        ...{ address: null, answers: 0 },
        unread: [{ name: "Fees", reason: "its columns of ids, such as AHJ ID, were deleted or renamed" }],
      },
    });
    expect(book.sheetNames()).toEqual(["Sheet1", "Fees"]);
  });
});

describe("a refresh that keeps the values first", () => {
  it("writes what the cells showed, stays where the user is, and then refreshes", async () => {
    const said: Said = new Map();
    const book = await datedBook({}, said);
    const { excel } = book;
    const shown = excel.values("Fees!F2:F5").flat();
    for (const id of book.ids()) said.set(id, { value: "$321" });
    const [sheet1] = excel.spreadsheet.sheets();
    excel.spreadsheet.select(sheet1!.id, [{ row: 3, column: 3, rows: 1, columns: 1 }]);
    const asked = matrices(book);
    expect(await book.keepAndRefresh()).toMatchObject({ status: "done" });
    expect(matrices(book)).toBeGreaterThan(asked);
    expect(excel.values("Fees!F2:F5").flat()).toEqual([321, 321, 321, 321]);
    const kept = book.rowsOf(values).filter((row) => row["Question ID"] === fee);
    expect(kept.map((row) => row["Value"])).toEqual(shown);
    expect(excel.spreadsheet.selection()).toMatchObject({ sheetId: sheet1!.id });
  });

  it("leaves the workbook as it was and refreshes nothing if Excel refuses the dated sheet at any request", async () => {
    const requests = await requestsToKeep();
    let refused = 0;
    for (let after = 0; after < requests; after += 1) {
      const said: Said = new Map();
      const book = await datedBook({}, said);
      for (const id of book.ids()) said.set(id, { value: "$321" });
      const [before, asked] = [contents(book), matrices(book)];
      book.excel.fail(7000, 1, "workbook", after);
      const dated = await book.keepAndRefresh();
      if (dated.status === "failed") {
        refused += 1;
        expect(dated, `request ${after}`).toMatchObject({ keptFromRefreshing: true });
        expect(dated.failure.message).toMatch(/^Excel (refused this|does not allow this here)\./);
      }
      // A look that is done twice, or that is not needed, may be refused once.
      if (dated.status === "done") expect(book.sheetNames()).toContain(values);
      else {
        expect(contents(book), `request ${after}`).toBe(before);
        expect(matrices(book)).toBe(asked);
      }
      book.excel.close();
    }
    expect(refused).toBeGreaterThan(5);
  });

  it("leaves the workbook as it was and refreshes nothing if it is cancelled at any request before the sheet is there", async () => {
    let cancelAt = -1;
    let count = 0;
    let cancel = () => {};
    const said: Said = new Map();
    const onRequest = () => {
      if (cancelAt >= 0 && count++ === cancelAt) cancel();
    };
    const book = await datedBook({ onRequest }, said);
    cancel = book.control.cancel;
    for (const id of book.ids()) said.set(id, { value: "$321" });
    const before = contents(book);
    const asked = matrices(book);
    let cancelled = 0;
    for (cancelAt = 0; ; cancelAt += 1) {
      count = 0;
      const dated = await book.keepAndRefresh();
      if (dated.status === "done") break;
      expect(dated, `request ${cancelAt}`).toMatchObject({
        ...{ status: "failed", keptFromRefreshing: true },
        failure: { kind: "cancelled" },
      });
      cancelled += 1;
      expect(contents(book), `request ${cancelAt}`).toBe(before);
      expect(matrices(book)).toBe(asked);
    }
    cancelAt = -1;
    expect(cancelled).toBeGreaterThan(5);
    // Cancel came when the sheet was there: it stays, and nothing was refreshed.
    expect(book.sheetNames()).toContain(values);
    expect(book.excel.values("Fees!F2:F5").flat()).not.toContain(321);
  });

  it("keeps all that somebody types meanwhile, in the import and on the new sheet", async () => {
    let act = (_request: number) => {};
    const book = await datedBook({ onRequest: (request) => act(request) });
    const { excel } = book;
    const typed = new Map<string, string>();
    act = (request) => {
      const text = `typed ${request}`;
      excel.enter("Fees!F5", [[text]]);
      typed.set("Fees!F5", text);
      if (!book.sheetNames().includes(values)) return;
      excel.enter(`'${values}'!N20`, [[text]]);
      typed.set(`'${values}'!N20`, text);
    };
    await book.keepAndRefresh();
    act = () => {};
    await book.rests();
    expect(typed.size).toBe(2);
    for (const [address, text] of typed) expect(excel.values(address)).toEqual([[text]]);
  });

  it("refreshes nothing, and loses nothing, if somebody types into the new sheet where a value is to go", async () => {
    let act = () => {};
    const said: Said = new Map();
    const book = await datedBook({ onRequest: () => act() }, said);
    for (const id of book.ids()) said.set(id, { value: "$321" });
    act = () => {
      if (!book.sheetNames().includes(values)) return;
      act = () => {};
      book.excel.enter(`'${values}'!C5`, [["mine"]]);
    };
    const dated = await book.keepAndRefresh();
    expect(dated).toMatchObject({ status: "failed", keptFromRefreshing: true });
    expect(book.excel.values(`'${values}'!C5`)).toEqual([["mine"]]);
    expect(book.excel.values("Fees!F2:F5").flat()).not.toContain(321);
  });
});
