import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkbookFile, storedFormula } from "../../xlsx/workbook-file";
import { changedParts, partsOf } from "./hand-made";

/** The path of a workbook that Excel saved: beside the project, or in the folder that REAL_EXCEL_FOLDER names. */
const path = [
  process.env["REAL_EXCEL_FOLDER"],
  resolve(import.meta.dirname, "../../../shared/data/real-excel"),
]
  .map((folder) => resolve(folder ?? "", "custom-functions-saved-by-excel.xlsx"))
  .find((each) => existsSync(each));
const title = "a workbook that a real Excel saved";

describe.skipIf(!path)(
  path ? title : `${title} (skipped: ../shared/data/real-excel is not beside the project)`,
  () => {
    const bytes = () => readFileSync(path!);

    it("has four stuck cells on two sheets and two live ones on the third", () => {
      const calls = openWorkbookFile(bytes()).customFunctions("CONTOSO");
      expect(
        calls.map(({ sheet, row, column, state, isSheetProtected }) => [
          sheet.name,
          row,
          column,
          state,
          isSheetProtected,
        ]),
      ).toEqual([
        ["Protected", 0, 0, "stuck", true],
        ["Protected", 0, 1, "stuck", true],
        ["Unprotected", 0, 0, "stuck", false],
        ["Unprotected", 0, 1, "stuck", false],
        ["Correct", 0, 0, "live", false],
        ["Correct", 0, 1, "live", false],
      ]);
      expect(calls.at(-1)).toMatchObject({
        shownText: 'CONTOSO.GET("test")',
        cachedValue: "test",
        isError: false,
      });
    });

    it("is mended by writing the stored names, as Excel writes them on its third sheet, and all else stays", () => {
      const file = openWorkbookFile(bytes());
      for (const { sheet, row, column, state, shownText } of file.customFunctions("CONTOSO")) {
        if (state !== "stuck") continue;
        const formula = { text: storedFormula(shownText, ["CONTOSO"]) };
        sheet.setCells([{ row, column, formula, value: column === 0 ? 3 : "test" }]);
      }
      const saved = file.save();
      expect(changedParts(bytes(), saved)).toEqual([
        ...["[Content_Types].xml", "xl/_rels/workbook.xml.rels", "xl/calcChain.xml"],
        ...["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"],
      ]);
      const parts = partsOf(saved);
      const cells = (sheet: number) =>
        /<sheetData>.*<\/sheetData>/s.exec(parts[`xl/worksheets/sheet${sheet}.xml`]!)?.[0];
      expect(cells(1)).toBe(cells(3));
      expect(cells(2)).toBe(cells(3));
      expect(parts["xl/worksheets/sheet1.xml"]).toContain('<sheetProtection algorithmName="SHA-512"');
    });

    it("names its add-in, and keeps every byte of content when nothing is changed", () => {
      const file = openWorkbookFile(bytes());
      expect(file.webExtensions).toMatchObject([
        {
          reference: {
            id: "00000000-0000-0000-0000-000000000001",
            store: "developer",
            storeType: "Registry",
          },
          customFunctionIds: ["_xldudf_CONTOSO_ADD", "_xldudf_CONTOSO_GET"],
        },
      ]);
      expect(changedParts(bytes(), file.save())).toEqual([]);
      expect(Object.keys(partsOf(file.save()))).toEqual(Object.keys(partsOf(bytes())));
    });
  },
);
