import { describe, expect, it } from "vitest";
import { fillsOf } from "../../../../src/workbook/sheet/swap/fills";
import type { Place } from "../../../../src/workbook/sheet/swap/swap";
import {
  markCells,
  type Marked,
  type MarkKind,
  unmarkCells,
} from "../../../../src/workbook/sheet/tables/cell-marks";
import { loadable } from "../played-sheet";

type CellToMark = Place & { kind: MarkKind };

interface Look {
  color?: string;
  pattern?: string | null;
  patternColor?: string | null;
  tintAndShade?: number | null;
  font?: string;
}

/** A table with the looks of its cells by `row column`; it notes the changes of fills by row, column and number of rows. */
function tableWith(looks: Record<string, Look> = {}, style = "TableStyleMedium2") {
  const reads: string[] = [];
  const fills: [address: string, fill: Look | "cleared"][] = [];
  let areas = 0;
  const areasAtOnce: number[] = [];
  const lookAt = (row: number, column: number) => {
    const {
      font = "#000000",
      color = "#FFFFFF",
      pattern = "None",
      patternColor = "",
      tintAndShade = looks[`${row} ${column}`]?.color === undefined ? null : 0,
    } = looks[`${row} ${column}`] ?? {};
    return { format: { fill: { color, pattern, patternColor, tintAndShade }, font: { color: font } } };
  };
  const body = loadable({
    getCell: (row: number, column: number) => ({
      getAbsoluteResizedRange: (rows: number, columns: number) => ({
        address: `Sheet1!${"ABCDEFGH"[column]}${row + 1}`,
        load() {
          return this;
        },
        get format() {
          areas += 1;
          const address = `${row} ${column} ${rows}`;
          const fill: Look & { clear?(): void } = {};
          fills.push([address, fill]);
          const place = fills.length - 1;
          Object.defineProperty(fill, "clear", { value: () => (fills[place] = [address, "cleared"]) });
          return { fill };
        },
        getCellProperties(wanted: object) {
          expect(wanted).toEqual({
            format: {
              fill: { color: true, pattern: true, patternColor: true, tintAndShade: true },
              font: { color: true },
            },
          });
          reads.push(`${row} ${column} ${rows}x${columns}`);
          areas += 1;
          return { value: Array.from({ length: rows }, (_, down) => [lookAt(row + down, column)]) };
        },
      }),
    }),
  });
  const find = (cells: readonly Place[]) =>
    Promise.resolve({
      channel: fillsOf(() => body as unknown as Excel.Range),
      places: [...cells],
      hasDarkStyle: style.startsWith("TableStyleDark"),
    });
  const context = {
    sync() {
      areasAtOnce.push(areas);
      areas = 0;
      return Promise.resolve();
    },
  } as unknown as Excel.RequestContext;
  return {
    ...{ reads, fills, areasAtOnce },
    mark: (cells: CellToMark[]) => markCells(context, find, cells),
    unmark: (cells: Marked<Place>[]) => unmarkCells(context, find, cells),
  };
}

const pale = { changed: "#FFF2CC", edited: "#DDEBF7", "not-refreshed": "#D9D9D9" };
const dark = { changed: "#7F6000", edited: "#1F4E78", "not-refreshed": "#595959" };

