import { intersect, isSameRect } from "../../../address";
import type { FilterCriteria, SheetFilter } from "../../../sheet-filters";
import type { Rect } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { found, mustNotBeProtected, position, type Family, type Members, type Model } from "../object-model";
import { bounded } from "../range-format";
import { rangeAt, rangeOf } from "../range-object";
import { readCriteria, showingTest } from "../tables/table-filters";

export const autoFilterFamily: Family<"Worksheet"> = {
  Worksheet: ({ sheetId }) => ({ links: { AutoFilter: () => ({ type: "AutoFilter", sheetId }) } }),
};

/** The filter buttons over cells of a sheet that are no table. A sheet has one such range at most. */
export function sheetAutoFilter(sheetId: string, model: Model): Members {
  const { sheetFilters } = model.spreadsheet;
  const filter = () => sheetFilters.of(sheetId);
  const change = (work: (filter: SheetFilter) => SheetFilter | null) => {
    mustNotBeProtected(sheetId, model);
    const before = filter();
    if (before) sheetFilters.set(sheetId, work(before));
  };
  const range = () => {
    const rect = filter()?.rect;
    return rect ? rangeAt(sheetId, rect) : null;
  };
  return {
    properties: {
      Enabled: { get: () => filter() !== null },
      IsDataFiltered: { get: () => (filter()?.criteria ?? []).length > 0 },
    },
    objects: { GetRange: () => found(range()), GetRangeOrNullObject: range },
    calls: {
      Apply(wanted, column, criteria) {
        mustNotBeProtected(sheetId, model);
        const { rect } = rangeOf(wanted, model, sheetId);
        mustBeFilterable(sheetId, bounded(rect), model);
        const before = filter();
        // Excel takes the filter from one range to another by rules that Microsoft does not publish.
        if (before && !isSameRect(before.rect, rect)) throw notModelled("AutoFilter.Apply to another range");
        const next = before ?? { rect, criteria: [], hiddenRows: [] };
        const hasColumn = column !== undefined && column !== null;
        const hasCriteria = criteria !== undefined && criteria !== null;
        // The types give the two together. Microsoft names no error for one alone: the strict assumption.
        if (hasColumn !== hasCriteria)
          throw new HostError("InvalidArgument", "a column and its criteria go together");
        if (!hasColumn) return sheetFilters.set(sheetId, next);
        const at = rect.column + position(column, rect.columns);
        const others = next.criteria.filter((each) => each.column !== at);
        const all = [...others, { column: at, criteria: readCriteria(criteria) }];
        sheetFilters.set(sheetId, applied(sheetId, { ...next, criteria: all }, model));
      },
      // "Or if the value is greater than the number of available columns in the range, then an InvalidArgument error" (types).
      ClearColumnCriteria(column) {
        const at = found(filter()).rect.column + position(column, found(filter()).rect.columns);
        change((before) =>
          applied(
            sheetId,
            { ...before, criteria: before.criteria.filter((each) => each.column !== at) },
            model,
          ),
        );
      },
      ClearCriteria: () => change((before) => ({ ...before, criteria: [], hiddenRows: [] })),
      Reapply: () => change((before) => applied(sheetId, before, model)),
      Remove: () => change(() => null),
    },
  };
}

/** The filter with the rows that it hides by what the cells show now. Later changes of cells hide and show none, as in Excel. */
function applied(sheetId: string, filter: SheetFilter, { spreadsheet }: Model): SheetFilter {
  const { rect, criteria } = filter;
  const body = { ...rect, row: rect.row + 1, rows: rect.rows - 1 };
  const hidden = new Set<number>();
  for (const each of criteria) {
    const cells = spreadsheet.read(sheetId, { ...body, column: each.column, columns: 1 }).flat();
    const isShown = showingTest(cells, each.criteria satisfies FilterCriteria);
    for (const [down, cell] of cells.entries()) if (!isShown(cell)) hidden.add(body.row + down);
  }
  return { ...filter, hiddenRows: [...hidden] };
}

function mustBeFilterable(sheetId: string, rect: Rect, { spreadsheet }: Model): void {
  if (rect.rows < 2) throw notModelled("AutoFilter.Apply to a single row");
  const tables = spreadsheet.tables().filter((table) => table.sheetId === sheetId);
  if (tables.some((table) => intersect(table.rect, rect)))
    throw notModelled("Worksheet.AutoFilter of cells of a table");
}
