import { type Chart, chartTypes, type Picture } from "../../drawings";
import type { Spreadsheet } from "../../spreadsheet";
import { intersect, union } from "../../address";
import { HostError, notModelled } from "../host-error";
import { found, integer, mustNotBeProtected, text } from "./object-model";
import type { Classes, Model, Property, Ref } from "./object-model";
import { rangeOf } from "./range-object";
import { nextName } from "./tables/table-names";

/** The size, in cells, of a new chart in Excel. */
const DEFAULT_SIZE = { rows: 15, columns: 7 };
/** The size of a picture's pixel in points: Excel shows 96 pixels to the inch. */
const POINTS_PER_PIXEL = 0.75;

/** `Excel.ChartAxisDisplayUnit` beside "Custom", which comes by another member. */
const displayUnits: readonly unknown[] = [
  ...["None", "Hundreds", "Thousands", "TenThousands", "HundredThousands", "Millions"],
  ...["TenMillions", "HundredMillions", "Billions", "Trillions"],
];

export const drawingClasses: Classes<
  | "ChartCollection"
  | "Chart"
  | "ChartTitle"
  | "ChartLegend"
  | "ChartAxes"
  | "ChartAxis"
  | "ChartAxisTitle"
  | "ShapeCollection"
  | "Shape"
