import { describe, expect, it } from "vitest";
import { othersIn, type ReadCell } from "../../../../src/workbook/sheet/cells/others-texts";

const text = (value: string) => ({ value, numberFormat: "@" });
const plan = {
  columns: ["AHJ ID", "Fee", "Code"].map((header) => ({ header })),
  rows: [7, 8, 9].map((id) => [
    { value: id, numberFormat: "0" },
    text(`fee ${id}`),
    text(id === 8 ? "" : `code ${id}`),
  ]),
};
const written = [
  ["AHJ ID", "Fee", "Code"],
  [7, "fee 7", "code 7"],
  [8, "fee 8", ""],
  [9, "fee 9", "code 9"],
];

/** Cells as they were read at one place; `old` holds their earlier copy. */
function read(lines: readonly (readonly unknown[])[], old: readonly (readonly unknown[])[] = []): ReadCell[] {
  return lines.flatMap((line, row) =>
    line.map((value, column) => ({
      ...{ row, column, content: { value, formula: value, numberFormat: "General" } },
      isAsBefore: value === "" || value === old[row]?.[column],
    })),
  );
}

const othersOf = (
  lines: readonly (readonly unknown[])[],
  mayHoldOldTexts = false,
  old = [] as unknown[][],
) => {
  const { others, haveMoved } = othersIn(plan)(read(lines, old), { mayHoldOldTexts });
  return { texts: others.map(({ content }) => content.value), haveMoved };
};

describe("among the cells of a table that was written, a text is somebody else's", () => {
  it("but not if each cell holds what was written, or is blank", () => {
    expect(othersOf(written)).toEqual({ texts: [], haveMoved: false });
    expect(othersOf(written.map((line) => line.map(() => "")))).toEqual({ texts: [], haveMoved: false });
  });

  it("if it stands in place of a written one, even if it is one of the table's own texts", () => {
    const lines = written.with(1, [7, "fee 9", "code 7"]);
    expect(othersOf(lines)).toEqual({ texts: ["fee 9"], haveMoved: false });
    expect(othersOf(written.with(2, [8, "fee 8", "mine"]))).toEqual({ texts: ["mine"], haveMoved: false });
  });

  it.each(["fee 7", ""])(
    "if it is a formula, even one that shows “%s”, in its place, a moved row or a new one",
    (value) => {
      const [header = [], seven = [], eight = [], nine = []] = written;
      const formula = { value, formula: "=K3", numberFormat: "General" };
      for (const lines of [written, [header, nine, eight, seven]]) {
        const cells = read(lines).map((cell) =>
          cell.column === 1 && lines[cell.row] === seven
            ? { ...cell, content: formula, isAsBefore: false }
            : cell,
        );
        const { others } = othersIn(plan)(cells, { mayHoldOldTexts: false });
        expect(others.map(({ content }) => content)).toEqual([formula]);
      }
    },
  );

  it("but not in rows that were only sorted, unless it was typed over there", () => {
    const [header = [], seven = [], eight = [], nine = []] = written;
    expect(othersOf([header, nine, seven, eight])).toEqual({ texts: [], haveMoved: false });
    expect(othersOf([header, nine, [7, "mine", "code 7"], eight])).toEqual({
      texts: ["mine"],
      haveMoved: true,
    });
  });

  it("if it stands beside a written one in the same row, without the row's own texts", () => {
    const lines = written.with(1, ["a", "b", "code 7"]);
    expect(othersOf(lines)).toEqual({ texts: ["a", "b"], haveMoved: true });
  });

  it("but not if a column was inserted or deleted, and the written text stands beside its place", () => {
    const inserted = written.map(([id, fee, code]) => [id, "", fee, code]);
    expect(othersOf(inserted)).toEqual({ texts: [], haveMoved: true });
    const deleted = written.map(([, fee, code]) => [fee, code, ""]);
    expect(othersOf(deleted.with(3, ["mine", "code 9", ""]))).toEqual({ texts: ["mine"], haveMoved: true });
  });

  it("but not if a single text of the table has moved onto somebody's text", () => {
    const cell = read([[""], [""], ["fee 7"]]).slice(2);
    const { others, haveMoved } = othersIn(plan)(cell, { mayHoldOldTexts: false, werePeoples: true });
    expect({ others, haveMoved }).toEqual({ others: [], haveMoved: true });
    expect(othersIn(plan)(cell, { mayHoldOldTexts: false }).others).toEqual(cell);
  });

  it("with its whole row if the row has moved and may hold earlier texts", () => {
    const old = [
      ["", "", ""],
      ["old 1", "old 2", "old 3"],
    ];
    const moved = [
      ["", "", ""],
      ["", "", ""],
      ["old 1", "old 2", "fee 7"],
    ];
    expect(othersOf(moved, true, old)).toEqual({ texts: ["old 1", "old 2", "fee 7"], haveMoved: true });
    expect(
      othersOf(
        [
          ["", "", ""],
          ["old 1", "old 2", "old 3"],
        ],
        true,
        old,
      ),
    ).toEqual({
      texts: [],
      haveMoved: false,
    });
  });
});
