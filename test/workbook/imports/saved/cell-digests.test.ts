import { describe, expect, it } from "vitest";
import {
  type ServiceCellKey,
  createDigests,
  digestOf,
  digestsOfColumn,
  openDigests,
  storeDigests,
  editedDigest,
  mostDigests,
  noDigest,
  printOfAhj,
} from "../../../../src/workbook/imports/saved/cell-digests";
import { importXml, parseImportXml } from "../../../../src/workbook/imports/saved/saved-import";
import { plainForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { savedFees } from "../saved-fees";

const cell = (ahjId: number, typeId = 10, part: ServiceCellKey["part"] = "value") => ({
  ahjId,
  typeId,
  part,
});
/** Digests of cells that show these texts. */
function digestsOf(...shown: [ServiceCellKey, unknown][]) {
  const digests = createDigests();
  for (const [key, text] of shown) digests.set(key, digestOf(key, text), digestOf(key, text));
  return digests;
}
type Digests = ReturnType<typeof createDigests>;
/** The part of an import with these digests. */
const partWith = (digests: Digests) =>
  importXml({
    ...savedFees({ form: plainForm, columns: [], types: [] }),
    refreshes: [],
    digests: storeDigests(digests),
  });
const digestsIn = (xml: string) => parseImportXml(xml)?.digests;
const readAgain = (digests: Digests) => openDigests(digestsIn(partWith(digests)) ?? null);

describe("digests of an import's cells", () => {
  it("tell if a cell shows what was written, and say nothing about cells that nobody wrote", () => {
    const digests = digestsOf([cell(1), 30], [cell(2), "as adopted"], [cell(3), ""]);
    expect(digests.isAsWritten(cell(1), 30)).toBe(true);
    expect(digests.isAsWritten(cell(1), "30")).toBe(false);
    expect(digests.isAsWritten(cell(2), "as adopted ")).toBe(false);
    expect(digests.isAsWritten(cell(3), "")).toBe(true);
    expect(digests.isAsWritten(cell(4), 30)).toBeUndefined();
    expect(digests.isAsWritten(cell(1, 20), 30)).toBeUndefined();
    expect(digests.isAsWritten(cell(1, 10, "section"), 30)).toBeUndefined();
  });

  it("are computed as in saved workbooks: FNV-1a of AHJ, type, part, kind and text, folded to 24 bits", () => {
    const key = cell(17, 1_003);
    const shown = ["a", "", "é✓", 12.5, true];
    expect(shown.map((each) => digestOf(key, each))).toEqual([
      9_835_292, 65_852, 4_268_111, 4_464_103, 1_918_837,
    ]);
    const ofColumn = digestsOfColumn(1_003, "value");
    expect(shown.map((each) => ofColumn(printOfAhj(17), each))).toEqual(
      shown.map((each) => digestOf(key, each)),
    );
  });

  it("take a cell that is being written as written before and after", () => {
    const digests = createDigests();
    digests.set(cell(1), digestOf(cell(1), 30), digestOf(cell(1), 31));
    expect([30, 31, 32].map((shown) => digests.isAsWritten(cell(1), shown))).toEqual([true, true, false]);
    digests.settle();
    expect([30, 31].map((shown) => digests.isAsWritten(cell(1), shown))).toEqual([false, true]);
  });

  it("know nothing of a cell that is being written over a text of an unknown writer", () => {
    const digests = createDigests();
    digests.set(cell(1), noDigest, digestOf(cell(1), 31));
    expect([30, 31].map((shown) => digests.isAsWritten(cell(1), shown))).toEqual([undefined, true]);
  });

  it("never take a cell that a user has typed into as written", () => {
    const digests = createDigests();
    digests.set(cell(1), editedDigest, editedDigest);
    expect(digests.isAsWritten(cell(1), 30)).toBe(false);
  });

  it("come back from the import's part, before and after", () => {
    const digests = digestsOf([cell(1), 30], [cell(2_000_000_000), "x"], [cell(2, 20, "section"), "1-2"]);
    digests.set(cell(7), digestOf(cell(7), "a"), digestOf(cell(7), "b"));
    const again = readAgain(digests);
    expect(again.isAsWritten(cell(1), 30)).toBe(true);
    expect(again.isAsWritten(cell(2_000_000_000), "x")).toBe(true);
    expect(again.isAsWritten(cell(2, 20, "section"), "1-2")).toBe(true);
    expect(["a", "b", "c"].map((text) => again.isAsWritten(cell(7), text))).toEqual([true, true, false]);
    expect(again.isAsWritten(cell(1, 20, "section"), "")).toBeUndefined();
  });

  it("tell of cells that describe jurisdictions, too", () => {
    const name = { ahjId: 1, typeId: null, part: "name" as const };
    const again = readAgain(digestsOf([cell(1), 30], [name, "Alameda County"]));
    expect([again.isAsWritten(cell(1), 30), again.isAsWritten(name, "Alameda County")]).toEqual([true, true]);
    expect(again.isAsWritten(name, "Our county")).toBe(false);
  });

  it("hold four characters of each cell, whatever stands there, and the same text has another digest elsewhere", () => {
    const long = partWith(digestsOf([cell(1), "secret ".repeat(1_000)]));
    const short = partWith(digestsOf([cell(1), "x"]));
    expect(long).toHaveLength(short.length);
    expect(long).not.toContain("secret");
    expect(digestOf(cell(1), "x")).not.toBe(digestOf(cell(2), "x"));
  });

  it("are kept for the first 200,000 cells, in whole columns", () => {
    const digests = createDigests();
    for (const typeId of [1, 2, 3])
      for (let ahjId = 0; ahjId < 90_000; ahjId += 1) digests.set(cell(ahjId, typeId), 5, 5);
    expect([...digests.columns()].map(({ typeId }) => typeId)).toEqual([1, 2]);
    expect(digests.ahjIds()).toHaveLength(90_000);
    expect(digests.hasRoomFor(cell(1, 3))).toBe(false);
    expect(mostDigests).toBe(200_000);
    expect(partWith(digests).length).toBeLessThan(1_500_000);
  });
});

describe("a part whose digests somebody has changed", () => {
  const xml = partWith(digestsOf([cell(1), 30], [cell(2), 40]));
  const changed = (from: string | RegExp, to: string) => {
    const other = xml.replace(from, to);
    expect(other).not.toBe(xml);
    return digestsIn(other);
  };

  it("counts if one of its ids is no jurisdiction's, so that what people typed in all other rows is known", () => {
    const digests = createDigests();
    const ids = [7, -5, 0];
    for (const ahjId of ids) {
      const cell = { ahjId, typeId: 1, part: "value" as const };
      digests.set(cell, digestOf(cell, "$30"), digestOf(cell, "$30"));
    }
    expect(readAgain(digests).isAsWritten({ ahjId: 7, typeId: 1, part: "value" }, "ask Ann")).toBe(false);
  });

  it("is an import of whose cells nothing is known, if they are damaged or others than they say", () => {
    expect(digestsIn(xml)).not.toBeNull();
    expect(changed('"ahjIds":[1,2]', '"ahjIds":[1,2,3]')).toBeNull();
    expect(changed('"ahjIds":[1,2]', '"ahjIds":[1,1.5]')).toBeNull();
    expect(changed('"ahjIds":[1,2]', '"ahjIds":[1,1]')).toBeNull();
    expect(changed('"part":"value","after"', '"part":"constructor","after"')).toBeNull();
    expect(changed(/"after":"../, '"after":"!!')).toBeNull();
    expect(changed(/"after":"../, '"after":"')).toBeNull();
  });

  it("is one of whose cells nothing is known, if they are more than the add-in keeps", () => {
    const ahjIds = Array.from({ length: mostDigests + 1 }, (_, id) => id);
    const columns = [{ typeId: 1, part: "value" as const, after: "AAAA".repeat(ahjIds.length) }];
    const large = importXml({
      ...savedFees({ form: plainForm, columns: [], types: [] }),
      refreshes: [],
      digests: { stateId: "s", ahjIds, columns },
    });
    expect(digestsIn(large)).toBeNull();
  });
});
