import { constantOf } from "../../cell-rules";
import type { CellRule, ColorScale, ScalePoint } from "../../drawings";
import { intersect } from "../../address";
import { HostError, notModelled } from "../host-error";
import { found, integer, mustNotBeProtected, text, truth } from "./object-model";
import type { Classes, Members, Model, Property, Ref } from "./object-model";
import { colorOf } from "./range-format";

type Format = CellRule | ColorScale;

/** `Excel.ConditionalFormatType`. */
const types = [
  ...["ColorScale", "CellValue", "ContainsText", "TopBottom", "PresetCriteria", "Custom", "DataBar"],
  "IconSet",
];

const operators = [
  ...["Between", "NotBetween", "EqualTo", "NotEqualTo", "GreaterThan", "LessThan", "GreaterThanOrEqual"],
  "LessThanOrEqual",
];
const textOperators = ["Contains", "NotContains", "BeginsWith", "EndsWith"];
const rankKinds = ["TopItems", "TopPercent", "BottomItems", "BottomPercent"];
const presets = [
  ...["Blanks", "NonBlanks", "Errors", "NonErrors", "AboveAverage", "BelowAverage", "EqualOrAboveAverage"],
  ...["EqualOrBelowAverage", "OneStdDevAboveAverage", "OneStdDevBelowAverage", "TwoStdDevAboveAverage"],
  ...["TwoStdDevBelowAverage", "ThreeStdDevAboveAverage", "ThreeStdDevBelowAverage"],
];
/** Presets of `Excel.ConditionalFormatPresetCriterion` that go by the day, or by values that repeat. */
const otherPresets = [
  ...["Yesterday", "Today", "Tomorrow", "LastSevenDays", "LastWeek", "ThisWeek", "NextWeek", "LastMonth"],
  ...["ThisMonth", "NextMonth", "UniqueValues", "DuplicateValues"],
];
const barDirections = ["Context", "LeftToRight", "RightToLeft"];
const iconSets = [
  ...["ThreeArrows", "ThreeArrowsGray", "ThreeFlags", "ThreeTrafficLights1", "ThreeTrafficLights2"],
  ...["ThreeSigns", "ThreeSymbols", "ThreeSymbols2", "FourArrows", "FourArrowsGray", "FourRedToBlack"],
  ...["FourRating", "FourTrafficLights", "FiveArrows", "FiveArrowsGray", "FiveRating", "FiveQuarters"],
  ...["ThreeStars", "ThreeTriangles", "FiveBoxes"],
];

export const conditionalFormatClasses: Classes<
  | "ConditionalFormatCollection"
  | "ConditionalFormat"
  | "ColorScaleConditionalFormat"
  | "CellRule"
  | "CustomRule"
  | "ConditionalRangeFormat"
  | "ConditionalRangeFont"
  | "ConditionalRangeFill"
