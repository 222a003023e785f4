import { afterEach, expect, it } from "vitest";
import { useDateSystem } from "../../../src/workbook/sheet/date-system";
import { type FileCell, openWorkbookFile } from "../../../xlsx/workbook-file";
import { cleansFolders, regdataFolder } from "../regdata-run";

/** Workbooks that count days from 1904: the same day has a number that is 1,462 less. */
cleansFolders();
afterEach(() => useDateSystem(false));

const daysBetween = 1_462;
const importOfDays = "matrix --where RI,NV,CA --question 1013 --question 1056 --sources -o book.xlsx";

/** The cells of all sheets that hold days, by sheet and place, and the other cells. */
function cellsOf(bytes: Uint8Array) {
  const file = openWorkbookFile(bytes);
  const [days, others] = [new Map<string, number>(), new Map<string, FileCell["value"]>()];
  for (const sheet of file.sheets) {
    for (const { row, column, value, style } of sheet.cells()) {
      const place = `${sheet.name} ${row} ${column}`;
      const { numberFormat } = file.styles.look(style);
      if (typeof value === "number" && numberFormat.includes("yyyy")) days.set(place, value);
      else others.set(place, value);
    }
  }
  return { days, others };
}

const lessThan = (days: ReadonlyMap<string, number>) =>
  new Map([...days].map(([place, day]) => [place, day - daysBetween]));

/** The same file as its user would have it with the other date system: the numbers stay, or the days. */
function in1904(bytes: Uint8Array, keeps: "numbers" | "days") {
  const file = openWorkbookFile(bytes);
  file.setDateSystem(true);
  for (const sheet of keeps === "days" ? file.sheets : []) {
    const shifted = [...sheet.cells()].flatMap(({ row, column, value, style }) =>
      typeof value === "number" && file.styles.look(style).numberFormat.includes("yyyy")
        ? [{ row, column, value: value - daysBetween }]
        : [],
    );
    sheet.setCells(shifted);
  }
  return file.save();
}

it("regdata refresh finds no change where the workbook shows the days that were published", async () => {
  const { run, read, write } = regdataFolder();
  await run(importOfDays);
  write("book.xlsx", in1904(read("book.xlsx"), "days"));
  const before = read("book.xlsx");
  expect(cellsOf(before).days.size).toBeGreaterThan(100);
  const { code, printed } = await run("refresh book.xlsx");
  expect([code, printed]).toEqual([0, expect.stringContaining("Nothing changed; the file is as it was.")]);
  expect(read("book.xlsx")).toEqual(before);
});

it("regdata refresh writes days as the workbook counts them, and leaves all other numbers", async () => {
  const { run, read, write } = regdataFolder();
  await run(importOfDays.replace(" --sources", ""));
  const published = cellsOf(read("book.xlsx"));
  expect(published.days.size).toBeGreaterThan(100);
  write("book.xlsx", in1904(read("book.xlsx"), "numbers"));
  expect((await run("refresh book.xlsx")).code).toBe(10);
  const refreshed = read("book.xlsx");
  expect(openWorkbookFile(refreshed).uses1904).toBe(true);
  expect(cellsOf(refreshed)).toEqual({ days: lessThan(published.days), others: published.others });
  expect((await run("refresh book.xlsx")).code).toBe(0);
});

it("regdata diff compares days, whichever date system each version has", async () => {
  const { run, read, write } = regdataFolder();
  await run(importOfDays);
  write("days.xlsx", in1904(read("book.xlsx"), "days"));
  write("numbers.xlsx", in1904(read("book.xlsx"), "numbers"));
  const { code, printed } = await run("diff book.xlsx days.xlsx");
  expect([code, printed]).toEqual([0, expect.stringContaining("Nothing differs.")]);
  const { days } = cellsOf(read("book.xlsx"));
  const [[, day = 0] = []] = days;
  const shifted = await run("diff book.xlsx numbers.xlsx");
  expect(shifted.code).toBe(10);
  // Excel counts days from December 30, 1899.
  const dayText = (count: number) => new Date(Date.UTC(1899, 11, 30 + count)).toISOString().slice(0, 10);
  expect(shifted.printed).toContain(`${dayText(day)} → ${dayText(day + daysBetween)}`);
});

it("regdata repair takes a day from a cell as the workbook counts it", async () => {
  const { run, read, write } = regdataFolder();
  await run("matrix --where RI --question 1003 --sources -o import.xlsx");
  const imported = openWorkbookFile(read("import.xlsx"));
  const sources = imported.sheets.find(({ name }) => name === "Sources")!;
  const state = [...sources.cells()].find(
    ({ value }) => value === "Rhode Island, RI" || value === "Rhode Island",
  )!;
  const updated = [...sources.cells()].find(({ row, column }) => row === state.row && column === 6)!;
  for (const uses1904 of [false, true]) {
    const file = openWorkbookFile(read("import.xlsx"));
    file.setDateSystem(uses1904);
    const sheet = file.addSheet("Changed");
    const day = Math.floor(Number(updated.value)) - (uses1904 ? daysBetween : 0);
    sheet.setCells(
      [day, day + 1].flatMap((value, row) => [
        { row, column: 0, value },
        {
          ...{ row, column: 1, value: "#BUSY!", isError: true },
          formula: { text: `REGDATA.CHANGED("44",1003,A${row + 1})` },
        },
      ]),
    );
    write("book.xlsx", file.save());
    await run("repair book.xlsx");
    const kept = openWorkbookFile(read("book.xlsx")).customFunctions("REGDATA");
    expect(kept.map(({ cachedValue }) => cachedValue)).toEqual([true, false]);
  }
});
