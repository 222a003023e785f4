import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { addin } from "../../../command/addin";
import { readXlsx } from "../../../workbench/files/read-xlsx";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { tableFile } from "../../xlsx/table-file";
import { createPlayer, inCell, playFolder, published } from "../played-io";

const [code, fee, days, reinspection] = [1003, 1056, 1030, 1057];
let folder: string;
let book: string;
let run: ReturnType<typeof createPlayer>;

beforeEach(async () => {
  folder = await playFolder();
  book = join(folder, "projects.xlsx");
  run = createPlayer(folder);
  const rows = [
    ["Project", "City", "State", "Elec. code", "Minimum permit fee ($)", "review (days)", "Notes"],
    ["Roof", "Alameda County", "CA", "", "", "", "call first"],
    ["Field", "Los Angeles County", "CA", "", "", "", ""],
    ["Barn", "Nowhere", "CA", "", "", "", ""],
  ];
  await writeFile(book, tableFile("Projects", rows));
});

async function rowsIn(file = book): Promise<unknown[][]> {
  const { contents } = readXlsx(openWorkbookFile(await readFile(file)), addin);
  const cells = contents.sheets[0]!.cells;
  return [0, 1, 2, 3].map((row) =>
    [3, 4, 5, 6, 7].map(
      (column) => cells.find((cell) => cell.row === row && cell.column === column)?.value ?? "",
    ),
  );
}

/** A published text as its cell shows it: a number of days is a number, with its unit in the format. */
function shown(text: string | null | undefined) {
  const [, days] = /^(\d+) days$/.exec(text ?? "") ?? [];
  return days === undefined ? inCell(text) : Number(days);
}

describe("regdata fill", () => {
  it("fills the columns whose questions are certain, names the others and the places that are not clear", async () => {
    const before = await readFile(book);
    const { code: exit, out, told } = await run(["fill", book, "--table", "projects"]);
    expect([exit, told]).toEqual([10, ""]);
    expect(out).toContain("Projects: 2 rows filled by City, State");
    expect(out).toContain("Minimum permit fee ($): Minimum Permit Fee (1056), USD");
    expect(out).toMatch(/Notes: left as it is; (?:perhaps|no question has these words)/);
    expect(out).toContain("1 place not clear:\n    Nowhere, CA");
    const rows = await rowsIn();
    expect(rows[0]).toEqual(["Elec. code", "Minimum permit fee ($)", "review (days)", "Notes", "AHJ ID"]);
    const ids = [rows[1]![4], rows[2]![4]].map(Number);
    const said = await published(ids, [code, fee, days]);
    for (const [at, id] of ids.entries())
      expect(rows[at + 1]!.slice(0, 3)).toEqual(
        [code, fee, days].map((type) => shown(said.get(id)?.[type]?.value)),
      );
    expect(rows[3]).toEqual(["", "", "", "", ""]);
    expect(before).not.toEqual(await readFile(book));
  });

  it("fills a column with another question if that is named, and refresh brings all of them up to date", async () => {
    await run(["fill", book, "--in", `Notes=${reinspection}`], { month: "before" });
    const filled = await rowsIn();
    const [id, other] = [Number(filled[1]![4]), Number(filled[2]![4])];
    const before = await published([other], [reinspection], { month: "before" });
    expect(filled[2]![3]).toBe(shown(before.get(other)?.[reinspection]?.value));
    expect(filled[1]![3]).toBe("call first");
    const { code: exit, out } = await run(["refresh", book], { month: "after" });
    expect(out).not.toContain("No imports");
    expect([0, 10]).toContain(exit);
    const now = await published([id], [code, fee, days], { month: "after" });
    expect((await rowsIn())[1]!.slice(0, 3)).toEqual(
      [code, fee, days].map((type) => shown(now.get(id)?.[type]?.value)),
    );
  });

  it("lists only, with --dry-run, and leaves the file as it is", async () => {
    const before = await readFile(book);
    const { code: exit, out } = await run(["fill", book, "--dry-run", "--json"]);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      books: [
        {
          written: null,
          filled: {
            table: "Projects",
            places: ["City", "State"],
            rows: 2,
            unclear: ["Nowhere, CA"],
            columns: [
              { header: "Elec. code", question: { id: code } },
              { header: "Minimum permit fee ($)", question: { id: fee } },
              { header: "review (days)", question: { id: days } },
              { header: "Notes", question: null },
            ],
          },
        },
      ],
    });
    expect(await readFile(book)).toEqual(before);
  });

  it.each([
    ["--table Other", "There is no such table: Projects (Sheet1!A1:G4)."],
    ["--places Town", 'The table has no column "Town".'],
    ["--in nothing=1056", '--in "nothing=1056" names no column with blank cells'],
    ["--in Notes=1", 'The service knows no question "1".'],
  ])("says what is wrong: %s", async (words, sentence) => {
    const before = await readFile(book);
    const { code: exit, told } = await run(["fill", book, ...words.split(" ")]);
    expect(exit).toBe(2);
    expect(told).toContain(sentence);
    expect(await readFile(book)).toEqual(before);
  });
});