> = {
  /** The conditional formats that touch the range, as in Excel. */
  ConditionalFormatCollection({ sheetId, rect }, model) {
    const { drawings } = model.spreadsheet;
    const formats = () => drawings.formats(sheetId).filter((format) => intersect(format.rect, rect));
    return {
      items: () => formats().map(formatRef),
      item(key) {
        const format = formats().find(({ id }) => id === key);
        return format ? formatRef(format) : null;
      },
      calls: {
        GetCount: () => formats().length,
        ClearAll() {
          mustNotBeProtected(sheetId, model);
          for (const { id, rect: colored } of formats()) {
            const common = intersect(colored, rect);
            if (common?.rows !== colored.rows || common.columns !== colored.columns)
              throw notModelled("ConditionalFormatCollection.ClearAll of a part of a conditional format");
            drawings.delete(id);
          }
        },
      },
      objects: {
        GetItemAt: (index) => formatRef(found(formats()[integer(index)])),
        Add(wanted) {
          mustNotBeProtected(sheetId, model);
          const type = types.find((each) => each === wanted);
          if (type === undefined)
            throw new HostError("InvalidArgument", `conditional format ${String(wanted)}`);
          if (type === "ColorScale")
            return formatRef(
              drawings.add<"color-scale">({ kind: "color-scale", sheetId, rect, criteria: null }),
            );
          const rule = type === "DataBar" || type === "IconSet" ? { type, facts: {} } : null;
          return formatRef(
            drawings.add<"cell-rule">({
              ...{ kind: "cell-rule", sheetId, rect, type, rule: rule as CellRule["rule"] },
              ...{ look: {}, stopsIfTrue: false },
            }),
          );
        },
      },
    };
  },

  ConditionalFormat({ formatId }, model) {
    const { drawings } = model.spreadsheet;
    const format = () => formatOf(formatId, model);
    const type = () => {
      const one = format();
      return one.kind === "color-scale" ? "ColorScale" : one.type;
    };
    const all = () => drawings.formats(format().sheetId);
    /** The parts of another kind are not there. Microsoft names no error: the strict assumption. */
    const ruleOf = (wanted: string) => (): Ref<"CellRule"> => {
      found(type() === wanted ? wanted : null);
      return { type: "CellRule", formatId };
    };
    const hasStop = () => !["ColorScale", "DataBar", "IconSet"].includes(type());
    return {
      id: formatId,
      properties: {
        Id: { get: () => formatId },
        Type: { get: type },
        // "Use a negative priority to begin from the back. Priorities greater than the bounds will get and set to the maximum" (types).
        Priority: {
          get: () => all().findIndex(({ id }) => id === formatId),
          set(wanted) {
            mustNotBeProtected(format().sheetId, model);
            const count = all().length;
            const place = integer(wanted) < 0 ? count + integer(wanted) : integer(wanted);
            drawings.rank(formatId, Math.min(Math.max(0, place), count - 1));
          },
        },
        // "Value is null on data bars, icon sets, and color scales" (ConditionalFormat.stopIfTrue in @types/office-js).
        StopIfTrue: {
          get() {
            const one = format();
            return hasStop() && one.kind === "cell-rule" ? one.stopsIfTrue : null;
          },
          set(wanted) {
            if (!hasStop()) throw new HostError("InvalidOperation", `${type()} stops nothing`);
            change(formatId, { stopsIfTrue: truth(wanted) }, model);
          },
        },
      },
      links: {
        ColorScale: () => ({
          type: "ColorScaleConditionalFormat",
          formatId: found(type() === "ColorScale" ? formatId : null),
        }),
        CellValue: ruleOf("CellValue"),
        TextComparison: ruleOf("ContainsText"),
        TopBottom: ruleOf("TopBottom"),
        Preset: ruleOf("PresetCriteria"),
        Custom: ruleOf("Custom"),
        DataBar: ruleOf("DataBar"),
        IconSet: ruleOf("IconSet"),
      },
      objects: { GetRange: () => ({ type: "Range", sheetId: format().sheetId, rect: format().rect }) },
      calls: {
        Delete() {
          mustNotBeProtected(format().sheetId, model);
          drawings.delete(formatId);
        },
      },
    };
  },

  ColorScaleConditionalFormat({ formatId }, model) {
    const { drawings } = model.spreadsheet;
    const format = () => found(drawings.find("color-scale", formatId));
    return {
      properties: {
        ThreeColorScale: { get: () => format().criteria?.midpoint !== undefined },
        Criteria: {
          get() {
            const { minimum, midpoint, maximum } = found(format().criteria);
            const shown = (point: ScalePoint, type: string) => ({ formula: null, type, ...point });
            return {
              minimum: shown(minimum, "LowestValue"),
              ...(midpoint && { midpoint: shown(midpoint, "Percent") }),
              maximum: shown(maximum, "HighestValue"),
            };
          },
          set(value) {
            mustNotBeProtected(format().sheetId, model);
            drawings.update("color-scale", formatId, { criteria: criteriaOf(value) });
          },
        },
      },
    };
  },

  CellRule({ formatId }, model) {
    const rule = () => found(model.spreadsheet.drawings.find("cell-rule", formatId));
    if (rule().type === "Custom")
      return {
        links: {
          Rule: () => ({ type: "CustomRule", formatId }),
          Format: () => ({ type: "ConditionalRangeFormat", formatId }),
        },
      };
    if (rule().type === "DataBar") return factMembers(formatId, dataBarFacts, model);
    if (rule().type === "IconSet") return factMembers(formatId, iconSetFacts, model);
    return {
      properties: {
        Rule: {
          get() {
            const { type: _, kind, ...others } = found(rule().rule) as Record<string, unknown>;
            return { ...others, ...(kind !== undefined && { type: kind }) };
          },
          set: (value) => change(formatId, { rule: readRule(rule().type, value) }, model),
        },
      },
      links: { Format: () => ({ type: "ConditionalRangeFormat", formatId }) },
    };
  },
  CustomRule: ({ formatId }, model) => ({
    properties: {
      Formula: {
        get() {
          const rule = model.spreadsheet.drawings.find("cell-rule", formatId)?.rule;
          return rule?.type === "Custom" ? rule.formula : "";
        },
        set(value) {
          if (!text(value).startsWith("=")) throw new HostError("InvalidArgument", `formula ${text(value)}`);
          change(formatId, { rule: { type: "Custom", formula: text(value) } }, model);
        },
      },
    },
  }),

  ConditionalRangeFormat: ({ formatId }) => ({
    links: {
      Font: () => ({ type: "ConditionalRangeFont", formatId }),
      Fill: () => ({ type: "ConditionalRangeFill", formatId }),
    },
  }),
  ConditionalRangeFont({ formatId }, model) {
    const look = lookOf(formatId, model);
    return {
      properties: {
        Color: look("fontColor", colorOf),
        Bold: look("bold", truth),
        Italic: look("italic", truth),
        Strikethrough: look("strikethrough", truth),
      },
    };
  },
  ConditionalRangeFill({ formatId }, model) {
    return { properties: { Color: lookOf(formatId, model)("fillColor", colorOf) } };
  },
};

