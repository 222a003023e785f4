import { intersect } from "../../../address";
import { errorTexts, formulaIn, type CellView, type Rect } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { found, type Family, type Model, type Ref } from "../object-model";
import { joinCells } from "./joined-cells";

/** The words of `Excel.SpecialCellValueType`, such as LogicalText, have the kinds of values that they mean. */
const valueTypes = /^(?:All|(?:Errors)?(?:Logical)?(?:Numbers?)?(?:Text)?)$/;

/** Cells by what they hold: constants, formulas, blanks, and cells that no filter hides. */
export const specialCellFamily: Family<"Range" | "RangeAreas"> = {
  Range: ({ sheetId, rect }, model) => members(sheetId, [rect], model),
  RangeAreas: ({ sheetId, rects }, model) => members(sheetId, rects, model),
};

function members(sheetId: string, rects: readonly Rect[], model: Model) {
  const special = (cellType: unknown, valueType: unknown): Ref<"RangeAreas"> | null => {
    const isWanted = testOf(cellType, valueType, sheetId, model);
    const areas = joinCells(rects.flatMap((rect) => cellsWhere(sheetId, rect, isWanted, model)));
    return areas.length > 0 ? { type: "RangeAreas", sheetId, rects: areas } : null;
  };
  return {
    objects: {
      // "If no special cells are found, an ItemNotFound error will be thrown" (Range.getSpecialCells in @types/office-js).
      GetSpecialCells: (cellType: unknown, valueType: unknown) => found(special(cellType, valueType)),
      GetSpecialCellsOrNullObject: special,
    },
  };
}

type Test = (cell: CellView, row: number, column: number) => boolean;

/** As Go To Special does, this looks no further than the used cells of the sheet. */
function cellsWhere(sheetId: string, rect: Rect, isWanted: Test, { spreadsheet }: Model) {
  const whole = spreadsheet.usedRect(sheetId, false, { row: 0, column: 0, rows: 1_048_576, columns: 16_384 });
  const used = whole && intersect(whole, rect);
  if (!used) return [];
  return spreadsheet
    .read(sheetId, used)
    .flatMap((cells, down) =>
      cells.flatMap((cell, across) =>
        isWanted(cell, used.row + down, used.column + across)
          ? [{ row: used.row + down, column: used.column + across }]
          : [],
      ),
    );
}

function testOf(cellType: unknown, valueType: unknown, sheetId: string, { spreadsheet }: Model): Test {
  const wanted = valueType === undefined || valueType === null ? "All" : String(valueType);
  if (wanted === "" || !valueTypes.test(wanted))
    throw new HostError("InvalidArgument", `value type ${wanted}`);
  const isKind = ({ value }: CellView) => wanted === "All" || wanted.includes(kindOf(value));
  switch (cellType) {
    case "Blanks":
      return ({ formula }) => formula === "";
    case "Constants":
      return (cell) => cell.formula !== "" && formulaIn(cell) === undefined && isKind(cell);
    case "Formulas":
      return (cell) => formulaIn(cell) !== undefined && isKind(cell);
    case "Visible":
      return (_cell, row, column) =>
        !spreadsheet.isRowHidden(sheetId, row) && !spreadsheet.isColumnHidden(sheetId, column);
    case "ConditionalFormats":
    case "DataValidations":
    case "SameConditionalFormat":
    case "SameDataValidation":
      throw notModelled(`Range.GetSpecialCells ${cellType}`);
    default:
      throw new HostError("InvalidArgument", `cell type ${String(cellType)}`);
  }
}

function kindOf(value: CellView["value"]): "Errors" | "Logical" | "Number" | "Text" {
  if (typeof value === "boolean") return "Logical";
  if (typeof value === "number") return "Number";
  return errorTexts.has(value) ? "Errors" : "Text";
}
