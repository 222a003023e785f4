import { type Chart, chartData, countSeries } from "../../drawings";
import { HostError, notModelled } from "../host-error";
import { found, integer, mustNotBeProtected, text, truth } from "./object-model";
import type { Family, Model, Property, Ref } from "./object-model";
import { colorOf } from "./range-format";

const legendPositions = ["Top", "Bottom", "Left", "Right", "Corner"] as const;

/** Series, points, labels and looks of charts. Looks that nobody has set can't be read, because Microsoft does not say what Excel's own are. */
export const chartPartFamily: Family<
  | "Chart"
  | "ChartLegend"
  | "ChartSeriesCollection"
  | "ChartSeries"
  | "ChartPointsCollection"
  | "ChartPoint"
  | "ChartDataLabels"
  | "ChartFormat"
  | "ChartFill"
  | "ChartFont"
> = {
  Chart: ({ chartId }) => ({
    links: {
      Series: () => ({ type: "ChartSeriesCollection", chartId }),
      DataLabels: () => ({ type: "ChartDataLabels", chartId }),
    },
  }),
  ChartLegend({ chartId }, model) {
    const position = look(chartId, "legend position", model, (value) => {
      const known = legendPositions.find((each) => each === value);
      if (known === undefined) throw new HostError("InvalidArgument", `position ${String(value)}`);
      return known;
    });
    return {
      properties: {
        // Excel puts the legend of a new chart below it.
        Position: { ...position, get: () => chartOf(chartId, model).looks["legend position"] ?? "Bottom" },
      },
      links: { Format: () => ({ type: "ChartFormat", chartId, part: "legend" }) },
    };
  },
  ChartDataLabels: ({ chartId }) => ({
    links: { Format: () => ({ type: "ChartFormat", chartId, part: "labels" }) },
  }),

  ChartSeriesCollection({ chartId }, model) {
    const count = () => countSeries(chartOf(chartId, model), model.spreadsheet);
    const ref = (index: number): Ref<"ChartSeries"> => ({ type: "ChartSeries", chartId, index });
    return {
      items: () => Array.from({ length: count() }, (_, index) => ref(index)),
      properties: { Count: { get: count } },
      calls: { GetCount: count },
      item: (index) => ref(placeIn(count(), index)),
      objects: { GetItemAt: (index) => ref(placeIn(count(), index)) },
    };
  },
  ChartSeries: ({ chartId, index }, model) => ({
    id: index,
    properties: {
      Name: { get: () => dataOf(chartId, index, model).series },
      ChartType: { get: () => chartOf(chartId, model).type },
    },
    links: {
      Points: () => ({ type: "ChartPointsCollection", chartId, index }),
      Format: () => ({ type: "ChartFormat", chartId, part: `series ${index}` }),
    },
  }),
  ChartPointsCollection({ chartId, index }, model) {
    const count = () => dataOf(chartId, index, model).points.length;
    const ref = (point: number): Ref<"ChartPoint"> => ({ type: "ChartPoint", chartId, index, point });
    return {
      items: () => Array.from({ length: count() }, (_, point) => ref(point)),
      properties: { Count: { get: count } },
      calls: { GetCount: count },
      item: (point) => ref(placeIn(count(), point)),
      objects: { GetItemAt: (point) => ref(placeIn(count(), point)) },
    };
  },
  ChartPoint: ({ chartId, index, point }, model) => ({
    id: point,
    properties: { Value: { get: () => found(dataOf(chartId, index, model).points[point]).value } },
    links: { Format: () => ({ type: "ChartFormat", chartId, part: `series ${index} point ${point}` }) },
  }),

  ChartFormat: ({ chartId, part }) => ({
    links: {
      Fill: () => ({ type: "ChartFill", chartId, part }),
      ...(!part.startsWith("series") && { Font: () => ({ type: "ChartFont", chartId, part }) }),
    },
  }),
  ChartFill({ chartId, part }, model) {
    const fill = look(chartId, `${part} fill`, model, colorOf);
    return {
      calls: {
        SetSolidColor: (color) => fill.set?.(color),
        GetSolidColor: () => fill.get?.(),
        Clear() {
          mustNotBeProtected(chartOf(chartId, model).sheetId, model);
          setLook(chartId, `${part} fill`, null, model);
        },
      },
    };
  },
  ChartFont({ chartId, part }, model) {
    const font = (name: string, read: (value: unknown) => unknown) =>
      look(chartId, `${part} font ${name}`, model, read);
    return {
      properties: {
        Bold: font("bold", truth),
        Italic: font("italic", truth),
        Color: font("color", colorOf),
        Name: font("name", text),
        Size: font("size", (value) => {
          if (typeof value !== "number" || !(value > 0))
            throw new HostError("InvalidArgument", "points expected");
          return value;
        }),
        Underline: font("underline", (value) => {
          if (value !== "None" && value !== "Single")
            throw new HostError("InvalidArgument", `underline ${String(value)}`);
          return value;
        }),
      },
    };
  },
};

function chartOf(chartId: string, { spreadsheet }: Model): Chart {
  return found(spreadsheet.drawings.find("chart", chartId));
}

function dataOf(chartId: string, index: number, model: Model) {
  const chart = chartOf(chartId, model);
  placeIn(countSeries(chart, model.spreadsheet), index);
  return chartData(chart, model.spreadsheet, index);
}

/** Reads an index. Throws ItemNotFound outside of the collection: the strict assumption, because Microsoft names no error. */
function placeIn(count: number, wanted: unknown): number {
  const index = integer(wanted);
  if (index < 0 || index >= count) throw new HostError("ItemNotFound", `item ${index} of ${count}`);
  return index;
}

function setLook(chartId: string, name: string, value: unknown, model: Model): void {
  const { looks } = chartOf(chartId, model);
  model.spreadsheet.drawings.update("chart", chartId, { looks: { ...looks, [name]: value } });
}

function look(chartId: string, name: string, model: Model, read: (value: unknown) => unknown): Property {
  return {
    get() {
      const value = chartOf(chartId, model).looks[name];
      if (value === undefined || value === null) throw notModelled(`reading a chart's own ${name}`);
      return value;
    },
    set(value) {
      mustNotBeProtected(chartOf(chartId, model).sheetId, model);
      setLook(chartId, name, read(value), model);
    },
  };
}
