import type { BaseReferenceObject } from "@univerjs/engine-formula";
import { cellAt, formatAddress } from "../../address";
import type { FunctionDefinition, FunctionParameter, Rect } from "../../spreadsheet";
import { type Book, toRect } from "../univer";
import { eachArgument, type FunctionVariant } from "./call-arguments";
import type { CellPlace } from "./calculation";

/** Excel puts the name of a sheet in quotes when it has any of these (custom-functions-parameter-options.md). */
const toBeQuoted = /[\s~`!@#$%^&()\-_=+{}|;:,'<.>]/;

/** An address as Excel tells it to functions, such as Prices!F6 or 'Latest Prices'!F6. */
function told(book: Book, sheetId: string, rect: Rect): string {
  const name = book.sheet(sheetId).getName();
  const sheetName = toBeQuoted.test(name) ? `'${name.replaceAll("'", "''")}'` : name;
  return `${sheetName}!${formatAddress(null, rect)}`;
}

/** Where the cell stands whose formula calls a function. */
export function callingAddress(book: Book, { sheetId, row, column }: CellPlace): string {
  return told(book, sheetId, cellAt(row, column));
}

/**
 * The addresses of the arguments in their order; null for an argument that is no reference. If a range lifts the function, its
 * address is the cell in row `y` and column `x`.
 */
export function argumentAddresses(
  book: Book,
  { parameters }: Pick<FunctionDefinition, "parameters">,
  variants: readonly FunctionVariant[],
  { y, x }: { y: number; x: number },
): (string | null)[] {
  return eachArgument(parameters, variants).map(({ parameter, variant }) => {
    if (!variant?.isReferenceObject()) return null;
    const reference = variant as BaseReferenceObject;
    return told(book, reference.getSheetId(), lifted(parameter, toRect(reference.getRangePosition()), y, x));
  });
}

function lifted({ dimensionality }: FunctionParameter, rect: Rect, y: number, x: number): Rect {
  if (dimensionality === "matrix") return rect;
  return cellAt(rect.row + (rect.rows === 1 ? 0 : y), rect.column + (rect.columns === 1 ? 0 : x));
}