const formatRef = ({ id }: { id: string }): Ref<"ConditionalFormat"> => ({
  type: "ConditionalFormat",
  formatId: id,
});

function formatOf(formatId: string, { spreadsheet: { drawings } }: Model): Format {
  return found(drawings.find("color-scale", formatId) ?? drawings.find("cell-rule", formatId));
}

function change(formatId: string, part: Partial<CellRule>, model: Model): void {
  mustNotBeProtected(formatOf(formatId, model).sheetId, model);
  model.spreadsheet.drawings.update("cell-rule", formatId, part);
}

/** A look that cells get from a rule. One that nobody has set is an empty text or false, as Excel gives no look then. */
function lookOf(formatId: string, model: Model) {
  return <Name extends keyof CellRule["look"]>(
    name: Name,
    read: (value: unknown) => CellRule["look"][Name],
  ): Property => {
    const look = () => found(model.spreadsheet.drawings.find("cell-rule", formatId)).look;
    return {
      get: () => look()[name] ?? (name.endsWith("Color") ? "" : false),
      set: (value) => change(formatId, { look: { ...look(), [name]: read(value) } }, model),
    };
  };
}

function word(value: unknown, known: readonly string[], what: string): string {
  const one = known.find((each) => each === value);
  if (one === undefined) throw new HostError("InvalidArgument", `${what} ${String(value)}`);
  return one;
}

