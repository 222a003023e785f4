import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { openWorkbookFile } from "../../../xlsx/workbook-file";
import { createPlayer, playFolder } from "../played-io";

let book: string;
let run: ReturnType<typeof createPlayer>;

/** A workbook with an import that somebody has put on hold in Excel, as Excel saves the name. */
beforeEach(async () => {
  const folder = await playFolder();
  book = join(folder, "fees.xlsx");
  run = createPlayer(folder);
  const made = await run(["matrix", "--where", "NV", "--question", "1056", "-o", book], { month: "before" });
  expect(made.code).toBe(10);
  const file = openWorkbookFile(await readFile(book));
  file.setDefinedNames([
    ...file.definedNames,
    {
      ...{ name: "RegData.OnHold", comment: "", sheet: null, hidden: false },
      formula: '"On hold since 2026-11-30 14:05 UTC by Anna ""Ann"" O’Neil"',
    },
  ]);
  await writeFile(book, file.save());
});

it("a workbook on hold is not refreshed: no request, the file as it is, and what to do", async () => {
  const before = await readFile(book);
  const { code, told, out, requests } = await run(["refresh", book], { month: "after" });
  expect(code).toBe(4);
  expect(told + out).toContain("This workbook is on hold.");
  expect(told + out).toContain('by “Anna "Ann" O’Neil”');
  expect(told + out).toContain("Release it in the RegData pane, or delete its name RegData.OnHold");
  expect(requests).toEqual([]);
  expect(await readFile(book)).toEqual(before);
});

it("nor is a table in it filled", async () => {
  const { code, requests } = await run(["fill", book]);
  expect([code, requests]).toEqual([4, []]);
});

it("check says since when and by whom", async () => {
  const { out } = await run(["check", book]);
  expect(out).toContain("Workbooks on hold");
  expect(out).toContain('on hold since 2026-11-30, by “Anna "Ann" O’Neil”');
});

it("check lists what it uses and asks for nothing", async () => {
  const { out, requests } = await run(["check", book, "--uses", "--answers", "none"]);
  expect(requests).toEqual([]);
  expect(out).toContain("134 places and 1 question in 0 formulas and 1 import");
  expect(out).toContain("were not looked up, because the workbook is on hold");
});

it("a sheet's own name holds nothing", async () => {
  const file = openWorkbookFile(await readFile(book));
  const [{ name: sheet } = { name: "" }] = file.sheets;
  file.setDefinedNames(file.definedNames.map((name) => ({ ...name, sheet: name.sheet ?? sheet })));
  await writeFile(book, file.save());
  const { requests } = await run(["refresh", book], { month: "after" });
  expect(requests.length).toBeGreaterThan(0);
});
