import { type Chart, chartData, countSeries } from "../../drawings";
import { HostError, notModelled } from "../host-error";
import { found, integer, mustNotBeProtected, text, truth } from "./object-model";
import type { Family, Model, Property, Ref } from "./object-model";
import { colorOf } from "./range-format";
import { orientation } from "./ranges/finer-format";

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
  | "ChartTitle"
  | "ChartAxis"
  | "ChartGridlines"
  | "ChartFormatString"
  | "ChartLine"
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
      Name: {
        get: () =>
          chartOf(chartId, model).looks[`series ${index} name`] ?? dataOf(chartId, index, model).series,
        set: (value) => look(chartId, `series ${index} name`, model, text).set?.(value),
      },
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

  ChartTitle: ({ chartId }, model) => ({
    properties: {
      ShowShadow: fact(chartId, "title ShowShadow", { initial: false, read: truth }, model),
      // "The value should be an integer either from -90 to 90, or 180 for vertically-oriented text" (ChartTitle.textOrientation).
      TextOrientation: fact(chartId, "title TextOrientation", { initial: 0, read: orientation }, model),
    },
    links: { Format: () => ({ type: "ChartFormat", chartId, part: "title" }) },
    objects: {
      GetSubstring(start, length) {
        const { title } = chartOf(chartId, model);
        const [from, count] = [integer(start), integer(length)];
        // Microsoft names no error outside of the title: the strict assumption.
        if (from < 0 || count < 1 || from + count > (title ?? "").length)
          throw new HostError("InvalidArgument", `${count} characters from ${from} on`);
        return { type: "ChartFormatString", chartId, part: `title ${from} ${count}` };
      },
    },
  }),
  ChartFormatString: ({ chartId, part }) => ({
    links: { Font: () => ({ type: "ChartFont", chartId, part }) },
  }),
  ChartAxis: ({ chartId, axis }, model) => ({
    properties: Object.fromEntries(
      Object.entries(axisFacts).map(([name, one]) => [name, fact(chartId, `${axis} ${name}`, one, model)]),
    ),
    links: {
      MajorGridlines: () => ({ type: "ChartGridlines", chartId, part: `${axis} major` }),
      MinorGridlines: () => ({ type: "ChartGridlines", chartId, part: `${axis} minor` }),
      Format: () => ({ type: "ChartFormat", chartId, part: `${axis} axis` }),
    },
    calls: {
      // "Sets the specified axis position where the other axis crosses at" (ChartAxis.setPositionAt in @types/office-js).
      SetPositionAt(value) {
        mustNotBeProtected(chartOf(chartId, model).sheetId, model);
        setLook(chartId, `${axis} Position`, "Custom", model);
        setLook(chartId, `${axis} PositionAt`, finite(value), model);
      },
    },
  }),
  ChartGridlines: ({ chartId, part }, model) => ({
    // Excel gives a new chart the large lines of its value axis.
    properties: {
      Visible: fact(chartId, `${part} lines`, { initial: part === "value major", read: truth }, model),
    },
    links: { Format: () => ({ type: "ChartFormat", chartId, part: `${part} lines` }) },
  }),
  ChartLine({ chartId, part }, model) {
    return {
      properties: {
        Color: look(chartId, `${part} color`, model, colorOf),
        LineStyle: look(chartId, `${part} style`, model, (value) => word(value, lineStyles)),
        Weight: look(chartId, `${part} weight`, model, finite),
      },
    };
  },

  ChartFormat: ({ chartId, part }) => ({
    links: {
      Line: () => ({ type: "ChartLine", chartId, part: `${part} line` }),
      Border: () => ({ type: "ChartLine", chartId, part: `${part} border` }),
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

/** Properties of axes that are kept and not shown, with what Excel gives a new chart. */
const axisFacts: Record<string, Fact> = {
  ShowDisplayUnitLabel: { initial: true, read: truth },
  IsBetweenCategories: { initial: true, read: truth },
  TickLabelSpacing: { initial: 1, read: spacing },
  TickMarkSpacing: { initial: 1, read: spacing },
  TickLabelPosition: {
    initial: "NextToAxis",
    read: (value) => word(value, ["NextToAxis", "High", "Low", "None"]),
  },
  MajorTickMark: { initial: "None", read: (value) => word(value, tickMarks) },
  MinorTickMark: { initial: "None", read: (value) => word(value, tickMarks) },
  Position: { initial: "Automatic", read: (value) => word(value, ["Automatic", "Maximum", "Minimum"]) },
  ScaleType: { initial: "Linear", read: (value) => word(value, ["Linear", "Logarithmic"]) },
  LogBase: {
    initial: 10,
    read(value) {
      // Excel's own dialog takes bases from 2 to 1000. Microsoft does not document the API here: the strict assumption.
      const base = finite(value);
      if (base < 2 || base > 1000) throw new HostError("InvalidArgument", `base ${base}`);
      return base;
    },
  },
  Visible: { initial: true, read: truth },
};
const tickMarks = ["None", "Cross", "Inside", "Outside"];
const lineStyles = [
  ...["None", "Continuous", "Dash", "DashDot", "DashDotDot", "Dot", "Grey25", "Grey50", "Grey75"],
  ...["Automatic", "RoundDot"],
];

interface Fact {
  initial: unknown;
  read(value: unknown): unknown;
}

/** A property that is kept and not shown. */
function fact(chartId: string, name: string, { initial, read }: Fact, model: Model): Property {
  return {
    ...look(chartId, name, model, read),
    get: () => chartOf(chartId, model).looks[name] ?? initial,
  };
}

function word(value: unknown, known: readonly string[]): string {
  const one = known.find((each) => each === value);
  if (one === undefined) throw new HostError("InvalidArgument", `no word of Excel's: ${String(value)}`);
  return one;
}

function finite(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value))
    throw new HostError("InvalidArgument", "a number expected");
  return value;
}

/** "The value can range from 1 through 31999" (ChartAxis.tickMarkSpacing in @types/office-js). */
function spacing(value: unknown): number {
  const count = integer(value);
  if (count < 1 || count > 31_999) throw new HostError("InvalidArgument", `spacing ${count}`);
  return count;
}

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
