import { HostError } from "../../host-error";
import { found, integer, kept, text, type Family, type Model, type Ref } from "../object-model";

/** "The value is limited to 255 characters outside of Excel on the web" (CustomProperty in @types/office-js); longer ones may crash Excel (OfficeDev/office-js#4378). */
const MOST_CHARACTERS = 255;

const texts = [
  ...["Title", "Subject", "Author", "Keywords", "Comments", "Category", "Manager", "Company"],
] as const;

type Value = string | number | boolean;

/** The title, author and the like of the workbook, and named values of the add-in's own. The workbench shows none of them. */
export const documentPropertyFamily: Family<
  "Workbook" | "DocumentProperties" | "CustomPropertyCollection" | "CustomProperty"
> = {
  Workbook: () => ({ links: { Properties: () => ({ type: "DocumentProperties" }) } }),
  DocumentProperties(_self, model) {
    const property = (name: string) => kept(model, "Workbook", name, { read: anyText, initial: "" });
    return {
      properties: {
        ...Object.fromEntries(texts.map((name) => [name, property(name)])),
        // Nobody has a name here.
        LastAuthor: { get: () => "" },
        RevisionNumber: kept(model, "Workbook", "RevisionNumber", { read: integer, initial: 0 }),
        CreationDate: { get: () => model.document.createdAt },
      },
      links: { Custom: () => ({ type: "CustomPropertyCollection" }) },
    };
  },
  CustomPropertyCollection(_self, model) {
    const own = propertiesOf(model);
    const ref = (key: string): Ref<"CustomProperty"> => ({ type: "CustomProperty", key });
    const keyOf = (wanted: unknown) =>
      Object.keys(own.get()).find((key) => key.toLowerCase() === text(wanted).toLowerCase());
    return {
      items: () => Object.keys(own.get()).map(ref),
      item(wanted) {
        const key = keyOf(wanted);
        return key === undefined ? null : ref(key);
      },
      objects: {
        // "Creates a new or sets an existing custom property", whose key is case-insensitive (types).
        Add(wanted, value) {
          const key = keyOf(wanted) ?? short(text(wanted));
          own.set({ ...own.get(), [key]: valueOf(value) });
          return ref(key);
        },
      },
      calls: { GetCount: () => Object.keys(own.get()).length, DeleteAll: () => own.set({}) },
    };
  },
  CustomProperty({ key }, model) {
    const own = propertiesOf(model);
    return {
      id: key,
      properties: {
        Key: { get: () => key },
        Value: {
          get: () => found(own.get()[key]),
          set: (value) => own.set({ ...own.get(), [key]: valueOf(value) }),
        },
        // `Excel.DocumentPropertyType`.
        Type: { get: () => typeName(found(own.get()[key])) },
      },
      calls: {
        Delete() {
          const { [key]: _, ...others } = own.get();
          own.set(others);
        },
      },
    };
  },
};

function propertiesOf(model: Pick<Model, "document">) {
  return kept<Readonly<Record<string, Value>>>(model, "Workbook", "custom properties", {
    read: (value) => value as Record<string, Value>,
    initial: {},
  });
}

function typeName(value: Value): string {
  if (typeof value === "boolean") return "Boolean";
  if (typeof value === "string") return "String";
  return Number.isInteger(value) ? "Number" : "Float";
}

function valueOf(value: unknown): Value {
  if (typeof value === "string") return short(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw new HostError("InvalidArgument", "text, a number or true or false expected");
}

function anyText(value: unknown): string {
  if (typeof value !== "string") throw new HostError("InvalidArgument", "text expected");
  return short(value);
}

function short(value: string): string {
  if (value.length > MOST_CHARACTERS)
    throw new HostError("InvalidArgument", `a text of ${value.length} characters`);
  return value;
}
