import { tokenize } from "@borgar/fx";
import { formatAddress, intersect, MAX_COLUMNS, MAX_ROWS, parseAddress } from "../../../address";
import { formulaIn, type Rect } from "../../../spreadsheet";
import { found, integer, type Family, type Model, type Ref } from "../object-model";
import { findSheet } from "../range-object";
import { joinCells } from "./joined-cells";

interface Cells {
  sheetId: string;
  rect: Rect;
}

/** The cells that formulas refer to, and the formulas that refer to cells. References by names and by tables are not followed. */
export const dependencyFamily: Family<"Range" | "WorkbookRangeAreas" | "RangeAreasCollection"> = {
  Range({ sheetId, rect }, model) {
    const own = [{ sheetId, rect }];
    // "Throws an ItemNotFound error if no precedents are found" (Range.getPrecedents in @types/office-js).
    const areas = (cells: Cells[]): Ref<"WorkbookRangeAreas"> => {
      found(cells[0]);
      const ids = [...new Set(cells.map((each) => each.sheetId))];
      return {
        type: "WorkbookRangeAreas",
        areas: ids.map((id) => ({
          sheetId: id,
          rects: cells.flatMap((each) => (each.sheetId === id ? [each.rect] : [])),
        })),
      };
    };
    return {
      objects: {
        GetDirectPrecedents: () => areas(precedents(own, model)),
        GetPrecedents: () => areas(closure(own, (cells) => precedents(cells, model))),
        GetDirectDependents: () => areas(dependents(own, model)),
        GetDependents: () => areas(closure(own, (cells) => dependents(cells, model))),
      },
    };
  },
  WorkbookRangeAreas({ areas }, model) {
    return {
      properties: {
        Addresses: {
          get: () =>
            areas.map(({ sheetId, rects }) =>
              rects.map((rect) => formatAddress(found(findSheet(model, sheetId)).name, rect)).join(","),
            ),
        },
      },
      links: {
        Areas: () => ({ type: "RangeAreasCollection", areas }),
        Ranges: () => ({
          type: "RangeCollection",
          ranges: areas.flatMap(({ sheetId, rects }) => rects.map((rect) => ({ sheetId, rect }))),
        }),
      },
      objects: {
        GetRangeAreasBySheet: (key) => ({ type: "RangeAreas", ...found(ofSheet(key)) }),
        GetRangeAreasOrNullObjectBySheet(key) {
          const there = ofSheet(key);
          return there ? { type: "RangeAreas", ...there } : null;
        },
      },
    };
    function ofSheet(key: unknown) {
      const sheet = findSheet(model, key);
      return areas.find(({ sheetId }) => sheetId === sheet?.id);
    }
  },
  RangeAreasCollection: ({ areas }) => ({
    items: () => areas.map((each) => ({ type: "RangeAreas", ...each })),
    calls: { GetCount: () => areas.length },
    objects: { GetItemAt: (index) => ({ type: "RangeAreas", ...found(areas[integer(index)]) }) },
  }),
};

/** Follows a step again and again, until it gives no cells that are not known yet. */
function closure(start: Cells[], step: (cells: Cells[]) => Cells[]): Cells[] {
  const known = new Map<string, Cells>();
  let next = start;
  while (next.length > 0) {
    next = step(next).filter((cells) => !known.has(nameOf(cells)));
    for (const cells of next) known.set(nameOf(cells), cells);
  }
  return [...known.values()];
}

const nameOf = ({ sheetId, rect }: Cells) => `${sheetId} ${formatAddress(null, rect)}`;

function precedents(cells: Cells[], model: Model): Cells[] {
  const all = cells.flatMap(({ sheetId, rect }) =>
    formulasIn(sheetId, rect, model).flatMap(({ formula }) => references(formula, sheetId, model)),
  );
  return [...new Map(all.map((each) => [nameOf(each), each])).values()];
}

function dependents(cells: Cells[], model: Model): Cells[] {
  const whole = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  return model.spreadsheet.sheets().flatMap(({ id }) => {
    const there = formulasIn(id, whole, model).filter(({ formula }) =>
      references(formula, id, model).some((reference) =>
        cells.some(({ sheetId, rect }) => sheetId === reference.sheetId && intersect(rect, reference.rect)),
      ),
    );
    return joinCells(there).map((rect) => ({ sheetId: id, rect }));
  });
}

function formulasIn(sheetId: string, rect: Rect, { spreadsheet }: Model) {
  const used = spreadsheet.usedRect(sheetId, true, rect);
  if (!used) return [];
  return spreadsheet.read(sheetId, used).flatMap((cells, down) =>
    cells.flatMap((cell, across) => {
      const formula = formulaIn(cell);
      return formula === undefined ? [] : [{ row: used.row + down, column: used.column + across, formula }];
    }),
  );
}

function references(formula: string, sheetId: string, model: Model): Cells[] {
  return tokenize(formula).flatMap(({ type, value }) => {
    const parsed = type.startsWith("range") ? parseAddress(value) : null;
    if (!parsed) return [];
    const sheet = parsed.sheetName === undefined ? null : findSheet(model, parsed.sheetName);
    return [{ sheetId: sheet?.id ?? sheetId, rect: parsed.rect }];
  });
}
