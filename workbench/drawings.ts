import * as z from "zod/mini";
import { contains } from "./address";
import type { CellView, Rect, Spreadsheet, SpreadsheetEvent, TableInfo } from "./spreadsheet";

const rect = z.object({ row: z.number(), column: z.number(), rows: z.number(), columns: z.number() });

/** Words of `Excel.ChartType`. Cylinders are drawn as flat columns. */
export const chartTypes = [
  ...(["ColumnClustered", "BarClustered", "ColumnStacked", "CylinderCol"] as const),
  ...(["Line", "LineMarkers", "Pie", "Doughnut"] as const),
] as const;

const chart = z.object({
  kind: z.literal("chart"),
  id: z.string(),
  sheetId: z.string(),
  name: z.string(),
  type: z.literal(chartTypes),
  /** The cells of labels, numbers and headers; `partsOf` tells them apart. */
  source: z.object({ sheetId: z.string(), rect, tableId: z.nullable(z.string()) }),
  /** Null: it is that of its only series, or Excel's own of several. */
  title: z.nullable(z.string()),
  showsTitle: z.boolean(),
  showsLegend: z.boolean(),
  /** The first category comes last. */
  isReversed: z.boolean(),
  /** The cells that it covers. */
  place: rect,
  /** The looks of its parts that the add-in has set, by names such as "legend position". */
  looks: z._default(z.record(z.string(), z.unknown()), {}),
});

const picture = z.object({
  kind: z.literal("picture"),
  id: z.string(),
  sheetId: z.string(),
  name: z.string(),
  base64: z.string(),
  altTextTitle: z.string(),
  altTextDescription: z.string(),
  locksAspectRatio: z.boolean(),
  /** In points. */
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
});

const scalePoint = z.object({
  color: z.string(),
  /** A word of `Excel.ConditionalFormatColorCriterionType`, with its number; without one it is the lowest or highest number. */
  type: z.optional(z.string()),
  formula: z.optional(z.string()),
});
export type ScalePoint = z.infer<typeof scalePoint>;
const colorScale = z.object({
  kind: z.literal("color-scale"),
  id: z.string(),
  sheetId: z.string(),
  rect,
  /** From the lowest of its numbers to the highest; null until it is told. */
  criteria: z.nullable(
    z.object({ minimum: scalePoint, midpoint: z.optional(scalePoint), maximum: scalePoint }),
  ),
});

const facts = z.record(z.string(), z.unknown());
/** A conditional format but a color scale. */
const cellRule = z.object({
  kind: z.literal("cell-rule"),
  id: z.string(),
  sheetId: z.string(),
  rect,
  /** A word of `Excel.ConditionalFormatType`. */
  type: z.string(),
  /** Null until it is told. */
  rule: z.nullable(
    z.discriminatedUnion("type", [
      z.object({
        ...{ type: z.literal("CellValue"), operator: z.string(), formula1: z.string() },
        formula2: z.optional(z.string()),
      }),
      z.object({ type: z.literal("ContainsText"), operator: z.string(), text: z.string() }),
      z.object({ type: z.literal("TopBottom"), kind: z.string(), rank: z.number() }),
      z.object({ type: z.literal("PresetCriteria"), criterion: z.string() }),
      z.object({ type: z.literal("Custom"), formula: z.string() }),
      z.object({ type: z.literal("DataBar"), facts }),
      z.object({ type: z.literal("IconSet"), facts }),
    ]),
  ),
  /** The looks of cells that meet it. */
  look: z.object({
    fontColor: z.optional(z.string()),
    fillColor: z.optional(z.string()),
    bold: z.optional(z.boolean()),
    italic: z.optional(z.boolean()),
    strikethrough: z.optional(z.boolean()),
  }),
  stopsIfTrue: z.boolean(),
});

const drawing = z.discriminatedUnion("kind", [chart, picture, colorScale, cellRule]);
const savedDrawings = z.array(drawing);

export type Chart = z.infer<typeof chart>;
export type Picture = z.infer<typeof picture>;
export type ColorScale = z.infer<typeof colorScale>;
export type CellRule = z.infer<typeof cellRule>;
type Drawing = z.infer<typeof drawing>;
type Kind = Drawing["kind"];
type OfKind<K extends Kind> = Extract<Drawing, { kind: K }>;

