import { describe, expect, it } from "vitest";
import { pass, playExcel } from "../../../functions/excel";
import { fee, importedBook, type Sent } from "../imported-book";
import { changesLines } from "../changes-lines";

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
