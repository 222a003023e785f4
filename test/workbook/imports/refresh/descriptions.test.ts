import { describe, expect, it } from "vitest";
import { inTime } from "../../../excel/in-time";
import { pass, playExcel } from "../../../functions/excel";
import { fee, importedBook, type Sent } from "../imported-book";
import { changesLines } from "../changes-lines";
import { pastRefresh } from "../../../../src/workbook/imports/refresh/changes-sheet";
import { importNamespace } from "../../../../src/workbook/imports/saved/saved-import";
import { takeServiceValues } from "../../../../src/workbook/imports/refresh/take-service-values";

playExcel();

/** An import of four fees, and a way to let the service describe the question otherwise. */
async function described(before: string, text: string, layout: "wide" | "long" = "wide") {
  const type = { unit: before, name: "Plan Review Fee" };
  const book = await importedBook(
    (object: Sent) => {
      if (object.id === fee && "unit_of_measure" in object)
        Object.assign(object, { unit_of_measure: type.unit, name: type.name });
      const cell = object.values?.[fee];
      if (cell) cell.value = text;
    },
    { form: { layout, hasCitations: false } },
  );
  return { ...book, type };
}
const headerIn = ({ excel }: Awaited<ReturnType<typeof described>>) => excel.values("Fees!F1")[0]![0];

describe("a question that the service describes otherwise", () => {
  it.each([
    ["USD", "Plan Review Fee ($)", "USD per kW", "Plan Review Fee ($ per kW)", "$45"],
    ["days", "Plan Review Fee (days)", "business days", "Plan Review Fee (business days)", "5"],
  ])(
    "gets a header that names its new unit, and the report says so: %s",
    async (unit, header, now, headerNow, text) => {
      const book = await described(unit, text);
      expect(headerIn(book)).toBe(header);
      book.type.unit = now;
      const { report, saved } = await book.refresh();
      expect(headerIn(book)).toBe(headerNow);
      expect(report.renamed.map(({ headers }) => headers)).toEqual([
        [{ before: header, after: headerIn(book) }],
      ]);
      expect(saved.types.find(({ id }) => id === fee)?.unit_of_measure).toBe(now);
      expect(changesLines(report)).toContain(`${header} → ${String(headerIn(book))}: header changed`);
      const again = await book.refresh();
      expect(again.report).toMatchObject({ renamed: [], missingColumns: [], changes: [], edited: [] });
    },
  );

  it("gets a header with its new name, under which its later answers are refreshed", async () => {
    const book = await described("USD", "$45");
    book.type.name = "Fee for Plan Review";
    const { report } = await book.refresh();
    expect(headerIn(book)).toBe("Fee for Plan Review ($)");
    expect(report.renamed).toHaveLength(1);
    const again = await book.refresh();
    expect([again.report.missingColumns, again.report.confirmed]).toEqual([[], report.confirmed]);
  });

  it("leaves a header that the user has changed, and says that the column is not found", async () => {
    const book = await described("USD", "$45");
    book.excel.enter("Fees!F1", [["Our fee"]]);
    await pass(5_000);
    book.type.unit = "USD per kW";
    const { report } = await book.refresh();
    expect(headerIn(book)).toBe("Our fee");
    expect(report.missingColumns).toEqual(["Plan Review Fee ($)"]);
  });

  it("is named anew in the rows of a long table, except where the user has typed", async () => {
    const book = await described("USD", "$45", "long");
    const named = () => book.excel.values("Fees!E2:F9").filter(([name]) => /Fee|fee/.test(String(name)));
    expect(named().every(([name, unit]) => name === "Plan Review Fee" && unit === "USD")).toBe(true);
    const row = 2 + book.excel.values("Fees!E2:E9").findIndex(([name]) => name === "Plan Review Fee");
    book.excel.enter(`Fees!E${row}`, [["Our fee"]]);
    book.type.unit = "USD per kW";
    await book.refresh();
    expect(named()[0]).toEqual(["Our fee", "USD per kW"]);
    expect(named()[1]).toEqual(["Plan Review Fee", "USD per kW"]);
  });
});