/** Charts, pictures and conditional formats of a workbook: they lie over cells, and go where the cells go. */
export interface Drawings {
  /** Drawings of one sheet, or of the workbook without `sheetId`. The latest conditional format comes first, other kinds in the order made. */
  of<K extends Kind>(kind: K, sheetId?: string): OfKind<K>[];
  /** The conditional formats of a sheet, the one that precedes all others first. */
  formats(sheetId: string): (ColorScale | CellRule)[];
  /** Gives a conditional format a place among those of its sheet. */
  rank(id: string, place: number): void;
  find<K extends Kind>(kind: K, id: string): OfKind<K> | undefined;
  add<K extends Kind>(drawing: Omit<OfKind<K>, "id"> & { kind: K }): OfKind<K>;
  update<K extends Kind>(kind: K, id: string, change: Partial<OfKind<K>>): void;
  delete(id: string): void;
  follow(event: SpreadsheetEvent): void;
  onChange(listener: () => void): void;
  /** JSON. */
  save(): unknown;
  open(saved: unknown): void;
}

export function createDrawings(): Drawings {
  let all: Drawing[] = [];
  let ids = 0;
  const listeners = new Set<() => void>();
  const replace = (next: Drawing[]) => {
    all = next;
    for (const listener of listeners) listener();
  };

  /** Null where what it belongs to is gone. */
  function moved(each: Drawing, { sheetId, follow }: Extract<SpreadsheetEvent, { kind: "moved" }>) {
    if (each.kind === "color-scale" || each.kind === "cell-rule") {
      if (each.sheetId !== sheetId) return each;
      const place = follow(each.rect);
      return place && { ...each, rect: place };
    }
    if (each.kind === "picture") return each;
    const source = each.source.sheetId === sheetId ? follow(each.source.rect) : each.source.rect;
    const place = each.sheetId === sheetId ? follow(each.place) : each.place;
    return {
      ...each,
      place: place ?? each.place,
      source: { ...each.source, rect: source ?? each.source.rect },
    };
  }

  return {
    of: (kind, sheetId) =>
      all.filter(
        (each): each is OfKind<typeof kind> =>
          each.kind === kind && (sheetId === undefined || each.sheetId === sheetId),
      ),
    formats: (sheetId) => all.filter(isFormat).filter((each) => each.sheetId === sheetId),
    rank(id, place) {
      const format = all.find((each) => each.id === id);
      if (!format) return;
      const others = all.filter((each) => each.id !== id);
      const next = others.filter((each) => isFormat(each) && each.sheetId === format.sheetId)[place];
      const at = next ? others.indexOf(next) : others.length;
      replace([...others.slice(0, at), format, ...others.slice(at)]);
    },
    find: (kind, id) => all.find((each): each is OfKind<typeof kind> => each.kind === kind && each.id === id),
    add(wanted) {
      const added = { ...wanted, id: `{drawing-${++ids}}` } as unknown as Drawing;
      replace(isFormat(added) ? [added, ...all] : [...all, added]);
      return added as never;
    },
    update: (kind, id, change) =>
      replace(all.map((each) => (each.kind === kind && each.id === id ? { ...each, ...change } : each))),
    delete: (id) => replace(all.filter((each) => each.id !== id)),
    follow(event) {
      if (all.length === 0) return;
      if (event.kind === "deleted") replace(all.filter(({ sheetId }) => sheetId !== event.sheetId));
      if (event.kind === "moved") replace(all.flatMap((each) => moved(each, event) ?? []));
    },
    onChange: (listener) => void listeners.add(listener),
    save: () => structuredClone(all),
    open(saved) {
      replace(savedDrawings.parse(saved));
      ids = Math.max(0, ...all.map(({ id }) => Number(/\d+/.exec(id)?.[0] ?? 0)));
    },
  };
}

/** The cells that a chart shows now: a table's as far as it goes. */
function sourceRect({ source }: Chart, tables: readonly TableInfo[]): Rect {
  return tables.find(({ id }) => id === source.tableId)?.rect ?? source.rect;
}

export interface ChartData {
  /** The name of its series. */
  series: string;
  /** The first is drawn nearest to the origin, unless the chart is reversed. Hidden rows are left out, as in Excel. */
  points: { label: string; value: number; text: string }[];
}

