import { strFromU8, unzipSync } from "fflate";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkBook } from "../../command/check/check-book";
import { mendFormulas, stuckFormulas } from "../../command/repair/stuck-formulas";
import { cellReference, openWorkbookFile, type SheetFile, type WorkbookFile } from "../../xlsx/workbook-file";
import { type Known, madeFile, type MadeFile, type Model } from "./made-files";
import { brokenRule } from "./valid-sheet";

const runs = 200;

/** The cells of a sheet as they are read, by place; blank ones are left out. */
function cellsOf(sheet: SheetFile): Model {
  const cells: Model = new Map();
  for (const { row, column, value, isError, formula } of sheet.cells())
    if (value !== null || formula)
      cells.set(cellReference(row, column), { value, isError, formula: formula?.text });
  return cells;
}

const sorted = (cells: Model) => [...cells].sort(([one], [other]) => (one < other ? -1 : 1));

function expectCells(file: WorkbookFile, { sheets }: Pick<MadeFile, "sheets">) {
  expect(file.sheets.map((sheet) => [sheet.name, sorted(cellsOf(sheet))])).toEqual(
    sheets.map(({ name, cells }) => [name, sorted(cells)]),
  );
}

/** The parts that differ between two files, byte for byte, by names with slashes. */
function otherParts(before: Uint8Array, after: Uint8Array): string[] {
  const [one, other] = [unzipSync(before), unzipSync(after)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .filter((name) => !one[name] || !other[name] || Buffer.compare(one[name], other[name]) !== 0)
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}

function textOf(bytes: Uint8Array, part: string): string {
  const parts = unzipSync(bytes);
  return strFromU8(parts[part] ?? parts[part.replaceAll("/", "\\")] ?? new Uint8Array());
}

const newValue = fc.oneof(
  fc.integer({ min: -9, max: 99 }),
  fc.constantFrom("new", " <&> ", "caf\u00e9", "_x0041_", "\u{1F600}", true, null),
);
const change = fc.record({
  row: fc.nat(11),
  column: fc.nat(10),
  value: newValue,
  formula: fc.constantFrom(null, { text: "SUM(A1:A2)" }, { text: "_xlfn.FUTURE9(1)" }),
});

/** Changes of a sheet beyond its cells. */
const frames: Record<string, (sheet: SheetFile) => void> = {
  none() {},
  merged: (sheet) => sheet.setMerged([...sheet.merged, { row: 12, column: 12, rows: 2, columns: 1 }]),
  links: (sheet) =>
    sheet.setHyperlinks([
      ...sheet.hyperlinks,
      { area: { row: 8, column: 9, rows: 1, columns: 1 }, target: null, location: "Two!A1", tooltip: null },
    ]),
  widths: (sheet) => sheet.setColumnWidths([{ column: 3, columns: 2, width: 20, isHidden: false }]),
  frozen: (sheet) => sheet.setFrozen({ rows: 1, columns: 0 }),
  print: (sheet) =>
    sheet.setPrintSetup({
      orientation: "landscape",
      fitToPages: { across: 1, down: 0 },
      footer: "&P",
      header: null,
    }),
};

/** The area that a sheet says its cells fill, as rows and columns from 1; null if it says none. */
function dimensionOf(xml: string): { rows: number; columns: number } | null {
  const [, ref] = /<(?:x:)?dimension ref="([^"]*)"/.exec(xml) ?? [];
  const [, letters = "", digits] = /([A-Z]+)(\d+)$/.exec(ref ?? "") ?? [];
  return ref === undefined ? null : { rows: Number(digits), columns: letters.charCodeAt(0) - 64 };
}

it("any file is read as it is, whatever program has made it", () => {
  fc.assert(
    fc.property(madeFile, (made) => expectCells(openWorkbookFile(made.bytes), made)),
    { numRuns: runs, seed: 51 },
  );
});

