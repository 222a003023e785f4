import { Failure } from "../../../errors";
import { partsOf } from "../../../lists";
import { type CellContent, contentAfter, entryOf, holds } from "../cells/cell-content";
import { excelFailure } from "../excel-failure";
import { cellAddress } from "../layout/cell-address";
import type { SheetTable } from "../layout/table-plan";
import { takeBack } from "./copy-aside";
import type { Prepared } from "./target-place";

/** Sees to it that texts which people type where a table is being written are not lost. */
export interface TypedMeanwhile {
  /**
   * Queues the reading of rows of the target, before the same request writes to them. The result is called after the sync; it
   * fails with cells-in-the-way where somebody has typed into them.
   */
  watch(start: number, rows: number): () => void;
  /** Takes back what was written, and gives people their texts again. Gives the failure to throw, which names these cells. */
  takenBack(thrown: unknown): Promise<unknown>;
}

/** Cells read at once: an answer has 5 MB at most on the web. */
const cellsAtOnce = 20_000;
/** Cells that a sentence names. */
const mostNamed = 5;

/** For a table that is being written to a place, where there was nothing before, or what the place has a copy of. */
export function createTypedMeanwhile(
  context: Excel.RequestContext,
  prepared: Prepared,
  plan: SheetTable,
): TypedMeanwhile {
  const { target, backup, givenUp } = prepared;
  const columns = plan.columns.length;
  /** Texts of others, by row and column of the target. */
  const typed = new Map<string, { row: number; column: number; content: CellContent }>();

  function queueReading(start: number, rows: number) {
    const part = (range: Excel.Range) =>
      range.getCell(start, 0).getAbsoluteResizedRange(rows, columns).load("values,formulas,numberFormat");
    const [now, before] = [part(target), givenUp && part(givenUp)];
    return () =>
      now.values.flatMap((line: unknown[], down) =>
        line.flatMap((value, across) => {
          const formula = now.formulas[down]?.[across] as unknown;
          // A formula may give another value on the sheet of the copy.
          const was = [before?.values, before?.formulas].map((lines) => lines?.[down]?.[across] as unknown);
          if (value === "" || value === was[0] || (before && formula === was[1])) return [];
          const content = { value, formula, numberFormat: String(now.numberFormat[down]?.[across]) };
          return [{ row: start + down, column: across, content }];
        }),
      );
  }
  const remember = (cells: readonly { row: number; column: number; content: CellContent }[]) => {
    for (const cell of cells) typed.set(`${cell.row} ${cell.column}`, cell);
  };
  const isOurs = ({ row, column, content }: { row: number; column: number; content: CellContent }) => {
    const cell = plan.rows[row - 1]?.[column];
    return row === 0 || (cell !== undefined && holds(content, contentAfter(cell)));
  };

  async function lookForTexts() {
    const rows = Array.from({ length: plan.rows.length }, (_, index) => index + 1);
    for (const part of partsOf(rows, Math.max(1, Math.floor(cellsAtOnce / columns)))) {
      const read = queueReading(part[0] ?? 1, part.length);
      // eslint-disable-next-line office-addins/no-context-sync-in-loop
      await context.sync();
      remember(read().filter((cell) => !isOurs(cell)));
    }
  }

  async function giveBack(): Promise<string[]> {
    target.load("address");
    for (const { row, column, content } of typed.values()) {
      const cell = target.getCell(row, column);
      const { value, numberFormat } = entryOf(content);
      cell.numberFormat = [[numberFormat]];
      cell.values = [[value]];
    }
    await context.sync();
    return [...typed.values()].map(({ row, column }) => cellAddress(target.address, row, column));
  }

  return {
    watch(start, rows) {
      const read = queueReading(start, rows);
      return () => {
        const others = read();
        if (others.length === 0) return;
        remember(others);
        throw new Failure("cells-in-the-way", { detail: "Somebody has typed there meanwhile." });
      };
    },
    async takenBack(thrown) {
      // Excel often takes what it has refused once. A sheet that is gone has no texts to keep.
      await lookForTexts()
        .catch(lookForTexts)
        .catch(() => undefined);
      await takeBack(context, () => prepared.undo(typed.size > 0), backup);
      if (typed.size === 0) return thrown;
      const addresses = await giveBack();
      const named =
        addresses.slice(0, mostNamed).join(", ") + (addresses.length > mostNamed ? " and others" : "");
      const { kind, detail } = excelFailure(thrown);
      const said = `Somebody has typed into ${named} meanwhile: that was left as it is.`;
      return new Failure(kind, {
        detail: kind === "cells-in-the-way" ? said : [detail, said].filter(Boolean).join(" "),
        cause: thrown,
      });
    },
  };
}
