import { horizontalAlignments, type RangeStyle, verticalAlignments } from "../../../spreadsheet";
import { HostError, notModelled } from "../../host-error";
import { found, text, truth, type Family, type Model, type Property, type Ref } from "../object-model";
import { alignment, colorOf, indent } from "../range-format";
import {
  type CustomStyle,
  customStyles,
  looksOf,
  NORMAL,
  restyle,
  type StyleGroup,
  styleGroups,
  styleNamed,
} from "../ranges/cell-styles";
import { fontName, fontSize, orientation, underline } from "../ranges/finer-format";

/** Excel names a style by 255 characters at most. Microsoft does not document the API here: the strict assumption. */
const MOST_CHARACTERS = 255;

/** Properties that no cell shows here, with what Excel gives a new style. */
const facts: Record<string, { initial: unknown; read(value: unknown): unknown }> = {
  Locked: { initial: true, read: truth },
  FormulaHidden: { initial: false, read: truth },
  ShrinkToFit: { initial: false, read: truth },
  AutoIndent: { initial: false, read: truth },
  IncludeProtection: { initial: true, read: truth },
  ReadingOrder: {
    initial: "Context",
    read(value) {
      const known = ["Context", "LeftToRight", "RightToLeft"].find((each) => each === value);
      if (known === undefined) throw new HostError("InvalidArgument", `reading order ${String(value)}`);
      return known;
    },
  },
};

/** Groups of looks, by the properties that tell whether a style has them. */
const groupNames: Record<string, StyleGroup> = {
  IncludeAlignment: "alignment",
  IncludeBorder: "border",
  IncludeFont: "font",
  IncludeNumber: "number",
  IncludePatterns: "fill",
};

/** The styles of cells, those of Excel that the workbench knows among them. */
export const styleFamily: Family<"Workbook" | "StyleCollection" | "Style" | "StyleFont" | "StyleFill"> = {
  Workbook: () => ({ links: { Styles: () => ({ type: "StyleCollection" }) } }),
  StyleCollection(_self, model) {
    const own = customStyles(model);
    const item = (key: unknown): Ref<"Style"> | null => {
      const name = Object.keys(own.get()).find((each) => each.toLowerCase() === text(key).toLowerCase());
      if (name !== undefined) return { type: "Style", name };
      return styleNamed(text(key), model) ? { type: "Style", name: text(key) } : null;
    };
    return {
      item,
      calls: {
        Add(wanted) {
          const name = text(wanted);
          if (name.length > MOST_CHARACTERS)
            throw new HostError("InvalidArgument", `a style's name of ${name.length} characters`);
          // Microsoft names no error for a name that is taken: the strict assumption.
          if (item(name)) throw new HostError("ItemAlreadyExists", `style ${name}`);
          const style = { look: {}, numberFormat: "General", groups: styleGroups, facts: {} };
          own.set({ ...own.get(), [name]: style });
        },
      },
    };
  },

  Style({ name }, model) {
    const own = customStyles(model);
    const custom = () => own.get()[name];
    const look = lookOf(name, model);
    const change = (part: Partial<CustomStyle>) => changeStyle(name, part, model);
    const includes = (group: StyleGroup): Property => ({
      get: () => found(styleNamed(name, model)).groups.includes(group),
      set(value) {
        const others = found(styleNamed(name, model)).groups.filter((each) => each !== group);
        change({ groups: truth(value) ? [...others, group] : others });
      },
    });
    return {
      id: name,
      properties: {
        Name: { get: () => name },
        BuiltIn: { get: () => custom() === undefined },
        NumberFormat: {
          get: () => found(styleNamed(name, model)).numberFormat ?? "General",
          set: (value) => change({ numberFormat: text(value) }),
        },
        HorizontalAlignment: look("horizontalAlignment", alignment(horizontalAlignments)),
        VerticalAlignment: look("verticalAlignment", alignment(verticalAlignments)),
        IndentLevel: look("indentLevel", indent),
        WrapText: look("wrapText", truth),
        TextOrientation: look("textOrientation", orientation),
        // Office.js sets it by the name that it had before it could be read.
        Orientation: { set: (value) => look("textOrientation", orientation).set?.(value) },
        ...Object.fromEntries(
          Object.entries(groupNames).map(([property, group]) => [property, includes(group)]),
        ),
        ...Object.fromEntries(
          Object.entries(facts).map(([property, { initial, read }]): [string, Property] => [
            property,
            {
              get: () => custom()?.facts[property] ?? initial,
              set: (value) => change({ facts: { ...custom()?.facts, [property]: read(value) } }),
            },
          ]),
        ),
      },
      links: { Font: () => ({ type: "StyleFont", name }), Fill: () => ({ type: "StyleFill", name }) },
      calls: {
        // Its cells look like Normal then, as in Excel.
        Delete() {
          // Excel keeps Normal. Microsoft does not document the others: the strict assumption.
          if (!custom()) throw new HostError("InvalidOperation", `the built-in style ${name}`);
          restyle(name, NORMAL, model);
          const { [name]: _, ...others } = own.get();
          own.set(others);
        },
      },
    };
  },
  StyleFont({ name }, model) {
    const look = lookOf(name, model);
    return {
      properties: {
        Bold: look("bold", truth),
        Italic: look("italic", truth),
        Color: look("fontColor", colorOf, (own) => own ?? "#000000"),
        Name: look("fontName", fontName),
        Size: look("fontSize", fontSize),
        Underline: look("underline", underline),
        Strikethrough: look("strikethrough", truth),
      },
    };
  },
  StyleFill: ({ name }, model) => ({
    properties: { Color: lookOf(name, model)("fillColor", colorOf, (own) => own ?? "#FFFFFF") },
    calls: { Clear: () => lookOf(name, model)("fillColor", () => null).set?.(null) },
  }),
};

/** A property of a style's looks. */
function lookOf(name: string, model: Model) {
  return <Name extends keyof RangeStyle>(
    part: Name,
    read: (value: unknown) => RangeStyle[Name],
    shown: (own: RangeStyle[Name]) => unknown = (own) => own,
  ): Property => ({
    get() {
      const style = found(styleNamed(name, model));
      return shown(looksOf({ ...style, groups: styleGroups })[part]);
    },
    set(value) {
      const before = found(styleNamed(name, model)).look;
      changeStyle(name, { look: { ...before, [part]: read(value) } }, model);
    },
  });
}

/** The cells of the style follow. Built-in styles stay as they are: the workbench plays no change of them. */
function changeStyle(name: string, part: Partial<CustomStyle>, model: Model): void {
  const own = customStyles(model);
  const before = own.get()[name];
  if (!before) {
    found(styleNamed(name, model));
    throw notModelled(`a change of the built-in style ${name}`);
  }
  own.set({ ...own.get(), [name]: { ...before, ...part } });
  restyle(name, name, model);
}