> = {
  ChartCollection({ sheetId }, model) {
    const charts = () => model.spreadsheet.drawings.of("chart", sheetId);
    return {
      items: () => charts().map(chartRef),
      // "If there are multiple charts with the same name, the first one will be returned" (@types/office-js).
      item(key) {
        const wanted = text(key).toLowerCase();
        const chart = charts().find(({ id, name }) => id === key || name.toLowerCase() === wanted);
        return chart ? chartRef(chart) : null;
      },
      properties: { Count: { get: () => charts().length } },
      calls: { GetCount: () => charts().length, ...model.events.calls("charts", sheetId) },
      objects: {
        GetItemAt: (index) => chartRef(found(charts()[integer(index)])),
        Add(wanted, data, seriesBy) {
          mustNotBeProtected(sheetId, model);
          const type = chartTypes.find((each) => each === wanted);
          if (type === undefined) throw notModelled(`ChartCollection.Add ${String(wanted)}`);
          if (![undefined, null, "Auto", "Columns"].includes(seriesBy as string))
            throw notModelled(`ChartCollection.Add with series by ${String(seriesBy)}`);
          const source = rangeOf(data, model);
          const { row, column, columns } = source.rect;
          mustBeChartable(source, seriesBy, model);
          const isWhole = (rect: Chart["place"]) => intersect(rect, source.rect)?.rows === rect.rows;
          const table = model.spreadsheet
            .tables()
            .find((each) => each.sheetId === source.sheetId && isWhole(each.rect));
          const added = model.spreadsheet.drawings.add<"chart">({
            ...{ kind: "chart", sheetId, type, title: null, showsTitle: true },
            name: nextName("Chart ", charts()),
            source: { sheetId: source.sheetId, rect: source.rect, tableId: table?.id ?? null },
            // Excel shows a legend where there are several series to tell apart.
            ...{ showsLegend: columns > 2 || isRound(type), isReversed: false, looks: {} },
            place: { row: row + 1, column: column + columns + 1, ...DEFAULT_SIZE },
          });
          model.events.tell("chart-added", sheetId, { chartId: added.id });
          return chartRef(added);
        },
      },
    };
  },

  Chart({ chartId }, model) {
    const { drawings } = model.spreadsheet;
    const chart = () => chartOf(chartId, model);
    const change = (part: Partial<Chart>) => {
      mustNotBeProtected(chart().sheetId, model);
      drawings.update("chart", chartId, part);
    };
    return {
      id: chartId,
      properties: {
        Id: { get: () => chartId },
        Name: {
          get: () => chart().name,
          set(wanted) {
            const name = text(wanted);
            const others = drawings.of("chart", chart().sheetId).filter(({ id }) => id !== chartId);
            // Excel's Name Box refuses a taken name. Microsoft does not document the API here: the strict assumption.
            if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
              throw new HostError("InvalidArgument", `a chart ${name} exists already`);
            change({ name });
          },
        },
        ChartType: { get: () => chart().type },
      },
      links: {
        Title: () => ({ type: "ChartTitle", chartId }),
        Legend: () => ({ type: "ChartLegend", chartId }),
        Axes: () => ({ type: "ChartAxes", chartId }),
      },
      calls: {
        ...model.events.calls("chart", chartId),
        Delete() {
          const { sheetId } = chart();
          mustNotBeProtected(sheetId, model);
          drawings.delete(chartId);
          model.events.tell("chart-deleted", sheetId, { chartId });
        },
        SetPosition(first, last) {
          const { sheetId } = chart();
          const from = rangeOf(first, model, sheetId).rect;
          const to = last === undefined || last === null ? undefined : rangeOf(last, model, sheetId).rect;
          const { rows, columns } = chart().place;
          change({ place: to ? union(from, to) : { ...from, rows, columns } });
        },
      },
    };
  },

  ChartTitle({ chartId }, model) {
    return {
      properties: {
        Text: {
          get: () => chartOf(chartId, model).title ?? "",
          set: (wanted) => changeChart(chartId, { title: titleOf(wanted) }, model),
        },
        Visible: flag(chartId, "showsTitle", model),
      },
    };
  },
  ChartLegend: ({ chartId }, model) => ({ properties: { Visible: flag(chartId, "showsLegend", model) } }),
  ChartAxes: ({ chartId }) => ({
    links: {
      CategoryAxis: () => ({ type: "ChartAxis", chartId, axis: "category" }),
      ValueAxis: () => ({ type: "ChartAxis", chartId, axis: "value" }),
    },
  }),
  ChartAxis: ({ chartId, axis }, model) => ({
    properties: {
      ...(axis === "category" && { ReversePlotOrder: flag(chartId, "isReversed", model) }),
      ...(axis === "value" && {
        DisplayUnit: {
          // "Default option" (ChartAxisDisplayUnit.none in @types/office-js).
          get: () => chartOf(chartId, model).looks["display unit"] ?? "None",
          set(wanted: unknown) {
            if (!displayUnits.includes(wanted))
              throw new HostError("InvalidArgument", `display unit ${String(wanted)}`);
            const { looks } = chartOf(chartId, model);
            changeChart(chartId, { looks: { ...looks, "display unit": wanted } }, model);
          },
        },
      }),
    } satisfies Record<string, Property>,
    links: { Title: () => ({ type: "ChartAxisTitle", chartId, axis }) },
  }),
  ChartAxisTitle({ chartId, axis }, model) {
    const name = `${axis} title`;
    return {
      properties: {
        Text: {
          get: () => chartOf(chartId, model).looks[name] ?? "",
          set: (wanted) =>
            changeChart(
              chartId,
              { looks: { ...chartOf(chartId, model).looks, [name]: titleOf(wanted) } },
              model,
            ),
        },
      },
    };
  },

  ShapeCollection({ sheetId }, model) {
    const pictures = () => model.spreadsheet.drawings.of("picture", sheetId);
    return {
      items: () => pictures().map(shapeRef),
      item(key) {
        const shape = pictures().find(({ id, name }) => id === key || name === key);
        return shape ? shapeRef(shape) : null;
      },
      calls: { GetCount: () => pictures().length },
      objects: {
        AddImage(base64) {
          mustNotBeProtected(sheetId, model);
          const { width, height } = pixelsOf(text(base64));
          const added = model.spreadsheet.drawings.add<"picture">({
            ...{ kind: "picture", sheetId, base64: text(base64), altTextTitle: "", altTextDescription: "" },
            name: nextName("Picture ", pictures()),
            ...{ locksAspectRatio: true, left: 0, top: 0 },
            width: width * POINTS_PER_PIXEL,
            height: height * POINTS_PER_PIXEL,
          });
          return shapeRef(added);
        },
      },
    };
  },

  Shape({ shapeId }, model) {
    const { drawings } = model.spreadsheet;
    const shape = () => found(drawings.find("picture", shapeId));
    const change = (part: Partial<Picture>) => {
      mustNotBeProtected(shape().sheetId, model);
      drawings.update("picture", shapeId, part);
    };
    const property = <Name extends keyof Picture>(
      name: Name,
      read: (value: unknown) => Picture[Name],
    ): Property => ({
      get: () => shape()[name],
      set: (value) => change({ [name]: read(value) }),
    });
    // With the aspect ratio locked, the other side follows.
    const side = (name: "width" | "height", other: "width" | "height"): Property => ({
      get: () => shape()[name],
      set(value) {
        const size = points(value);
        const { locksAspectRatio, [name]: before, [other]: across } = shape();
        change({ [name]: size, ...(locksAspectRatio && { [other]: (across * size) / before }) });
      },
    });
    return {
      id: shapeId,
      properties: {
        Id: { get: () => shapeId },
        Type: { get: () => "Image" },
        Name: property("name", text),
        AltTextTitle: property("altTextTitle", anyText),
        AltTextDescription: property("altTextDescription", anyText),
        LockAspectRatio: property("locksAspectRatio", truth),
        Left: property("left", points),
        Top: property("top", points),
        Width: side("width", "height"),
        Height: side("height", "width"),
      },
      calls: {
        Delete() {
          mustNotBeProtected(shape().sheetId, model);
          drawings.delete(shapeId);
        },
      },
    };
  },
};

