import { formulaIn } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { mustNotBeProtected, position, type Family } from "../object-model";
import { bounded } from "../range-format";

/** Removes rows of a range that repeat others. */
export const duplicateFamily: Family<"Range" | "RemoveDuplicatesResult"> = {
  Range: ({ sheetId, rect }, model) => ({
    objects: {
      RemoveDuplicates(columns, includesHeader) {
        mustNotBeProtected(sheetId, model);
        const { spreadsheet } = model;
        // "At least one column needs to be specified" (Range.removeDuplicates in @types/office-js).
        if (!Array.isArray(columns) || columns.length === 0)
          throw new HostError("InvalidArgument", "at least one column");
        const compared = columns.map((column) => position(column, rect.columns));
        const skipped = includesHeader === true ? 1 : 0;
        const rows = spreadsheet.read(sheetId, bounded(rect));
        if (rows.flat().some((cell) => formulaIn(cell) !== undefined))
          throw notModelled("Range.RemoveDuplicates of formulas");
        const seen = new Set<string>();
        const kept: number[] = [];
        const removed: number[] = [];
        for (const [index, cells] of rows.entries()) {
          const name = JSON.stringify(compared.map((column) => cells[column]!.text.toLowerCase()));
          if (index >= skipped && seen.has(name)) removed.push(index);
          else kept.push(index);
          if (index >= skipped) seen.add(name);
        }
        // The rows below close up, and what they leave is blank.
        if (removed.length > 0) {
          spreadsheet.reorderRows(sheetId, rect, [...kept, ...removed]);
          const tail = { ...rect, row: rect.row + kept.length, rows: removed.length };
          spreadsheet.clear(sheetId, tail, { contents: true, formats: true });
        }
        return {
          type: "RemoveDuplicatesResult",
          ...{ removed: removed.length, uniqueRemaining: kept.length - skipped },
        };
      },
    },
  }),
  RemoveDuplicatesResult: ({ removed, uniqueRemaining }) => ({
    properties: { Removed: { get: () => removed }, UniqueRemaining: { get: () => uniqueRemaining } },
  }),
};
