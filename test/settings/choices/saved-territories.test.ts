import { expect, it } from "vitest";
import { createLastChoice } from "../../../src/settings/choices/last-choice";
import { createTerritories, entryOf } from "../../../src/settings/choices/saved-territories";
import { createPartStorage } from "../../../src/workbook/sheet/parts/part-storage";
import { openExcel } from "../../excel/open-excel";
import { inTime } from "../../excel/in-time";
import { playExcel } from "../../functions/excel";
import { memoryStorage } from "../memory-storage";

playExcel();

const bay = { name: "Bay Area", entries: ["06001", "ahj:12"] };
const part = "urn:regdata:territories";

it("a territory that the workbook keeps is there for whoever opens the file", async () => {
  const excel = openExcel();
  const here = createTerritories(createPartStorage(excel.app.workbook, part));
  expect(await inTime(here.read())).toEqual([]);
  expect(await inTime(here.save(bay))).toEqual([bay]);
  const file = excel.save();
  excel.close();
  const colleague = openExcel({ file, key: null });
  const there = createTerritories(createPartStorage(colleague.app.workbook, part));
  expect(await inTime(there.read())).toEqual([bay]);
  expect(await inTime(there.remove("bay area"))).toEqual([]);
});

it.each([
  ["a formula as an entry", { version: 1, territories: [{ name: "x", entries: ["=1+1"] }] }],
  ["words before a geoID", { version: 1, territories: [{ name: "x", entries: ["=A1&06001"] }] }],
  ["words after an id", { version: 1, territories: [{ name: "x", entries: ["ahj:12<b>"] }] }],
  ["a name without end", { version: 1, territories: [{ name: "x".repeat(101), entries: [] }] }],
  ["too many entries", { version: 1, territories: [{ name: "x", entries: Array(10_001).fill("06001") }] }],
  ["another version", { version: 2, territories: [bay] }],
])("territories of a workbook with %s are none", async (_, kept) => {
  const { app } = openExcel();
  const storage = createPartStorage(app.workbook, part);
  await inTime(storage.setItem("", JSON.stringify(kept)));
  expect(await inTime(createTerritories(storage).read())).toEqual([]);
});

it("a jurisdiction without a geoID is kept by its id", () => {
  expect(
    [
      { id: 7, geoid: null },
      { id: 8, geoid: "06001" },
    ].map(entryOf),
  ).toEqual(["ahj:7", "06001"]);
});

it("the last choice of jurisdictions is there at the next start, and empty if the saved one makes no sense", async () => {
  const storage = memoryStorage();
  const last = { entries: ["06001"], typeIds: [1003] };
  await createLastChoice(storage).change(() => last);
  const after = createLastChoice(storage);
  expect(after.current()).toBeNull();
  await after.read();
  expect(after.current()).toEqual(last);
  await storage.setItem("regdata.last-choice", '{"version":1,"last":{"entries":["<b>"],"typeIds":[1]}}');
  await after.read();
  expect(after.current()).toBeNull();
});
