import * as z from "zod/mini";
import type { Rect, SpreadsheetEvent } from "./spreadsheet";

/** The properties of `Excel.FilterCriteria` that the workbench supports. */
const filterCriteria = z.object({
  filterOn: z.string(),
  values: z.optional(z.array(z.string())),
  criterion1: z.optional(z.string()),
  criterion2: z.optional(z.string()),
  operator: z.optional(z.literal(["And", "Or"])),
  dynamicCriteria: z.optional(z.literal(["AboveAverage", "BelowAverage"])),
});
export type FilterCriteria = z.infer<typeof filterCriteria>;

const rect = z.object({ row: z.number(), column: z.number(), rows: z.number(), columns: z.number() });

const sheetFilter = z.object({
  /** The cells, their header row first. */
  rect,
  /** By columns of the sheet. */
  criteria: z.array(z.object({ column: z.number(), criteria: filterCriteria })),
  /** The rows of the sheet that were hidden when the filter was applied last. */
  hiddenRows: z.array(z.number()),
});

/** The AutoFilter of a sheet: buttons over cells that are no table. */
export type SheetFilter = z.infer<typeof sheetFilter>;

/** The AutoFilters of a workbook's sheets, of which each has one at most. */
export interface SheetFilters {
  of(sheetId: string): SheetFilter | null;
  /** Null removes it, and shows its rows. */
  set(sheetId: string, filter: SheetFilter | null): void;
  hides(sheetId: string, row: number): boolean;
  follow(event: SpreadsheetEvent): void;
  onChange(listener: (sheetId: string) => void): void;
  /** JSON. */
  save(): unknown;
  open(saved: unknown): void;
}

export function createSheetFilters(): SheetFilters {
  let all = new Map<string, SheetFilter>();
  /** The hidden rows as sets, by the filters that hide them. */
  const rowSets = new WeakMap<SheetFilter, ReadonlySet<number>>();
  const listeners = new Set<(sheetId: string) => void>();
  const put = (sheetId: string, filter: SheetFilter | null) => {
    if (filter) all.set(sheetId, filter);
    else all.delete(sheetId);
    for (const listener of listeners) listener(sheetId);
  };
  return {
    of: (sheetId) => all.get(sheetId) ?? null,
    set: put,
    hides(sheetId, row) {
      const filter = all.get(sheetId);
      if (!filter) return false;
      const rows = rowSets.get(filter) ?? new Set(filter.hiddenRows);
      rowSets.set(filter, rows);
      return rows.has(row);
    },
    follow(event) {
      const filter = all.get(event.sheetId);
      if (!filter) return;
      if (event.kind === "deleted") put(event.sheetId, null);
      if (event.kind === "moved") put(event.sheetId, moved(filter, event.follow));
    },
    onChange: (listener) => void listeners.add(listener),
    save: () => structuredClone([...all]),
    open(saved) {
      const before = [...all.keys()];
      all = new Map(z.array(z.tuple([z.string(), sheetFilter])).parse(saved));
      for (const sheetId of new Set([...before, ...all.keys()]))
        for (const listener of listeners) listener(sheetId);
    },
  };
}

/** Null where its cells are gone. */
function moved({ rect, criteria, hiddenRows }: SheetFilter, follow: (rect: Rect) => Rect | null) {
  const now = follow(rect);
  if (!now) return null;
  return {
    rect: now,
    criteria: criteria.flatMap((each) => {
      const place = follow({ ...rect, column: each.column, columns: 1 });
      return place ? [{ ...each, column: place.column }] : [];
    }),
    hiddenRows: hiddenRows.flatMap((row) => follow({ ...rect, row, rows: 1 })?.row ?? []),
  };
}
