import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type FileCell, openWorkbookFile } from "../../xlsx/workbook-file";
import type { Interception } from "../recorded-service";
import { serviceSaying } from "../workbook/imports/imported-book";
import { changedParts, partsOf } from "../xlsx/hand-made";
import { createPlayer, inCell, key, playFolder, published, type Ran } from "./played-io";

const [permitFee, reinspectionFee, electricalCode] = [1056, 1057, 1003];
let folder: string;
let book: string;
let run: ReturnType<typeof createPlayer>;
beforeEach(async () => {
  folder = await playFolder();
  book = join(folder, "fees.xlsx");
  run = createPlayer(folder);
});
const questions = ["--question", String(permitFee), String(reinspectionFee), String(electricalCode)];

/** A workbook with an import and a user's additions: a sheet with a formula, a note, and a value typed over an answer. */
async function makeBook(...words: string[]): Promise<Uint8Array> {
  const made = await run(["matrix", "--where", "NV", ...questions, ...words, "-o", book], {
    month: "before",
  });
  expect(made.code).toBe(10);
  const file = openWorkbookFile(await readFile(book));
  const [fees] = file.sheets;
  fees?.setCells([{ row: 200, column: 3, value: "ask the county" }]);
  const mine = file.addSheet("Mine");
  mine.setCells([{ row: 0, column: 0, value: 2, formula: { text: "1+1" } }]);
  await writeFile(book, file.save());
  return readFile(book);
}

/** The cells of the first sheet by place. */
function cellsOf(bytes: Uint8Array): Map<string, FileCell["value"]> {
  const [sheet] = openWorkbookFile(bytes).sheets;
  return new Map([...(sheet?.cells() ?? [])].map(({ row, column, value }) => [`${row} ${column}`, value]));
}

/** The cells that differ between two files, with what they hold now. */
function differences(before: Uint8Array, after: Uint8Array): Map<string, FileCell["value"]> {
  const [one, other] = [cellsOf(before), cellsOf(after)];
  return new Map([...other].filter(([place, value]) => one.get(place) !== value));
}

/** A service on the later side of a month in which some rules change; the workbooks are made on the earlier one. */
const later = { month: "after" } as const;

/** The values that the refresh must write, by place, and how many answers changed in all. Both come straight from the service. */
async function expectedIn(
  bytes: Uint8Array,
): Promise<{ cells: Map<string, FileCell["value"]>; changes: number }> {
  const cells = cellsOf(bytes);
  const columnOf = (name: string) =>
    Number(
      [...cells]
        .find(([place, value]) => place.startsWith("0 ") && String(value).startsWith(name))?.[0]
        .slice(2),
    );
  const columns = {
    [permitFee]: "Minimum Permit Fee",
    [reinspectionFee]: "Re-Inspection Fee",
    [electricalCode]: "Electrical",
  };
  const rows = Array.from({ length: 134 }, (_, index) => index + 1);
  const ids = rows.map((row) => Number(cells.get(`${row} ${columnOf("AHJ ID")}`)));
  const typeIds = Object.keys(columns).map(Number);
  const [before, after] = [
    await published(ids, typeIds, { month: "before" }),
    await published(ids, typeIds, later),
  ];
  const expected = new Map<string, FileCell["value"]>();
  let changes = 0;
  for (const [index, row] of rows.entries()) {
    for (const [id, name] of Object.entries(columns)) {
      const [was, is] = [before, after].map((said) => said.get(ids[index] ?? 0)?.[id]);
      if (JSON.stringify(was) !== JSON.stringify(is)) changes += 1;
      if (inCell(was?.value) !== inCell(is?.value))
        expected.set(`${row} ${columnOf(name)}`, inCell(is?.value));
    }
  }
  return { cells: expected, changes };
}

