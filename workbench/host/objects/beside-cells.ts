import { found, type Classes, type Model, type Ref } from "./object-model";

/** What a workbook holds besides its cells: names, settings; comments and properties, of which it never has any here. */
export const besideCellsClasses: Classes<
  | "NamedItemCollection"
  | "NamedItem"
  | "CommentCollection"
  | "DocumentProperties"
  | "CustomPropertyCollection"
  | "SettingCollection"
  | "Setting"
> = {
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

  CommentCollection: () => ({ items: () => [] }),

  DocumentProperties: () => ({
    properties: Object.fromEntries(
      ["Title", "Subject", "Author", "Keywords", "Comments", "Category", "Manager", "Company"].map((name) => [
        name,
        { get: () => "" },
      ]),
    ),
    links: { Custom: () => ({ type: "CustomPropertyCollection" }) },
  }),

  CustomPropertyCollection: () => ({ items: () => [] }),

  SettingCollection(_self, { document: { settings } }) {
    const items = () => [...settings.keys()].map((key): Ref<"Setting"> => ({ type: "Setting", key }));
    return { items, item: (wanted) => items().find(({ key }) => key === wanted) ?? null };
  },

  Setting: ({ key }, { document: { settings } }) => ({
    id: key,
    properties: {
      Key: { get: () => key },
      Value: { get: () => JSON.parse(found(settings.get(key))) as unknown },
    },
  }),
};

function named({ name, sheetId }: Ref<"NamedItem">, { spreadsheet }: Model) {
  return found(spreadsheet.names().find((each) => each.name === name && each.sheetId === sheetId));
}