it("any change of a cell, or of a sheet's frame, changes nothing else, and leaves a sheet that the schema allows", () => {
  fc.assert(
    fc.property(
      madeFile,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...Object.keys(frames)),
      (made, changes, frame) => {
        const file = openWorkbookFile(made.bytes);
        const [sheet] = file.sheets;
        const [{ cells, part }] = made.sheets as [MadeFile["sheets"][0]];
        const isFramed = frame !== "none";
        let hasNewFormulas = false;
        for (const { row, column, value, formula } of changes) {
          const at = cellReference(row, column);
          const old: Known | undefined = cells.get(at);
          hasNewFormulas ||= formula !== null || old?.formula !== undefined;
          if (value === null && formula === null) cells.delete(at);
          else cells.set(at, { value, isError: false, formula: formula?.text });
          sheet!.setCells([{ row, column, value, formula }]);
        }
        frames[frame]!(sheet!);
        const saved = file.save();
        expectCells(openWorkbookFile(saved), made);
        const [chain, rest] = [/calcChain|Content_Types|workbook\.xml\.rels/, otherParts(made.bytes, saved)];
        const mayChange = (name: string) => name === part || (hasNewFormulas && chain.test(name));
        expect(rest.filter((name) => !mayChange(name))).toEqual(
          // A link's relationship is written anew.
          frame === "links" ? expect.arrayContaining([]) : [],
        );
        if (!isFramed && !rest.includes(part)) return;
        const xml = textOf(saved, part);
        expect(brokenRule(xml)).toBeNull();
        const dimension = dimensionOf(xml);
        for (const { row, column, value, formula } of dimension ? changes : [])
          if (value !== null || formula !== null)
            expect([row < dimension!.rows, column < dimension!.columns]).toEqual([true, true]);
      },
    ),
    { numRuns: runs, seed: 52 },
  );
});

it("a cell of any file gets another look and keeps all else that its format says, and a part that is added has a content type", () => {
  fc.assert(
    fc.property(madeFile, (made) => {
      const file = openWorkbookFile(made.bytes);
      const [sheet] = file.sheets;
      const formats = new Map(
        [...sheet!.cells()].map((cell) => [cellReference(cell.row, cell.column), cell]),
      );
      for (const { row, column } of formats.values())
        sheet!.setCells([{ row, column, style: (base) => file.styles.styleWith(base, { bold: true }) }]);
      file.addCustomXml('<ours xmlns="urn:ours"/>');
      const saved = file.save();
      const changed = openWorkbookFile(saved);
      expectCells(changed, made);
      const stylesXml = textOf(saved, "xl/styles.xml");
      const written = [
        ...(/<cellXfs[^]*<\/cellXfs>/.exec(stylesXml)?.[0].matchAll(/<xf\b[^>]*?(?:\/>|>[^]*?<\/xf>)/g) ??
          []),
      ];
      const kept = (index: number) => [
        / borderId="([1-9]\d*)"/.exec(written[index]?.[0] ?? "")?.[1],
        written[index]?.[0].includes("<xfpb:xfComplement i="),
      ];
      for (const { row, column, style } of changed.sheets[0]!.cells())
        expect(kept(style)).toEqual(kept(formats.get(cellReference(row, column))!.style));
      const types = textOf(saved, "[Content_Types].xml");
      for (const name of changed.partNames
        .filter((each) => each.startsWith("customXml/"))
        .map((each) => each.replaceAll("\\", "/")))
        if (!name.includes("_rels"))
          expect(types).toMatch(
            new RegExp(`PartName="/${name}"|<Default Extension="xml" ContentType="application/xml"`),
          );
    }),
    { numRuns: runs, seed: 54 },
  );
});

it("the stuck formulas of any file are found, each and no other, and mended without another change", () => {
  fc.assert(
    fc.property(madeFile, (made) => {
      const file = openWorkbookFile(made.bytes);
      const placesOf = (...states: string[]) =>
        [...made.ours].flatMap(([place, state]) => (states.includes(state) ? place : [])).sort();
      const problems = checkBook(file, {
        ...{ namespace: "REGDATA", keys: [], service: null, olderThanDays: 365, nowMs: 0 },
      });
      const found = problems.filter(({ kind, place }) => kind === "stuck" && /^One![A-Z]+\d+$/.test(place));
      expect(found.map(({ place }) => place).sort()).toEqual(placesOf("stuck", "gone"));
      const stuck = stuckFormulas(file, "REGDATA");
      expect(stuck.map(({ address }) => address).sort()).toEqual(placesOf("stuck"));
      mendFormulas(file, stuck, { namespace: "REGDATA", addinId: null });
      const saved = file.save();
      const [{ cells, part }] = made.sheets as [MadeFile["sheets"][0]];
      for (const [place, state] of made.ours) {
        const at = place.slice("One!".length);
        const known = cells.get(at);
        if (state !== "stuck" || !known) continue;
        const formula = known.formula
          ?.replace(/\[1\]!|X\.xla!|_xll\./, "")
          .replace(/regdata\.value/i, "_xldudf_REGDATA_VALUE");
        cells.set(at, { value: known.isError ? null : known.value, isError: false, formula });
      }
      const mended = openWorkbookFile(saved);
      expectCells(mended, made);
      expect(stuckFormulas(mended, "REGDATA")).toEqual([]);
      if (stuck.length > 0) expect(brokenRule(textOf(saved, part))).toBeNull();
    }),
    { numRuns: runs, seed: 53 },
  );
});