/** An import of four jurisdictions, and a way to let the service describe the first of them otherwise. */
async function ofCounties(layout: "wide" | "long" = "wide", options: { hasDates?: boolean } = {}) {
  const first = { name: "", said: {} as Record<string, unknown> };
  const book = await importedBook(
    (object: Sent) => {
      if (object.name === first.name && "geoid" in object) Object.assign(object, first.said);
    },
    { form: { layout, hasCitations: false, ...options } },
  );
  const names = book.excel.values("Fees!A2:A9").map(([name]) => String(name));
  // In a long table, the first county that has two rows.
  first.name = names.find((name, row) => layout === "wide" || names.indexOf(name) !== row)!;
  return { ...book, county: first.name, say: (said: Record<string, unknown>) => void (first.said = said) };
}
const toldIn = ({ changes }: Pick<Awaited<ReturnType<Refresh>>["report"], "changes">) =>
  changes.map(({ type, place, before, after }) => [
    type?.name ?? place.header,
    place.row,
    before?.value,
    after?.value,
  ]);
type Refresh = Awaited<ReturnType<typeof importedBook>>["refresh"];

describe("a jurisdiction that the service describes otherwise", () => {
  it("gets its new name, state, type and geoID in its row, each told like a changed value", async () => {
    const book = await ofCounties();
    const [, state, type, geoid] = book.excel.values("Fees!A2:D2")[0]!;
    const others = book.excel.values("Fees!A3:D5");
    const now = { name: "Carson Consolidated", state_code: "UT", type: "city", geoid: "4900001" };
    book.say(now);
    const { report } = await book.refresh();
    expect(book.excel.values("Fees!A2:D2")[0]).toEqual(Object.values(now));
    expect(book.excel.values("Fees!A3:D5")).toEqual(others);
    expect(toldIn(report)).toEqual([
      ["Name", 0, book.county, now.name],
      ["State", 0, state, now.state_code],
      ["Type", 0, type, now.type],
      ["geoID", 0, geoid, now.geoid],
    ]);
    expect(changesLines(report)).toContain(`${book.county} → Carson Consolidated: changed`);
    expect(pastRefresh(report).changes).toContainEqual(
      expect.objectContaining({ column: "geoID", before: geoid, after: now.geoid }),
    );
    expect((await book.refresh()).report).toMatchObject({ changes: [], edited: [], unsure: [] });
  });

  it("is recognized on another device, and in a row that was moved", async () => {
    const book = await ofCounties();
    const colleague = await book.reopened();
    const rows = colleague.excel.values("Fees!A2:G5");
    colleague.excel.enter("Fees!A2", rows.toReversed());
    await pass(5_000);
    book.say({ name: "Carson Consolidated" });
    const { report } = await colleague.refresh();
    expect(toldIn(report)).toEqual([["Name", 3, book.county, "Carson Consolidated"]]);
    expect(colleague.excel.values("Fees!A5")).toEqual([["Carson Consolidated"]]);
  });

  it("keeps what somebody has typed over it, which is listed as edited and can be given up", async () => {
    const book = await ofCounties();
    book.excel.enter("Fees!A2", [["Our county"]]);
    book.excel.enter("Fees!C2", [["my kind"]]);
    await pass(5_000);
    book.say({ name: "Carson Consolidated", geoid: "32999" });
    const { report, saved } = await book.refresh();
    expect(book.excel.values("Fees!A2:D2")[0]).toEqual(["Our county", "NV", "my kind", "32999"]);
    expect(toldIn(report)).toEqual([["geoID", 0, expect.any(String), "32999"]]);
    expect(report.edited).toMatchObject([
      { place: { row: 0, header: "Name" }, text: "Our county", after: { value: "Carson Consolidated" } },
      { place: { row: 0, header: "Type" }, text: "my kind" },
    ]);
    expect(changesLines(report)).toContain("Our county → Carson Consolidated: edited, kept");
    const [name] = report.edited;
    await inTime(takeServiceValues(saved, { report, cells: [name!] }, book.dependencies));
    expect(book.excel.values("Fees!A2")).toEqual([["Carson Consolidated"]]);
    book.say({ name: "Carson City", geoid: "32999" });
    expect(toldIn((await book.refresh()).report)).toEqual([
      ["Name", 0, "Carson Consolidated", "Carson City"],
    ]);
  });

  it("is renamed in all its rows of a long table but the one that somebody has typed into", async () => {
    const book = await ofCounties("long");
    const rows = book.excel
      .values("Fees!A2:A9")
      .flatMap(([name], row) => (name === book.county ? [row] : []));
    expect(rows.length).toBeGreaterThan(1);
    book.excel.enter(`Fees!A${rows[0]! + 2}`, [["Our county"]]);
    await pass(5_000);
    book.say({ name: "Carson Consolidated" });
    const { report } = await book.refresh();
    expect(toldIn(report)).toEqual(
      rows.slice(1).map((row) => ["Name", row, book.county, "Carson Consolidated"]),
    );
    expect(report.edited).toMatchObject([{ place: { row: rows[0], header: "Name" }, text: "Our county" }]);
    const again = await book.refresh();
    expect(again.report).toMatchObject({ changes: [], edited: [{ text: "Our county" }] });
  });

  it("gets its new name from a list of dated values, too", async () => {
    const book = await ofCounties("wide", { hasDates: true });
    book.say({ name: "Carson Consolidated" });
    expect(toldIn((await book.refresh()).report)).toEqual([["Name", 0, book.county, "Carson Consolidated"]]);
  });

  it("loses a geoID that the service takes back", async () => {
    const book = await ofCounties();
    const [[geoid]] = book.excel.values("Fees!D2") as [[string]];
    book.say({ geoid: null });
    expect(toldIn((await book.refresh()).report)).toEqual([["geoID", 0, geoid, undefined]]);
    expect(book.excel.values("Fees!D2")).toEqual([[""]]);
  });

  it("keeps its geoID if the answers leave out those of all jurisdictions", async () => {
    let hasGeoids = true;
    const book = await importedBook((object) => void (hasGeoids || delete object.geoid));
    const geoids = book.excel.values("Fees!D2:D5");
    hasGeoids = false;
    expect((await book.refresh()).report).toMatchObject({ changes: [], edited: [] });
    expect(book.excel.values("Fees!D2:D5")).toEqual(geoids);
  });
});

describe("the table of a version that kept no record of what describes jurisdictions", () => {
  /** The workbook, without that record. */
  async function ofEarlierVersion() {
    const book = await ofCounties();
    const { workbook } = book.excel.app;
    const [part] = await inTime(workbook.readParts(importNamespace));
    const earlier = part!.xml.replace(/,"ofAhjs":\[.*?\]/, "");
    expect(earlier.length).toBeLessThan(part!.xml.length);
    await inTime(workbook.writePart(part!.id, earlier));
    return book;
  }

  it("keeps a name that differs, and tells of no change, since a person may have written it", async () => {
    const book = await ofEarlierVersion();
    book.say({ name: "Carson Consolidated" });
    const { report } = await book.refresh();
    expect(report).toMatchObject({ changes: [], edited: [], unsure: [] });
    expect(book.excel.values("Fees!A2")).toEqual([[book.county]]);
  });

  it("follows the service from the first refresh on that finds what the service says", async () => {
    const book = await ofEarlierVersion();
    await book.refresh();
    book.say({ name: "Carson Consolidated" });
    const { report } = await book.refresh();
    expect(toldIn(report)).toEqual([["Name", 0, book.county, "Carson Consolidated"]]);
  });
});
