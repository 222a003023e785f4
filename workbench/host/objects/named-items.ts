import { found, type Classes, type Model, type Ref } from "./object-model";

/** The defined names of a workbook and of its sheets. */
export const namedItemClasses: Classes<"NamedItemCollection" | "NamedItem"> = {
  NamedItemCollection({ sheetId = null }, model) {
    const items = () =>
      model.spreadsheet
        .names()
        .filter((name) => name.sheetId === sheetId)
        .map(({ name }): Ref<"NamedItem"> => ({ type: "NamedItem", name, sheetId }));
    return { items, item: (key) => items().find(({ name }) => name === key) ?? null };
  },

  NamedItem: (self, model) => ({
    id: self.name,
    properties: {
      Name: { get: () => self.name },
      Formula: { get: () => named(self, model).formula },
      Comment: { get: () => named(self, model).comment },
    },
  }),
};

function named({ name, sheetId }: Ref<"NamedItem">, { spreadsheet }: Model) {
  return found(spreadsheet.names().find((each) => each.name === name && each.sheetId === sheetId));
}
