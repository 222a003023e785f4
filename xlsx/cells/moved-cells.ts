import { readXml } from "../xml/xml-events";
import { xmlContent } from "../xml/xml-text";
import type { Rect } from "./cell-reference";
import type { CellChange, OldCell } from "./cell-xml";
import { columnOf, type FileCell, rowOf } from "./read-cells";

/** Where an area stands after cells have moved; null where it is gone. */
export type Follow = (area: Rect) => Rect | null;

/** The changes by which cells stand where `follow` says, with all that the file says of them. Formulas keep their text. */
export function movedCells(
  data: string,
  cells: Iterable<FileCell>,
  follow: Follow,
  { partName, prefix }: { partName: string; prefix: string },
): CellChange[] {
  const formulas = new Map([...cells].map((cell) => [keyOf(cell), cell.formula]));
  const changes = new Map<string, CellChange>();
  const moved: CellChange[] = [];
  for (const { row, column, ...from } of wholeCells(data, partName, prefix)) {
    const place = follow({ row, column, rows: 1, columns: 1 });
    if (place?.row === row && place.column === column) continue;
    changes.set(keyOf({ row, column }), {
      row,
      column,
      from: { attributes: {} },
      value: null,
      formula: null,
    });
    if (!place) continue;
    const formula = formulas.get(keyOf({ row, column }));
    const area = formula?.area && follow(formula.area);
    moved.push({
      ...{ row: place.row, column: place.column, from },
      formula: formula ? { text: formula.text, ...(area && { area }), isDynamic: formula.isDynamic } : null,
    });
  }
  for (const change of moved) changes.set(keyOf(change), change);
  return [...changes.values()];
}

const keyOf = ({ row, column }: { row: number; column: number }) => `${row} ${column}`;

function wholeCells(data: string, partName: string, prefix: string) {
  const cells: (OldCell & { row: number; column: number })[] = [];
  let [row, column] = [-1, -1];
  let value: { name: string; start: number } | undefined;
  let text = "";
  readXml(data, partName, {
    open(name, attributes, start) {
      if (name === `${prefix}row`) {
        row = rowOf(attributes, row, partName);
        column = -1;
      } else if (name === `${prefix}c`) {
        column = columnOf(attributes, row, column, partName);
        cells.push({ row, column, attributes });
      } else if (!value && (name === `${prefix}v` || name === `${prefix}is`)) {
        value = { name, start };
        text = "";
      }
    },
    text: (piece) => void (text += piece),
    close(name, _start, end) {
      const cell = cells.at(-1);
      if (!cell || name !== value?.name) return;
      cell.value = data.slice(value.start, end);
      if (name === `${prefix}v`) cell.valueText = xmlContent(text);
      value = undefined;
    },
  });
  return cells;
}