describe("refresh", () => {
  it("writes exactly the values that changed and prints them, and leaves all else in the file as it is", async () => {
    const before = await makeBook();
    const { cells: expected, changes } = await expectedIn(before);
    expect(expected.size).toBeGreaterThan(5);
    const { code, out } = await run(["refresh", book], later);
    const after = await readFile(book);
    expect(code).toBe(10);
    expect(differences(before, after)).toEqual(expected);
    expect(out).toContain(`${changes} values changed`);
    // A line names one place, or a rule's own place and the number of those that follow it.
    const lines = [
      ...out.matchAll(/^ {4}'NV Minimum Permit and 2 more'![A-Z]+\d+ (?:.*?, and (\d+) )?.* → /gm),
    ];
    expect(lines.length).toBeLessThan(changes);
    expect(lines.reduce((sum, [, others = "0"]) => sum + 1 + Number(others), 0)).toBe(changes);
    // A refresh changes the sheet, the add-in's own parts, and the flag that makes Excel calculate the user's formula.
    expect(changedParts(before, after).filter((name) => !name.startsWith("customXml/"))).toEqual([
      "xl/workbook.xml",
      "xl/worksheets/sheet1.xml",
    ]);
    expect(partsOf(after)["xl/worksheets/sheet2.xml"]).toBe(partsOf(before)["xl/worksheets/sheet2.xml"]);
    const [, backup = ""] = /the old file is (.*)\.\n/.exec(out) ?? [];
    expect(await readFile(backup)).toEqual(before);
    const again = await run(["refresh", book], later);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("Nothing changed")]);
    expect(await readFile(book)).toEqual(after);
  });

  it("keeps the dashes of an import that has them, and tells values that come or go as from and to no value", async () => {
    await makeBook("--dash");
    const texts = new Map<number, string | null>();
    const saying = serviceSaying(
      ({ values, ahj }) => {
        const id = (ahj as { id?: number } | undefined)?.id ?? 0;
        if (values && texts.has(id)) {
          const value = texts.get(id);
          values[permitFee] = value ? { value } : null;
        }
      },
      { month: "before" },
    );
    const cells = cellsOf(await readFile(book));
    const headerAt = (name: string) =>
      [...cells]
        .find(([place, value]) => place.startsWith("0 ") && String(value).startsWith(name))?.[0]
        .slice(2);
    const [fees, ids] = [headerAt("Minimum Permit Fee"), headerAt("AHJ ID")];
    const rows = Array.from({ length: 134 }, (_, index) => index + 1);
    const [none] = rows.filter((row) => cells.get(`${row} ${fees}`) === "–");
    const [some] = rows.filter((row) => typeof cells.get(`${row} ${fees}`) === "number");
    texts.set(Number(cells.get(`${none} ${ids}`)), "$77").set(Number(cells.get(`${some} ${ids}`)), null);
    const before = await readFile(book);
    const { code, out } = await run(["refresh", book], { intercept: saying });
    expect(code).toBe(10);
    expect(differences(before, await readFile(book))).toEqual(
      new Map<string, FileCell["value"]>([
        [`${none} ${fees}`, 77],
        [`${some} ${fees}`, "–"],
      ]),
    );
    expect(out).toContain("2 values changed");
    expect(out).toMatch(/: no value → \$77/);
    expect(out).toMatch(/ → no value/);
    expect(out).not.toContain("–");
  });

  it("names a column whose header somebody has changed, and refreshes it on if told so", async () => {
    await makeBook();
    const file = openWorkbookFile(await readFile(book));
    const [sheet] = file.sheets;
    const [table] = sheet?.tables ?? [];
    const columnNames = [...(table?.columnNames ?? [])];
    const column = columnNames.findIndex((header) => header.startsWith("Minimum Permit Fee"));
    const header = columnNames[column];
    columnNames[column] = "Fees";
    sheet?.setCells([{ row: 0, column, value: "Fees" }]);
    sheet?.updateTable(table?.id ?? 0, { columnNames });
    await writeFile(book, file.save());
    const inColumn = (bytes: Uint8Array) =>
      [...cellsOf(bytes)].filter(([place]) => place.endsWith(` ${column}`)).map(([, value]) => value);
    const before = inColumn(await readFile(book));

    const first = await run(["refresh", book], later);
    expect(first.out).toContain(
      `“Fees” used to be ${header}. It was not refreshed. To refresh it on: --keep-renamed`,
    );
    expect(inColumn(await readFile(book))).toEqual(before);
    const second = await run(["refresh", book, "--keep-renamed"], later);
    expect(second.code).toBe(10);
    expect(second.out).not.toContain("used to be");
    expect(inColumn(await readFile(book))).not.toEqual(before);
    expect((await run(["refresh", book], later)).out).toContain("Nothing changed");
  });

  it("leaves a value that somebody has typed over an answer, and names it", async () => {
    const { cells: expected } = await expectedIn(await makeBook());
    const [place = ""] = expected.keys();
    const [row = 0, column = 0] = place.split(" ").map(Number);
    const file = openWorkbookFile(await readFile(book));
    file.sheets[0]?.setCells([{ row, column, value: 12_345 }]);
    await writeFile(book, file.save());
    const before = await readFile(book);
    const { code, out } = await run(["refresh", book, "--json"], later);
    expect(code).toBe(10);
    const after = await readFile(book);
    expected.delete(place);
    expect(differences(before, after)).toEqual(expected);
    const { books } = JSON.parse(out) as { books: { imports: { changes: Record<string, string>[] }[] }[] };
    const edited = books[0]?.imports[0]?.changes.filter(({ Change }) => Change?.startsWith("edited"));
    expect(edited).toEqual([expect.objectContaining({ "Kept in the cell": "12345" })]);
  });

  it.each([
    ["a row for each jurisdiction", []],
    ["a row for each answer", ["--long"]],
  ])(
    "writes the new name and geoID of a jurisdiction into its rows, and prints them like changed values: %s",
    async (_, words) => {
      const before = await makeBook(...words);
      const [name, geoid] = [0, 3].map((column) => cellsOf(before).get(`1 ${column}`));
      const now: Record<string, string> = { name: "Carson Consolidated", geoid: "32999" };
      const change = (object: Record<string, unknown>) => {
        if (object.name === name && "geoid" in object) Object.assign(object, now);
      };
      const intercept = serviceSaying(change, { month: "before" });
      const { code, out } = await run(["refresh", book], { intercept });
      const after = await readFile(book);
      expect(code).toBe(10);
      const rows = [...cellsOf(before)].filter(([place, value]) => place.endsWith(" 0") && value === name);
      const expected = rows.flatMap(([place]) => [
        [place, now.name] as const,
        [place.replace(/ 0$/, " 3"), now.geoid] as const,
      ]);
      expect(differences(before, after)).toEqual(new Map(expected));
      expect(out).toContain(`${expected.length} values changed`);
      for (const [header, was, is] of [
        ["Name", name, now.name],
        ["geoID", geoid, now.geoid],
      ])
        expect(out.split(`${String(name)}, NV · ${header}: ${String(was)} → ${is}`)).toHaveLength(
          rows.length + 1,
        );
      const again = await run(["refresh", book], { intercept });
      expect([again.code, again.out]).toEqual([0, expect.stringContaining("Nothing changed")]);
    },
  );

  it("writes the new name of a jurisdiction into a collection's table, and none over what somebody has typed", async () => {
    await run(["collection", "Residential solar", "--where", "06001", "32003", "-o", book]);
    const made = await readFile(book);
    const names = ["1 0", "2 0"].map((place) => cellsOf(made).get(place));
    const file = openWorkbookFile(made);
    file.sheets[0]?.setCells([{ row: 2, column: 0, value: "Our county" }]);
    await writeFile(book, file.save());
    const before = await readFile(book);
    const intercept = serviceSaying((object) => {
      const place = "geoid" in object ? names.indexOf(object.name as string) : -1;
      if (place >= 0) object.name = `County ${place}`;
    });
    const { code, out } = await run(["refresh", book], { intercept });
    expect(code).toBe(10);
    expect(differences(before, await readFile(book))).toEqual(new Map([["1 0", "County 0"]]));
    expect(out).toContain(`${String(names[0])}, CA · Name: ${String(names[0])} → County 0`);
    expect(out).toContain("Our county, NV · Name: Edited to “Our county”. The service changed this: now “");
  });

  it("asks nothing for a second workbook with the same content", async () => {
    await makeBook();
    const second = join(folder, "second.xlsx");
    await copyFile(book, second);
    const asked = ({ requests }: Ran) => requests.filter((request) => request.startsWith("POST"));
    expect(asked(await run(["refresh", book]))).toEqual(["POST /v1/reports/matrix"]);
    expect(asked(await run(["refresh", book, second]))).toEqual(["POST /v1/reports/matrix"]);
    expect(asked(await run(["refresh", book, second, "--max-age", "10"]))).toEqual([]);
  });

  it("writes both of two workbooks, each with its own changes", async () => {
    await makeBook();
    const second = join(folder, "second.xlsx");
    await copyFile(book, second);
    const before = await readFile(book);
    const { cells: expected } = await expectedIn(before);
    const { code, out } = await run(["refresh", book, second, "--no-backup"], later);
    expect([code, out.match(/values changed/g)]).toEqual([10, ["values changed", "values changed"]]);
    for (const path of [book, second]) expect(differences(before, await readFile(path))).toEqual(expected);
  });

  it("leaves the file as it is where the service can't be asked, or the key is refused", async () => {
    const before = await makeBook();
    const intercept: Interception = ({ url }) =>
      url.includes("/v1/reports/matrix") ? new Response("", { status: 500 }) : undefined;
    const failed = await run(["refresh", book], { intercept });
    expect([failed.code, failed.out]).toEqual([3, expect.stringContaining("as it was")]);
    const env = { REGDATA_SERVICE: "https://service.test", REGDATA_KEY: "no-such-key" };
    expect((await run(["refresh", book], { env })).code).toBe(3);
    expect(await readFile(book)).toEqual(before);
  });

  it("refreshes an import of another service's address only when it is told to", async () => {
    await makeBook();
    const env = { REGDATA_SERVICE: "https://moved.test", REGDATA_KEY: key };
    const refused = await run(["refresh", book], { env, ...later });
    expect([refused.code, refused.out]).toEqual([3, expect.stringContaining("--other-service")]);
    expect((await run(["refresh", book, "--other-service"], { env, ...later })).code).toBe(10);
  });

  it("ends in good order with Ctrl+C: nothing is written, and the next refresh does all of it", async () => {
    const before = await makeBook();
    const ending = new AbortController();
    const intercept: Interception = (request) => {
      if (request.url.includes("/v1/reports/matrix")) ending.abort();
      return undefined;
    };
    const ended = await run(["refresh", book, book], { intercept, signal: ending.signal });
    expect([ended.code, ended.told]).toEqual([130, expect.stringContaining("Nothing was written")]);
    expect(await readFile(book)).toEqual(before);
    expect((await run(["refresh", book], later)).code).toBe(10);
  });

  it("draws a progress bar on a terminal and removes it at the end, and draws none in a pipe", async () => {
    await makeBook();
    const { told } = await run(["refresh", book], { isTerminal: true });
    expect(told).toMatch(/█|░/);
    expect(told.endsWith("\r\x1b[2K")).toBe(true);
    expect((await run(["refresh", book])).told).toBe("");
    expect((await run(["refresh", book, "--quiet"], { isTerminal: true })).told).toBe("");
  });

  it.each([
    [["refresh"], 2],
    [["refresh", "a.xlsx", "b.xlsx", "-o", "c.xlsx"], 2],
    [["refresh", "a.xlsx", "--max-age", "soon"], 2],
    [["refresh", "/no/such/file.xlsx"], 4],
    [["refrehs", "a.xlsx"], 2],
    [["--help"], 0],
    [["refresh", "--help"], 0],
  ])("ends for %j with the exit code %i", async (words, code) => {
    const ran: Ran = await run(words);
    expect(ran.code).toBe(code);
  });
});
