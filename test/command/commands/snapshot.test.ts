import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkbookFile, type SheetFile } from "../../../xlsx/workbook-file";
import type { Interception } from "../../recorded-service";
import { partsOf, zipped } from "../../xlsx/hand-made";
import { createPlayer, playFolder, published } from "../played-io";

const [permitFee, reinspectionFee] = [1056, 1057];
let folder: string;
let book: string;
let run: ReturnType<typeof createPlayer>;
beforeEach(async () => {
  folder = await playFolder();
  book = join(folder, "fees.xlsx");
  run = createPlayer(folder);
});
/** A service on the later side of a month in which some rules change; the workbooks are made on the earlier one. */
const later = { month: "after" } as const;

async function makeBook(): Promise<Uint8Array> {
  const words = ["matrix", "--where", "NV", "--question", String(permitFee), String(reinspectionFee)];
  expect((await run([...words, "-o", book], { month: "before" })).code).toBe(10);
  return readFile(book);
}

const opened = async () => openWorkbookFile(await readFile(book));

/** A sheet's table as rows by its headers. */
function rowsOf(sheet: SheetFile | undefined): Record<string, unknown>[] {
  const { ref } = sheet!.tables[0]!;
  const cells = new Map([...sheet!.cells()].map(({ row, column, value }) => [`${row} ${column}`, value]));
  const at = (row: number, column: number) => cells.get(`${ref.row + row} ${ref.column + column}`) ?? null;
  const columns = Array.from({ length: ref.columns }, (_, column) => column);
  return Array.from({ length: ref.rows - 1 }, (_, row) =>
    Object.fromEntries(columns.map((column) => [String(at(0, column)), at(row + 1, column)])),
  );
}

const today = () => `Values ${new Date().toISOString().slice(0, 10)}`;

/** The number of answers in these AHJs that the month changes, straight from the service. */
async function changedAnswers(ids: readonly number[]): Promise<string[]> {
  const types = [permitFee, reinspectionFee];
  const [before, after] = [
    await published(ids, types, { month: "before" }),
    await published(ids, types, later),
  ];
  return ids.flatMap((id) =>
    types.flatMap((type) => {
      const [was, is] = [before.get(id)?.[type], after.get(id)?.[type]];
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [`${id} ${type}`];
    }),
  );
}

