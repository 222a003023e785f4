import { parseA1Ref, stringifyA1Ref, tokenize } from "@borgar/fx";
import { config } from "../../config";

/**
 * A formula of this sheet as it would be `by` rows and columns away on the same sheet: relative references to the sheet's own cells shift,
 * absolute references and references to other sheets stay. `hasCells` is true if it has any reference to cells. Null if a reference would
 * leave the sheet, or if the formula can't be read.
 */
export function movedFormula(
  formula: string,
  sheetName: string,
  by: { rows: number; columns: number },
): { formula: string; hasCells: boolean } | null {
  const tokens = tokenize(formula, { negativeNumbers: false });
  if (tokens.map(({ value }) => value).join("") !== formula) return null;
  let hasCells = false;
  const texts: string[] = [];
  for (const { type, value } of tokens) {
    const reference = /^range(?!_named)/.test(type) ? parseA1Ref(value) : undefined;
    if (!reference || !("range" in reference) || !reference.range) {
      texts.push(value);
      continue;
    }
    hasCells = true;
    const { context = [], range } = reference;
    const isHere =
      context.length === 0 || (context.length === 1 && context[0]?.toLowerCase() === sheetName.toLowerCase());
    if (!isHere) {
      texts.push(value);
      continue;
    }
    const moved = {
      ...range,
      top: shifted(range.top, range.$top, by.rows),
      bottom: shifted(range.bottom, range.$bottom, by.rows),
      left: shifted(range.left, range.$left, by.columns),
      right: shifted(range.right, range.$right, by.columns),
    };
    if (!isWithin([moved.top, moved.bottom], config.sheetRows)) return null;
    if (!isWithin([moved.left, moved.right], config.sheetColumns)) return null;
    const sheet = value.slice(0, value.lastIndexOf("!") + 1);
    texts.push(sheet + stringifyA1Ref({ range: moved }));
  }
  return { formula: texts.join(""), hasCells };
}

function shifted<Place extends number | null | undefined>(
  place: Place,
  isAbsolute: boolean | null | undefined,
  by: number,
): Place | number {
  return typeof place !== "number" || isAbsolute ? place : place + by;
}

function isWithin(places: (number | null | undefined)[], count: number): boolean {
  return places.every((place) => typeof place !== "number" || (place >= 0 && place < count));
}
