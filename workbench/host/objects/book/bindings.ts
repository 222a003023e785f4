import type { Rect } from "../../../spreadsheet";
import { type BindingType, bindingTypes, type KeptBinding } from "../../office-document";
import { HostError } from "../../host-error";
import { found, integer, text, type Family, type Model, type Ref } from "../object-model";
import { rangeOf } from "../range-object";

/** Bindings: cells or a table that the file keeps by an id of the add-in. */
export const bindingFamily: Family<"Workbook" | "BindingCollection" | "Binding"> = {
  Workbook: () => ({ links: { Bindings: () => ({ type: "BindingCollection" }) } }),
  BindingCollection(_self, model) {
    const { bindings } = model.document;
    const ref = (id: string): Ref<"Binding"> => ({ type: "Binding", id });
    return {
      items: () => [...bindings.keys()].map(ref),
      item: (id) => (bindings.has(text(id)) ? ref(text(id)) : null),
      properties: { Count: { get: () => bindings.size } },
      calls: { GetCount: () => bindings.size },
      objects: {
        GetItemAt: (index) => ref(found([...bindings.keys()][integer(index)])),
        Add(range, wanted, wantedId) {
          const id = text(wantedId);
          if (typeof range === "string" && !range.includes("!"))
            throw new HostError("InvalidArgument", "an address without its sheet");
          const { sheetId, rect } = rangeOf(range, model);
          // Microsoft does not say what becomes of a binding whose id is given again: the strict assumption.
          if (bindings.has(id)) throw new HostError("ItemAlreadyExists", `binding ${id}`);
          bindings.set(id, newBinding(sheetId, rect, wanted, model));
          return ref(id);
        },
      },
    };
  },
  Binding({ id }, model) {
    const binding = () => found(model.document.bindings.get(id));
    const mustBe = (type: BindingType) => {
      // "Will throw an error if the binding is not of the correct type" (Binding.getRange, getTable and getText in @types/office-js).
      if (binding().type !== type) throw new HostError("InvalidBinding", `a binding of a ${binding().type}`);
    };
    return {
      id,
      properties: { Id: { get: () => id }, Type: { get: () => binding().type } },
      objects: {
        GetRange() {
          mustBe("Range");
          return { type: "Range", sheetId: binding().sheetId, rect: cellsOfBinding(binding(), model) };
        },
        GetTable() {
          mustBe("Table");
          cellsOfBinding(binding(), model);
          return { type: "Table", tableId: found(binding().tableId) };
        },
      },
      calls: {
        GetText() {
          mustBe("Text");
          const [[cell] = []] = model.spreadsheet.read(binding().sheetId, cellsOfBinding(binding(), model));
          return found(cell).text;
        },
        Delete: () => void model.document.bindings.delete(id),
      },
    };
  },
};

function newBinding(sheetId: string, rect: Rect, wanted: unknown, { spreadsheet }: Model): KeptBinding {
  const type = bindingTypes.find((each) => each === wanted);
  if (type === undefined) throw new HostError("InvalidArgument", `binding type ${String(wanted)}`);
  if (type === "Text" && (rect.rows > 1 || rect.columns > 1))
    throw new HostError("InvalidArgument", "a text of several cells");
  if (type !== "Table") return { type, sheetId, rect };
  // Excel also binds cells with headers that are no table. Microsoft does not say to what that comes here: the strict assumption.
  const table = spreadsheet.tables().find((each) => each.sheetId === sheetId && isSame(each.rect, rect));
  if (!table) throw new HostError("InvalidArgument", "no table stands there");
  return { type, sheetId, rect, tableId: table.id };
}

/** Where the bound cells stand now. Throws InvalidBinding if they are gone. */
export function cellsOfBinding(
  { sheetId, rect, tableId }: KeptBinding,
  { spreadsheet }: Pick<Model, "spreadsheet">,
): Rect {
  const isThere = spreadsheet.sheets().some(({ id }) => id === sheetId);
  const place =
    tableId === undefined ? rect : (spreadsheet.tables().find(({ id }) => id === tableId)?.rect ?? null);
  if (!isThere || place === null) throw new HostError("InvalidBinding", "the bound cells are gone");
  return place;
}

function isSame(one: Rect, other: Rect): boolean {
  return (
    one.row === other.row &&
    one.column === other.column &&
    one.rows === other.rows &&
    one.columns === other.columns
  );
}