describe("regdata refresh --snapshot", () => {
  it("keeps what the imports showed, with citations, and refreshes, in one write", async () => {
    const made = await makeBook();
    const [fees] = openWorkbookFile(made).sheets;
    const shown = rowsOf(fees);
    const { code, out } = await run(["refresh", book, "--snapshot"], later);
    expect(code).toBe(10);
    const name = today();
    expect(out).toContain(`268 answers kept at '${name}'!A1:L269.`);
    const file = await opened();
    expect(file.sheets.map((sheet) => sheet.name)).toEqual([fees!.name, name]);
    const kept = rowsOf(file.sheets[1]);
    const ids = shown.map((row) => Number(row["AHJ ID"]));
    const said = await published(ids, [permitFee, reinspectionFee], { month: "before" });
    expect(kept).toHaveLength(268);
    for (const row of kept) {
      const [id, type] = [Number(row["AHJ ID"]), Number(row["Question ID"])];
      const own = shown.find((each) => each["AHJ ID"] === id)!;
      const header = Object.keys(own).find((each) => each.startsWith(String(row["Question"])))!;
      const answer = said.get(id)?.[type];
      expect(row).toMatchObject({
        ...{ Value: own[header], Reference: answer?.reference ?? null, Section: answer?.section ?? null },
        Standing: answer ? null : "no value",
      });
    }
    // The old file stays beside the new one, and there is no third.
    const [backup] = (await readdir(folder)).filter((each) => each.includes("backup"));
    expect(await readFile(join(folder, backup!))).toEqual(made);
    // The workbook opens where it did.
    expect(file.activeSheet).toBe(openWorkbookFile(made).activeSheet);
  });

  it("and diff --sheets tell by place and question what a month has changed, without a request", async () => {
    await makeBook();
    const ids = rowsOf((await opened()).sheets[0]).map((row) => Number(row["AHJ ID"]));
    const expected = await changedAnswers(ids);
    expect(expected.length).toBeGreaterThan(5);
    await run(["refresh", book, "--snapshot"], later);
    const again = await run(["refresh", book, "--snapshot"], later);
    // The dated sheet is written though nothing else changed.
    expect([again.code, again.out]).toEqual([10, expect.stringContaining(`'${today()} 2'!A1`)]);
    for (const words of [[today(), `${today()} 2`], [today(), "now"], [today()]]) {
      const { code, out, requests } = await run(["diff", book, "--sheets", ...words, "--json"], later);
      expect([code, requests]).toEqual([10, []]);
      const difference = JSON.parse(out) as Record<
        "changed" | "cited" | "came" | "went",
        { ahjId: number; questionId: number }[]
      >;
      const { changed, cited, came, went } = difference;
      const told = [changed, cited, came, went].flat();
      expect(told.map(({ ahjId, questionId }) => `${ahjId} ${questionId}`).sort()).toEqual(expected.sort());
      expect(changed.length).toBeGreaterThan(3);
    }
    const printed = await run(["diff", book, "--sheets", today()], later);
    expect(printed.out).toMatch(/^ {2}\d+ values changed.*; \d+ answers the same\.$/m);
    expect(printed.out).toMatch(/^ {4}.*, NV · Minimum Permit Fee: \$[\d.]+ \(.+\) → \$[\d.]+ \(.+\)$/m);
    const same = await run(["diff", book, "--sheets", `${today()} 2`, "now"], later);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining("Nothing differs in 268 answers.")]);
  });

  it("leaves the file as it is, without a dated sheet, where the service can't be asked", async () => {
    const before = await makeBook();
    const intercept: Interception = ({ url }) =>
      url.includes("/v1/reports/matrix") ? new Response("", { status: 500 }) : undefined;
    const { code, out } = await run(["refresh", book, "--snapshot"], { intercept });
    expect([code, out]).toEqual([3, expect.stringContaining("the file is as it was")]);
    expect(out).not.toContain("kept at");
    expect(await readFile(book)).toEqual(before);
  });

  it("leaves the file as it is if its structure is protected, and says why", async () => {
    const parts = partsOf(await makeBook());
    const workbook = parts["xl/workbook.xml"]!;
    const locked = workbook.replace(/(?=<bookViews|<sheets)/, '<workbookProtection lockStructure="1"/>');
    expect(locked).not.toBe(workbook);
    await writeFile(book, zipped({ ...parts, "xl/workbook.xml": locked }));
    const before = await readFile(book);
    const { code, told } = await run(["refresh", book, "--snapshot"], later);
    expect([code, told]).toEqual([4, expect.stringContaining("The workbook's structure is protected.")]);
    expect(await readFile(book)).toEqual(before);
  });

  it("ends in good order with Ctrl+C: nothing is written", async () => {
    const before = await makeBook();
    const ending = new AbortController();
    const intercept: Interception = (request) => {
      if (request.url.includes("/v1/reports/matrix")) ending.abort();
      return undefined;
    };
    const ended = await run(["refresh", book, "--snapshot"], { intercept, signal: ending.signal });
    expect(ended.code).toBe(130);
    expect(await readFile(book)).toEqual(before);
  });

  it("marks a value that somebody has typed over an answer", async () => {
    await makeBook();
    const file = await opened();
    const [row] = rowsOf(file.sheets[0]);
    const column = Object.keys(row!).findIndex((header) => header.startsWith("Minimum Permit Fee"));
    file.sheets[0]!.setCells([{ row: 1, column, value: 12_345 }]);
    await writeFile(book, file.save());
    const { out } = await run(["refresh", book, "--snapshot"], later);
    expect(out).toContain("1 cell edited.");
    const edited = rowsOf((await opened()).sheets[1]).filter((each) => each["Standing"] === "edited");
    expect(edited).toMatchObject([{ Value: 12_345, "AHJ ID": row!["AHJ ID"], Reference: null }]);
  });
});

describe("regdata diff --sheets", () => {
  it("names the dated sheets that are there if it is given another name", async () => {
    await makeBook();
    const none = await run(["diff", book, "--sheets", "Values"]);
    expect([none.code, none.told]).toEqual([2, expect.stringContaining("It has none")]);
    await run(["refresh", book, "--snapshot"], later);
    const other = await run(["diff", book, "--sheets", "Fees", "now"]);
    expect([other.code, other.told]).toEqual([
      2,
      expect.stringContaining(`"Fees" is no dated sheet of the workbook. It has "${today()}".`),
    ]);
  });

  it.each([
    [["diff", "a.xlsx", "b.xlsx", "--sheets", "One"]],
    [["diff", "a.xlsx", "--sheets", "One", "Two", "Three"]],
    [["diff", "--sheets", "One"]],
    [["diff", "a.xlsx"]],
  ])("takes one workbook and one or two names, unlike %j", async (words) => {
    expect((await run(words)).code).toBe(2);
  });
});