/** Reads the rule of a format of cells. Formulas that are no constants are refused by name, because the workbench does not calculate them. */
function readRule(type: string, given: unknown): CellRule["rule"] {
  const value = (given ?? {}) as Record<string, unknown>;
  if (type === "CellValue") {
    const operator = word(value.operator, operators, "operator");
    const operand = (formula: unknown) => {
      if (constantOf(text(formula)) === null) throw notModelled(`a conditional format by ${text(formula)}`);
      return text(formula);
    };
    const needsTwo = operator === "Between" || operator === "NotBetween";
    if (needsTwo)
      return { type, operator, formula1: operand(value.formula1), formula2: operand(value.formula2) };
    return { type, operator, formula1: operand(value.formula1) };
  }
  if (type === "ContainsText")
    return { type, operator: word(value.operator, textOperators, "operator"), text: text(value.text) };
  if (type === "TopBottom") {
    const kind = word(value.type, rankKinds, "type");
    const rank = integer(value.rank);
    // "The rank between 1 and 1000 for numeric ranks or 1 and 100 for percent ranks" (ConditionalTopBottomRule in @types/office-js).
    if (rank < 1 || rank > (kind.endsWith("Percent") ? 100 : 1000))
      throw new HostError("InvalidArgument", `rank ${rank}`);
    return { type, kind, rank };
  }
  const criterion = String(value.criterion);
  if (otherPresets.includes(criterion)) throw notModelled(`a conditional format by ${criterion}`);
  return { type: "PresetCriteria", criterion: word(criterion, presets, "criterion") };
}

/** Properties that are kept and not shown, with what Excel gives a new format. */
type Facts = Record<string, { initial: unknown; read(value: unknown): unknown }>;

const dataBarFacts: Facts = {
  BarDirection: { initial: "Context", read: (value) => word(value, barDirections, "direction") },
  ShowDataBarOnly: { initial: false, read: truth },
};

const iconSetFacts: Facts = {
  Style: { initial: "ThreeTrafficLights1", read: (value) => word(value, iconSets, "icon set") },
  ShowIconOnly: { initial: false, read: truth },
  ReverseIconOrder: { initial: false, read: truth },
  Criteria: {
    initial: [],
    read(value) {
      if (!Array.isArray(value) || value.length < 3 || value.length > 5)
        throw new HostError("InvalidArgument", "a criterion for each icon");
      // "For the first criterion … type, formula, and operator will be ignored when set" (IconSetConditionalFormat.criteria).
      for (const each of value.slice(1) as Record<string, unknown>[]) {
        word(each.type, ["Number", "Percent", "Formula", "Percentile"], "type");
        word(each.operator, ["GreaterThan", "GreaterThanOrEqual"], "operator");
        text(each.formula);
      }
      return value;
    },
  },
};

function factMembers(formatId: string, facts: Facts, model: Model): Members {
  const held = () => {
    const rule = found(model.spreadsheet.drawings.find("cell-rule", formatId)).rule;
    return rule?.type === "DataBar" || rule?.type === "IconSet" ? rule : null;
  };
  return {
    properties: Object.fromEntries(
      Object.entries(facts).map(([name, { initial, read }]): [string, Property] => [
        name,
        {
          get: () => held()?.facts[name] ?? initial,
          set(value) {
            const rule = found(held());
            change(formatId, { rule: { ...rule, facts: { ...rule.facts, [name]: read(value) } } }, model);
          },
        },
      ]),
    ),
  };
}

/** Colors of two or three points, from the lowest of the numbers to the highest, or between others. */
function criteriaOf(value: unknown): ColorScale["criteria"] {
  const { minimum, midpoint, maximum } = value as Record<string, Record<string, unknown> | null | undefined>;
  const point = (given: Record<string, unknown> | null | undefined, ownType: string): ScalePoint => {
    const { type, formula, color, ...others } = given ?? {};
    const [other] = Object.entries(others).flatMap(([name, one]) => (one === undefined ? [] : [name]));
    if (other !== undefined) throw notModelled(`a color scale's ${other}`);
    const shade = { color: colorOf(color) };
    if (type === ownType) return shade;
    const kind = word(
      type,
      ["Number", "Percent", "Percentile", "Formula", "LowestValue", "HighestValue"],
      "type",
    );
    const number = constantOf(String(formula ?? ""));
    if (typeof number !== "number") throw notModelled(`a color scale by ${kind} ${String(formula)}`);
    return { ...shade, type: kind, formula: String(formula) };
  };
  return {
    minimum: point(minimum, "LowestValue"),
    ...(midpoint !== undefined && midpoint !== null && { midpoint: point(midpoint, "") }),
    maximum: point(maximum, "HighestValue"),
  };
}
