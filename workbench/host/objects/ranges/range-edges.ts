import { contains, MAX_COLUMNS, MAX_ROWS, union } from "../../../address";
import type { Rect } from "../../../spreadsheet";
import { HostError } from "../../host-error";
import type { Family, Model, Ref } from "../object-model";
import { rangeAt, rangeOf } from "../range-object";
import type { Place } from "./joined-cells";

const steps: Record<string, Place> = {
  Left: { row: 0, column: -1 },
  Right: { row: 0, column: 1 },
  Up: { row: -1, column: 0 },
  Down: { row: 1, column: 0 },
};

/** The edges of filled cells, as Ctrl with an arrow key finds them. */
export const edgeFamily: Family<"Range"> = {
  Range: (self, model) => ({
    objects: {
      GetRangeEdge(direction, activeCell) {
        const edge = edgeFrom(activePlace(self, activeCell, model), self.sheetId, stepOf(direction), model);
        return rangeAt(self.sheetId, { ...edge, rows: 1, columns: 1 });
      },
      // The far side moves, in the line of the active cell, as with Ctrl+Shift and an arrow key.
      GetExtendedRange(direction, activeCell) {
        const step = stepOf(direction);
        const { row, column } = activePlace(self, activeCell, model);
        const { rect } = self;
        const far = {
          row: step.row === 0 ? row : step.row > 0 ? rect.row + rect.rows - 1 : rect.row,
          column: step.column === 0 ? column : step.column > 0 ? rect.column + rect.columns - 1 : rect.column,
        };
        const edge = edgeFrom(far, self.sheetId, step, model);
        return rangeAt(self.sheetId, union(rect, { ...edge, rows: 1, columns: 1 }));
      },
    },
  }),
};

function stepOf(direction: unknown): Place {
  const step = steps[String(direction)];
  if (!step) throw new HostError("InvalidArgument", `direction ${String(direction)}`);
  return step;
}

/** "An error is thrown if the active cell is not in this range" (Range.getRangeEdge in @types/office-js). By default it is the first cell. */
function activePlace({ sheetId, rect }: Ref<"Range">, activeCell: unknown, model: Model): Place {
  if (activeCell === undefined || activeCell === null) return rect;
  const active = rangeOf(activeCell, model, sheetId).rect;
  if (active.rows > 1 || active.columns > 1 || !contains(rect, active.row, active.column))
    throw new HostError("InvalidArgument", "the active cell is not in the range");
  return active;
}

/** From a filled cell with a filled neighbor to the last one before a blank cell; else to the next filled cell, or the sheet's edge. */
function edgeFrom(place: Place, sheetId: string, step: Place, { spreadsheet }: Model): Place {
  const line: Rect =
    step.row === 0
      ? { row: place.row, column: 0, rows: 1, columns: MAX_COLUMNS }
      : { row: 0, column: place.column, rows: MAX_ROWS, columns: 1 };
  const used = spreadsheet.usedRect(sheetId, true, line);
  const sheetEdge = {
    row: step.row === 0 ? place.row : step.row > 0 ? MAX_ROWS - 1 : 0,
    column: step.column === 0 ? place.column : step.column > 0 ? MAX_COLUMNS - 1 : 0,
  };
  if (!used) return sheetEdge;
  const cells = spreadsheet.read(sheetId, used);
  const isFilled = ({ row, column }: Place) =>
    (cells[row - used.row]?.[column - used.column]?.formula ?? "") !== "";
  const next = ({ row, column }: Place) => ({ row: row + step.row, column: column + step.column });
  const isInside = ({ row, column }: Place) => contains(used, row, column);
  let at = place;
  if (isFilled(at) && isFilled(next(at))) {
    while (isFilled(next(at))) at = next(at);
    return at;
  }
  const isBefore = ({ row, column }: Place) =>
    (step.row > 0 && row < used.row) ||
    (step.column > 0 && column < used.column) ||
    (step.row < 0 && row >= used.row + used.rows) ||
    (step.column < 0 && column >= used.column + used.columns);
  for (at = next(at); isInside(at) || isBefore(at); at = next(at)) if (isFilled(at)) return at;
  return sheetEdge;
}
