import { HostError } from "../../host-error";
import { found, text, type Family, type Model, type Ref } from "../object-model";

/** Settings of the add-in and properties of sheets: named values that the file keeps. */
export const settingFamily: Family<
  | "Workbook"
  | "Worksheet"
  | "SettingCollection"
  | "Setting"
  | "WorksheetCustomPropertyCollection"
  | "WorksheetCustomProperty"
> = {
  Workbook: () => ({ links: { Settings: () => ({ type: "SettingCollection" }) } }),
  SettingCollection(_self, model) {
    const { settings } = model.document;
    const ref = (key: string): Ref<"Setting"> => ({ type: "Setting", key });
    return {
      items: () => [...settings.keys()].map(ref),
      item: (key) => (settings.has(text(key)) ? ref(text(key)) : null),
      objects: {
        // "Sets or adds the specified setting to the workbook" (SettingCollection.add in @types/office-js).
        Add(key, value) {
          settings.set(text(key), JSON.stringify(value ?? null));
          return ref(text(key));
        },
      },
      calls: { GetCount: () => settings.size },
    };
  },
  Setting: ({ key }, model) => ({
    id: key,
    properties: {
      Key: { get: () => key },
      Value: {
        get: () => JSON.parse(found(model.document.settings.get(key))),
        set(value) {
          found(model.document.settings.get(key));
          model.document.settings.set(key, JSON.stringify(value ?? null));
        },
      },
    },
    calls: {
      Delete() {
        model.document.settings.delete(key);
      },
    },
  }),

  Worksheet: ({ sheetId }) => ({
    links: { CustomProperties: () => ({ type: "WorksheetCustomPropertyCollection", sheetId }) },
  }),
  WorksheetCustomPropertyCollection({ sheetId }, model) {
    const properties = propertiesOf(sheetId, model);
    const ref = (key: string): Ref<"WorksheetCustomProperty"> => ({
      type: "WorksheetCustomProperty",
      ...{ sheetId, key },
    });
    const keyOf = (wanted: unknown) =>
      Object.keys(properties.all()).find((key) => key.toLowerCase() === text(wanted).toLowerCase());
    return {
      items: () => Object.keys(properties.all()).map(ref),
      item(wanted) {
        const key = keyOf(wanted);
        return key === undefined ? null : ref(key);
      },
      objects: {
        // "The key is limited to 255 characters … case-insensitive" (WorksheetCustomPropertyCollection.add in @types/office-js).
        Add(wanted, value) {
          if (text(wanted).length > 255)
            throw new HostError("InvalidArgument", "a key of more than 255 characters");
          const key = keyOf(wanted) ?? text(wanted);
          properties.put({ ...properties.all(), [key]: anyText(value) });
          return ref(key);
        },
      },
      calls: { GetCount: () => Object.keys(properties.all()).length },
    };
  },
  WorksheetCustomProperty({ sheetId, key }, model) {
    const properties = propertiesOf(sheetId, model);
    return {
      id: key,
      properties: {
        Key: { get: () => key },
        Value: {
          get: () => found(properties.all()[key]),
          set: (value) => properties.put({ ...properties.all(), [key]: anyText(value) }),
        },
      },
      calls: {
        Delete() {
          const { [key]: _, ...others } = properties.all();
          properties.put(others);
        },
      },
    };
  },
};

function propertiesOf(sheetId: string, { document }: Model) {
  const name = `${sheetId} CustomProperties`;
  return {
    all: () => (document.facts.get(name) ?? {}) as Record<string, string>,
    put: (all: Record<string, string>) => void document.facts.set(name, all),
  };
}

function anyText(value: unknown): string {
  if (typeof value !== "string") throw new HostError("InvalidArgument", "text expected");
  return value;
}
