import { formatAddress, parseAddress } from "../../address";
import { HostError, notModelled } from "../host-error";
import { found, text, type Classes, type Model, type Ref } from "./object-model";
import { cellsOfName, findSheet, rangeOf } from "./range-object";

/** The defined names of a workbook and of its sheets. */
export const namedItemClasses: Classes<"NamedItemCollection" | "NamedItem"> = {
  NamedItemCollection({ sheetId = null }, model) {
    const { spreadsheet } = model;
    const items = () =>
      spreadsheet
        .names()
        .filter((name) => name.sheetId === sheetId)
        .map(({ name }): Ref<"NamedItem"> => ({ type: "NamedItem", name, sheetId }));
    const item = (key: unknown) => {
      const wanted = text(key).toLowerCase();
      return items().find(({ name }) => name.toLowerCase() === wanted) ?? null;
    };
    return {
      items,
      item,
      calls: { GetCount: () => items().length },
      objects: {
        Add(wanted, reference, comment) {
          const name = text(wanted);
          if (!isName(name)) throw new HostError("InvalidArgument", `name ${name}`);
          if (item(name)) throw new HostError("ItemAlreadyExists", `name ${name}`);
          if (typeof reference === "string" && !reference.startsWith("="))
            throw notModelled("NamedItemCollection.Add of a constant");
          if (typeof reference === "string" && reference.length > mostCharacters)
            throw new HostError("InvalidArgument", `a formula of ${reference.length} characters`);
          const formula =
            typeof reference === "string" ? kept(reference, model) : `=${absolute(reference, model)}`;
          spreadsheet.addName({
            ...{ name, formula, sheetId },
            comment: typeof comment === "string" ? comment : "",
          });
          return { type: "NamedItem", name, sheetId };
        },
      },
    };
  },

  NamedItem(self, model) {
    const defined = () => named(self, model);
    const range = (): Ref<"Range"> | null => {
      const place = cellsOfName(defined());
      const sheet = place?.sheetName === undefined ? null : findSheet(model, place.sheetName);
      return place && sheet && { type: "Range", sheetId: sheet.id, rect: place.rect };
    };
    return {
      id: self.name,
      properties: {
        Name: { get: () => self.name },
        Formula: {
          get: () => defined().formula,
          // "Formulas always start with an equal sign" (NamedItem.formula in @types/office-js).
          set(wanted) {
            if (!text(wanted).startsWith("="))
              throw new HostError("InvalidArgument", `formula ${text(wanted)}`);
            const before = defined();
            const formula = kept(text(wanted), model);
            model.spreadsheet.deleteName(before);
            model.spreadsheet.addName({ ...before, formula });
          },
        },
        Comment: { get: () => defined().comment },
        Visible: {
          get: () => defined().isHidden !== true,
          set(visible) {
            const before = defined();
            model.spreadsheet.deleteName(before);
            model.spreadsheet.addName({ ...before, isHidden: visible !== true });
          },
        },
        Scope: { get: () => (self.sheetId === null ? "Workbook" : "Worksheet") },
        // "String" and the text itself for a text (Excel.NamedItemType in @types/office-js).
        Type: {
          get: () => (textOf(defined().formula) === null ? (range() ? "Range" : unknownKind()) : "String"),
        },
        Value: {
          get: () => textOf(defined().formula) ?? (range() ? defined().formula.slice(1) : unknownKind()),
        },
      },
      objects: {
        GetRange: () => found(range()),
        GetRangeOrNullObject: range,
      },
      calls: { Delete: () => model.spreadsheet.deleteName(defined()) },
    };
  },
};

/** "Length of formula contents" (Excel specifications and limits). */
const mostCharacters = 8_192;

/** The most characters of a text in a formula (Excel specifications and limits). */
const mostOfText = 255;

/** The text of a name that stands for a text, such as `="On hold"`; null if it stands for something else. */
function textOf(formula: string): string | null {
  const [, quoted] = /^="((?:[^"]|"")*)"$/.exec(formula) ?? [];
  return quoted?.replaceAll('""', '"') ?? null;
}

/** The formula that Excel keeps for a name: of a text, or of areas of cells. */
function kept(formula: string, model: Model): string {
  const constant = textOf(formula);
  if (constant === null) return rangeFormula(formula, model);
  if (constant.length > mostOfText)
    throw new HostError("InvalidArgument", `a text of ${constant.length} characters in a formula`);
  return formula;
}

/** The formula of a name for areas of cells. */
function rangeFormula(reference: string, model: Model): string {
  return `=${areasOf(reference.slice(1))
    .map((area) => absolute(area, model))
    .join(",")}`;
}

/** The areas of a union, such as `Fees!A1,'Us, too'!B2:C3`. */
function areasOf(union: string): string[] {
  return union.match(/(?:'(?:[^']|'')*'|[^',])+/g) ?? [];
}

/** The area as Excel keeps it in a name: with its sheet and as an absolute reference. */
function absolute(place: unknown, model: Model): string {
  const { sheetId, rect } = rangeOf(place, model);
  const address = formatAddress(found(findSheet(model, sheetId)).name, rect);
  const cells = address.slice(address.lastIndexOf("!") + 1);
  return address.slice(0, -cells.length) + cells.replaceAll(/[A-Z]+|\d+/g, (part) => `$${part}`);
}

/** As Excel takes them: no cell, no spaces, 255 characters. */
export function isName(name: string): boolean {
  return /^[\p{L}_\\][\p{L}\p{N}_.\\]{0,254}$/u.test(name) && !parseAddress(name) && !/^[rc]$/i.test(name);
}

/** Names of constants and formulas are told by their formula alone. */
function unknownKind(): never {
  throw notModelled("the value of a NamedItem that is no range");
}

function named({ name, sheetId }: Ref<"NamedItem">, { spreadsheet }: Model) {
  return found(spreadsheet.names().find((each) => each.name === name && each.sheetId === sheetId));
}