/** Its points are told apart by the legend. */
const isRound = (type: Chart["type"]) => type === "Pie" || type === "Doughnut";

/**
 * Columns of numbers, with a column of texts before them and a row of texts above where there are several. Excel also looks for series in
 * rows and finds labels among numbers, by rules that Microsoft does not publish: these are refused by name.
 */
function mustBeChartable({ sheetId, rect }: Ref<"Range">, seriesBy: unknown, { spreadsheet }: Model): void {
  if (rect.columns === 2 && rect.rows > 1) return;
  const isNumber = (value: unknown) => typeof value === "number" || value === "";
  const isText = (value: unknown) => typeof value === "string";
  const [first = [], ...others] = spreadsheet.read(sheetId, rect).map((row) => row.map(({ value }) => value));
  const numbersOf = (row: readonly unknown[]) => (rect.columns > 1 ? row.slice(1) : row);
  const isHeader = numbersOf(first).every((value) => isText(value) && value !== "");
  const rows = isHeader ? others : [first, ...others];
  // Excel takes the longer side for the categories ("Change how rows and columns of data are plotted", support.microsoft.com).
  const isInColumns = seriesBy === "Columns" || rows.length > numbersOf(first).length;
  const isChartable =
    isInColumns &&
    rows.length > 0 &&
    rows.every(
      (row) => numbersOf(row).every(isNumber) && (rect.columns === 1 || (isText(row[0]) && row[0] !== "")),
    );
  if (!isChartable) throw notModelled("ChartCollection.Add but of labels and columns of numbers");
}

const chartRef = ({ id }: { id: string }): Ref<"Chart"> => ({ type: "Chart", chartId: id });
const shapeRef = ({ id }: { id: string }): Ref<"Shape"> => ({ type: "Shape", shapeId: id });
function chartOf(chartId: string, { spreadsheet }: { spreadsheet: Pick<Spreadsheet, "drawings"> }): Chart {
  return found(spreadsheet.drawings.find("chart", chartId));
}

function changeChart(chartId: string, change: Partial<Chart>, model: Model): void {
  mustNotBeProtected(chartOf(chartId, model).sheetId, model);
  model.spreadsheet.drawings.update("chart", chartId, change);
}

function flag(chartId: string, name: "showsTitle" | "showsLegend" | "isReversed", model: Model): Property {
  return {
    get: () => chartOf(chartId, model)[name],
    set: (value) => changeChart(chartId, { [name]: truth(value) }, model),
  };
}

/** In VBA's ChartTitle.Text, "=…" links to a cell. Microsoft does not document the API here: the strict assumption. */
function titleOf(wanted: unknown): string {
  if (text(wanted).startsWith("=")) throw new HostError("InvalidArgument", "a title that is a formula");
  return text(wanted);
}

function truth(value: unknown): boolean {
  if (typeof value !== "boolean") throw new HostError("InvalidArgument", "true or false expected");
  return value;
}

function anyText(value: unknown): string {
  if (typeof value !== "string") throw new HostError("InvalidArgument", "text expected");
  return value;
}

function points(value: unknown): number {
  if (typeof value !== "number" || !(value >= 0)) throw new HostError("InvalidArgument", "points expected");
  return value;
}

const PNG_SIGNATURE = "89504e470d0a1a0a";

/** The size of a PNG, from its header. JPEGs are not modeled. Throws a HostError for other data, also for a "data:" address. */
function pixelsOf(base64: string): { width: number; height: number } {
  const bytes = bytesOf(base64.slice(0, 64));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex.startsWith("ffd8ff")) throw notModelled("ShapeCollection.AddImage of a JPEG");
  if (!hex.startsWith(PNG_SIGNATURE))
    throw new HostError("InvalidArgument", "neither PNG nor JPEG in Base64");
  const size = (at: number) => Number.parseInt(hex.slice(at * 2, at * 2 + 8), 16);
  return { width: size(16), height: size(20) };
}

function bytesOf(base64: string): number[] {
  if (!/^[A-Za-z\d+/]+=*$/.test(base64)) return [];
  return [...atob(base64.slice(0, base64.length - (base64.length % 4)))].map((sign) => sign.charCodeAt(0));
}