type ChartCells = Pick<Spreadsheet, "read" | "tables" | "isRowHidden">;

/** The rows of a chart's cells below its headers, and its columns of numbers beside its labels. */
function partsOf(shown: Chart, { read, tables }: ChartCells) {
  const area = sourceRect(shown, tables());
  const cells = read(shown.source.sheetId, area);
  const [first = []] = cells;
  const isText = (cell: CellView | undefined) => typeof cell?.value === "string" && cell.value !== "";
  // As in Excel, numbers without texts beside them have no labels, and a first row of texts over numbers has the names of the series.
  const hasLabels = first.length > 1;
  const numbersFrom = hasLabels ? 1 : 0;
  const hasHeaders = cells.length > 1 && first.slice(numbersFrom).every(isText);
  const header = hasHeaders ? first : undefined;
  return { area, header, rows: hasHeaders ? cells.slice(1) : cells, hasLabels, numbersFrom };
}

export function countSeries(shown: Chart, cells: ChartCells): number {
  const { area, numbersFrom } = partsOf(shown, cells);
  return area.columns - numbersFrom;
}

/** The categories and numbers that a series of a chart shows of its cells: of the first one, unless another is named. */
export function chartData(shown: Chart, cells: ChartCells, index = 0): ChartData {
  const { area, header, rows, hasLabels, numbersFrom } = partsOf(shown, cells);
  const column = numbersFrom + index;
  return {
    series: header ? (header[column]?.text ?? "") : `Series${index + 1}`,
    points: rows.flatMap((row, down) => {
      if (cells.isRowHidden(shown.source.sheetId, area.row + (header ? 1 : 0) + down)) return [];
      const value = row[column]?.value;
      return {
        label: hasLabels ? (row[0]?.text ?? "") : String(down + 1),
        value: typeof value === "number" ? value : 0,
        text: row[column]?.text ?? "",
      };
    }),
  };
}

function isFormat(drawing: Drawing): drawing is ColorScale | CellRule {
  return drawing.kind === "color-scale" || drawing.kind === "cell-rule";
}

/** The fill that color scales give to a cell with this number; null where none does. `numbersOf` gives the numbers of a scale's cells. */
export function scaleColor(
  scales: readonly ColorScale[],
  { row, column, value }: { row: number; column: number; value: unknown },
  numbersOf: (scale: ColorScale) => readonly number[],
): string | null {
  if (typeof value !== "number") return null;
  const scale = scales.find((each) => contains(each.rect, row, column));
  if (!scale?.criteria) return null;
  const numbers = numbersOf(scale);
  const { minimum, midpoint, maximum } = scale.criteria;
  const points = [minimum, ...(midpoint ? [midpoint] : []), maximum].map((point, index) => ({
    color: point.color,
    at: placeOnScale(point, index === 0 ? "LowestValue" : "HighestValue", numbers),
  }));
  const [first, last] = [points[0]!, points.at(-1)!];
  if (value <= first.at) return first.color;
  if (value >= last.at) return last.color;
  const next = points.findIndex(({ at }) => at >= value);
  const [from, to] = [points[next - 1] ?? first, points[next] ?? last];
  const share = to.at > from.at ? (value - from.at) / (to.at - from.at) : 0;
  const [low, high] = [channels(from.color), channels(to.color)];
  const mixed = low.map((part, index) => Math.round(part + ((high[index] ?? part) - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`.toUpperCase();
}

/** The number at which a point of a color scale stands. */
function placeOnScale({ type, formula }: ScalePoint, usual: string, numbers: readonly number[]): number {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const number of numbers) [lowest, highest] = [Math.min(lowest, number), Math.max(highest, number)];
  const given = Number(String(formula ?? "").replace(/^=/, ""));
  switch (type ?? usual) {
    case "LowestValue":
      return lowest;
    case "HighestValue":
      return highest;
    case "Percent":
      return lowest + ((highest - lowest) * given) / 100;
    case "Percentile": {
      const sorted = numbers.toSorted((one, other) => one - other);
      const place = ((sorted.length - 1) * given) / 100;
      const [below, above] = [sorted[Math.floor(place)] ?? lowest, sorted[Math.ceil(place)] ?? highest];
      return below + (above - below) * (place - Math.floor(place));
    }
    default:
      return given;
  }
}

function channels(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