describe("a marked cell", () => {
  it.each<[string, Look, string, Record<MarkKind, string>]>([
    ["dark text", {}, "TableStyleMedium2", pale],
    ["white text", { font: "#FFFFFF" }, "TableStyleMedium2", dark],
    ["text as light as a middle gray", { font: "#8C8C8C" }, "", pale],
    ["text that is a little lighter", { font: "#8D8D8D" }, "", dark],
    ["red text", { font: "#FF0000" }, "", pale],
    ["green text", { font: "#00FF00" }, "", dark],
    ["dark green text", { font: "#00E000" }, "", pale],
    ["blue text", { font: "#0000FF" }, "", pale],
    ["violet text", { font: "#FF00FF" }, "", pale],
    ["rose text", { font: "#FF60FF" }, "", dark],
    ["text whose colors differ", { font: "" }, "", pale],
    ["text that a dark table makes light", {}, "TableStyleDark3", dark],
    [
      "text that a dark table does not make light: it has a fill of its own",
      { color: "#FFFF00", pattern: "Solid" },
      "TableStyleDark3",
      pale,
    ],
    [
      "text in a cell whose fill is of no one color",
      { color: "", pattern: "Solid" },
      "TableStyleDark3",
      dark,
    ],
    ["text in a table that has dark in its name", {}, "My TableStyleDark", pale],
  ])("keeps %s readable", async (_, look, style, colors) => {
    for (const kind of ["changed", "edited", "not-refreshed"] as const) {
      const { mark, fills } = tableWith({ "4 2": look }, style);
      const before = !look.color ? null : { color: look.color, pattern: look.pattern, patternColor: "" };
      expect(await mark([{ row: 4, column: 2, kind }])).toEqual([
        { row: 4, column: 2, kind, color: colors[kind], before },
      ]);
      expect(fills).toEqual([["4 2 1", { color: colors[kind] }]]);
    }
  });

  it("gets its former fill back, and its pattern; without a former fill it has none", async () => {
    const marked = { color: pale.changed.toLowerCase(), pattern: "Solid" };
    const { unmark, fills } = tableWith({ "0 0": marked, "1 0": marked, "2 0": marked, "3 0": marked });
    const plain = { color: "#00FF00", pattern: "Solid", patternColor: "#000000" };
    const striped = { color: "#00FF00", pattern: "Gray50", patternColor: "#FF0000" };
    const befores = [null, plain, striped, null];
    await unmark(befores.map((before, row) => ({ row, column: 0, color: pale.changed, before })));
    expect(fills).toEqual([
      ["0 0 1", "cleared"],
      ["3 0 1", "cleared"],
      ["1 0 1", { color: "#00FF00" }],
      ["2 0 1", striped],
    ]);
  });

  it("is told from a white one by its tint, where Excel tells no pattern (OfficeDev/office-js#4900)", async () => {
    const none = { pattern: null, patternColor: null };
    const { mark, unmark, fills } = tableWith({
      "0 0": none,
      "1 0": { ...none, color: "#FFFFFF" },
      "2 0": { ...none, color: pale.changed },
    });
    const marked = await mark([0, 1].map((row) => ({ row, column: 0, kind: "changed" as const })));
    expect(marked.map(({ before }) => before)).toEqual([null, { ...none, color: "#FFFFFF" }]);
    fills.length = 0;
    await unmark([{ row: 2, column: 0, color: pale.changed, before: { ...none, color: "#FFFFFF" } }]);
    expect(fills).toEqual([["2 0 1", { color: "#FFFFFF" }]]);
  });

  it("keeps a fill that somebody gave it since", async () => {
    const { unmark, fills } = tableWith({ "0 0": { color: "#FF0000", pattern: "Solid" } });
    const cell = { column: 0, color: pale.changed, before: null };
    await unmark([
      { row: 0, ...cell },
      { row: 1, ...cell },
    ]);
    expect(fills).toEqual([]);
  });
});

describe("cells that are marked together", () => {
  const at = (row: number, column = 0) => ({ row, column, kind: "changed" as const });

  it("are read with the few cells between them, and filled without these", async () => {
    const { mark, reads, fills } = tableWith();
    await mark([at(42), at(0), at(20), at(1), at(41, 1), at(63)]);
    const looks = ["0 0 21x1", "42 0 1x1", "63 0 1x1", "41 1 1x1"];
    // The looks are read once at first, and once more in the request that fills the cells.
    expect(reads).toEqual([...looks, ...looks]);
    expect(fills.map(([address]) => address)).toEqual(["0 0 2", "20 0 1", "42 0 1", "63 0 1", "41 1 1"]);
  });

  it("are read and filled in requests that Excel takes", async () => {
    const many = tableWith();
    await many.mark(Array.from({ length: 1_100 }, (_, index) => at(index * 30)));
    expect(many.areasAtOnce).toEqual([250, 500, 250, 500, 250, 500, 250, 500, 100, 200]);
    const tall = tableWith();
    await tall.mark(Array.from({ length: 25_000 }, (_, row) => at(row % 5_000, Math.floor(row / 5_000))));
    expect(tall.areasAtOnce).toEqual([2, 4, 2, 4, 1, 2]);
    expect(tall.reads).toHaveLength(10);
  });

  it("are none if no cell is named", async () => {
    const { mark, unmark, fills, reads } = tableWith();
    expect(await mark([])).toEqual([]);
    await unmark([]);
    expect([fills, reads]).toEqual([[], []]);
  });
});
