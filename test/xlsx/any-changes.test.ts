import fc from "fast-check";
import { expect, it } from "vitest";
import { type CellChange, openWorkbookFile } from "../../xlsx/workbook-file";
import { sheetXml, workbookBytes } from "./hand-made";

interface Known {
  value: unknown;
  isError: boolean;
  formula: string | undefined;
}

const ROWS = 8;
const COLUMNS = 6;
const place = { row: fc.nat(ROWS - 1), column: fc.nat(COLUMNS - 1) };
const scalar = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  fc.boolean(),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("=1+1", "_x0041_", " a ", "]]>", "a\r\nb", "\u0001", "<c r='A1'/>"),
);
const change = fc.record(
  {
    ...place,
    value: fc.oneof(scalar, fc.constant(null)),
    formula: fc.oneof(fc.constantFrom({ text: "A1+1" }, { text: '_xldudf_X_Y("<&")' }), fc.constant(null)),
  },
  { requiredKeys: ["row", "column"] },
);

/** A cell of the first sheet: blank, with a value, or with its part of a formula that the column shares. */
const firstCell = fc.constantFrom("", "v", "s", "n", "f", "shared");

/** The XML of a first sheet, and the contents of its cells. */
function firstSheet(cells: string[], hasReferences: boolean) {
  const known = new Map<string, Known>();
  const masters = new Map<number, number>();
  let xml = "";
  for (let row = 0; row < ROWS; row++) {
    let inner = "";
    for (let column = 0; column < COLUMNS; column++) {
      const kind = cells[row * COLUMNS + column] ?? "";
      const address = `${String.fromCharCode(65 + column)}${row + 1}`;
      const reference = hasReferences ? ` r="${address}"` : "";
      const know = (value: unknown, formula?: string) =>
        known.set(address, { value, isError: kind === "n", formula });
      if (kind === "") inner += hasReferences ? "" : "<c/>";
      if (kind === "v") inner += `<c${reference}><v>${row + column}</v></c>`;
      if (kind === "s") inner += `<c${reference} t="s"><v>0</v></c>`;
      if (kind === "n") inner += `<c${reference} t="e"><v>#N/A</v></c>`;
      if (kind === "f") inner += `<c${reference} t="str"><f>B1&amp;1</f><v>x</v></c>`;
      if (kind === "v") know(row + column);
      if (kind === "s") know("shared");
      if (kind === "n") know("#N/A");
      if (kind === "f") know("x", "B1&1");
      if (kind === "shared") {
        const first = masters.get(column);
        if (first === undefined) masters.set(column, row);
        const text = first === undefined ? `Z${row + 1}*2` : "";
        inner += `<c${reference}><f t="shared"${first === undefined ? ` ref="A1:F8"` : ""} si="${column}">${text}</f><v>7</v></c>`;
        know(7, `Z${row + 1}*2`);
      }
    }
    xml += hasReferences ? `<row r="${row + 1}" spans="1:6">${inner}</row>` : `<row>${inner}</row>`;
  }
  return { xml, known };
}

function applied(known: Map<string, Known>, changes: CellChange[]) {
  for (const { row, column, value, formula } of changes) {
    const address = `${String.fromCharCode(65 + column)}${row + 1}`;
    const before = known.get(address) ?? { value: null, isError: false, formula: undefined };
    known.set(address, {
      value: value === undefined ? before.value : value,
      isError: value === undefined ? before.isError : false,
      formula: formula === undefined ? before.formula : formula?.text,
    });
  }
  return known;
}

it("any changes of any cells are read back after saving, and nothing else changes", () => {
  fc.assert(
    fc.property(
      fc.array(firstCell, { minLength: ROWS * COLUMNS, maxLength: ROWS * COLUMNS }),
      fc.boolean(),
      fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
      (cells, hasReferences, batches) => {
        const { xml, known } = firstSheet(cells, hasReferences);
        const file = openWorkbookFile(
          workbookBytes({ sheets: { One: sheetXml(xml) }, sharedStrings: "<si><t>shared</t></si>" }),
        );
        for (const changes of batches) {
          applied(known, changes as CellChange[]);
          file.sheets[0]!.setCells(changes as CellChange[]);
          file.save();
        }
        const read = new Map(
          [...openWorkbookFile(file.save()).sheets[0]!.cells()].map(
            ({ row, column, value, isError, formula }) => [
              `${String.fromCharCode(65 + column)}${row + 1}`,
              { value, isError, formula: formula?.text },
            ],
          ),
        );
        const isKept = ([, { value, formula }]: [string, Known]) => value !== null || formula !== undefined;
        const sorted = (map: Map<string, Known>) =>
          [...map].filter(isKept).sort(([one], [other]) => (one < other ? -1 : 1));
        expect(sorted(read as Map<string, Known>)).toEqual(sorted(known));
      },
    ),
    { numRuns: 150, seed: 26 },
  );
});
