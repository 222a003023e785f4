import type { Rect } from "../cells/cell-reference";
import type { CellScalar } from "../cells/read-cells";
import type { SheetFile } from "../sheets/sheet-file";
import { customCalls } from "./stored-formula";

/** A cell whose formula calls custom functions of a namespace. */
export interface FoundCall {
  sheet: SheetFile;
  row: number;
  column: number;
  /** The cells that its result fills; the cell alone if it does not spill. */
  area: Rect;
  /**
   * `live`: Excel shows its result. `spilled`: live, and its result fills more cells. `stuck`: Excel shows #NAME? or #BUSY! and
   * goes on doing so, because the file stores the function by a name that Excel does not call, or the error as its result. `gone` and
   * `elsewhere`: it calls a function that Excel no longer knows, as `#REF!(…)`, or one of another workbook; perhaps it was one of these.
   */
  state: "live" | "spilled" | "stuck" | "gone" | "elsewhere";
  storedText: string;
  shownText: string;
  cachedValue: CellScalar;
  isError: boolean;
  /** Excel can't mend it on a protected sheet. */
  isSheetProtected: boolean;
  style: number;
}

const stuckErrors: ReadonlySet<CellScalar> = new Set(["#NAME?", "#BUSY!"]);

/** All cells of these sheets that call custom functions of a namespace, sheet by sheet and row by row. */
export function foundCalls(sheets: readonly SheetFile[], namespace: string): FoundCall[] {
  return sheets.flatMap((sheet) => {
    if (!sheet.mayHaveFormulas) return [];
    const isSheetProtected = sheet.isProtected;
    const calls: FoundCall[] = [];
    for (const { row, column, value, isError, formula, style } of sheet.cells([namespace])) {
      const kind = formula && customCalls(formula.text, namespace);
      if (!formula || !kind) continue;
      const area = formula.area ?? { row, column, rows: 1, columns: 1 };
      const isStuck = kind === "shown" || (isError && stuckErrors.has(value));
      calls.push({
        ...{ sheet, row, column, area, isError, isSheetProtected, style },
        state:
          kind === "gone" || kind === "elsewhere"
            ? kind
            : isStuck
              ? "stuck"
              : area.rows * area.columns > 1
                ? "spilled"
                : "live",
        storedText: formula.text,
        shownText: formula.shown,
        cachedValue: value,
      });
    }
    return calls;
  });
}
