import * as z from "zod/mini";
import type { DataType, ShownValue } from "../../spreadsheet";

/** The sets ExcelApi that brought data types, and formats and properties for numbers, texts and truth values. */
const DATA_TYPES_SET = 16;
const BASIC_VALUES_SET = 19;

const metadata = {
  propertyMetadata: z.optional(
    z.object({
      sublabel: z.optional(z.string()),
      excludeFrom: z.optional(z.object({ cardView: z.optional(z.boolean()) })),
    }),
  ),
};
const propertyReference = z.object({ property: z.string() });
const cardLayout = z.object({
  title: z.optional(z.union([z.string(), propertyReference])),
  subTitle: z.optional(propertyReference),
  sections: z.optional(z.array(z.object({ properties: z.array(z.string()) }))),
});
const details = {
  properties: z.optional(z.record(z.string(), z.unknown())),
  layouts: z.optional(z.object({ card: z.optional(cardLayout) })),
  provider: z.optional(z.object({ description: z.optional(z.string()) })),
};
const numberFormat = z.string();

/** Excel's names and shapes (`Excel.EntityCellValue` and its like), as far as they are modeled. */
const cellValue = z.discriminatedUnion("type", [
  z.object({ type: z.literal("Entity"), text: z._default(z.string(), ""), ...details, ...metadata }),
  z.object({ type: z.literal("FormattedNumber"), basicValue: z.number(), numberFormat, ...metadata }),
  z.object({
    type: z.literal("Double"),
    basicValue: z.number(),
    numberFormat: z.optional(numberFormat),
    ...details,
    ...metadata,
  }),
  z.object({ type: z.literal("String"), basicValue: z.string(), ...details, ...metadata }),
  z.object({ type: z.literal("Boolean"), basicValue: z.boolean(), ...details, ...metadata }),
  z.object({ type: z.literal("Empty"), ...metadata }),
  z.object({
    type: z.literal("WebImage"),
    address: z.string(),
    altText: z.optional(z.string()),
    ...metadata,
  }),
  z.object({ type: z.literal("Error"), basicValue: z.string(), ...metadata }),
]);
type CellValueObject = z.infer<typeof cellValue>;

/**
 * Reads an object that a function returned as one of Excel's data types. Throws an Error if it is not a data type, not modeled, or newer
 * than the host's highest ExcelApi. Its message is the end of a sentence that begins with "returned".
 */
export function readDataType(value: unknown, excelApi: string): DataType | null {
  const parsed = parse(value, excelApi);
  if (parsed.type === "Empty") return null;
  const shown = shownValue(parsed);
  const card = readCard(parsed, shown, excelApi);
  return { ...shown, object: value, ...(card && { card }) };
}

function parse(value: unknown, excelApi: string): CellValueObject {
  const { success, data } = cellValue.safeParse(value);
  if (!success) throw new Error(`what is no data type or not modeled here: ${JSON.stringify(value)}`);
  const more = ["numberFormat", "properties", "layouts", "provider"].filter((name) => name in data);
  const isExtended = ["Double", "String", "Boolean"].includes(data.type) && more.length > 0;
  const minor = isExtended ? BASIC_VALUES_SET : DATA_TYPES_SET;
  if (data.type !== "Error" && Number(excelApi.split(".")[1]) < minor) {
    const what = isExtended ? `${data.type} with ${more.join(", ")}` : data.type;
    throw new Error(`the data type ${what}, which needs ExcelApi 1.${minor}; this is ${excelApi}`);
  }
  return data;
}

/** Formulas and `range.values` see this error in place of a data type that can only be shown. */
const NOT_CALCULABLE = "#VALUE!";

function shownValue(parsed: CellValueObject): ShownValue {
  switch (parsed.type) {
    case "Entity":
      return { value: NOT_CALCULABLE, text: parsed.text };
    case "WebImage":
      return { value: NOT_CALCULABLE, text: parsed.altText ?? parsed.address };
    case "Empty":
      return { value: "" };
    case "FormattedNumber":
    case "Double":
      return {
        value: parsed.basicValue,
        ...(parsed.numberFormat !== undefined && { numberFormat: parsed.numberFormat }),
      };
    default:
      return { value: parsed.basicValue };
  }
}

/** Reads a card. It shows the properties that its sections list, or all properties if it has no sections. */
function readCard(parsed: CellValueObject, shown: ShownValue, excelApi: string): DataType["card"] {
  if (!("properties" in parsed) || !parsed.properties) return undefined;
  const properties = new Map(
    Object.entries(parsed.properties).map(([name, value]) => [name, parse(value, excelApi)]),
  );
  const property = (name: string) => {
    const found = properties.get(name);
    if (!found) throw new Error(`a card whose layout names the property ${name}, which is not there`);
    return shownValue(found);
  };
  const { title, subTitle, sections } = parsed.layouts?.card ?? {};
  const names = sections?.flatMap((section) => section.properties) ?? [...properties.keys()];
  const listed = names.filter((name) => !properties.get(name)?.propertyMetadata?.excludeFrom?.cardView);
  const provider = parsed.provider?.description;
  return {
    title: typeof title === "string" ? { value: title } : title ? property(title.property) : shown,
    ...(subTitle && { subtitle: property(subTitle.property) }),
    fields: Object.fromEntries(
      listed.map((name) => {
        const sublabel = properties.get(name)?.propertyMetadata?.sublabel;
        return [name, { ...property(name), ...(sublabel !== undefined && { sublabel }) }];
      }),
    ),
    ...(provider !== undefined && { provider }),
  };
}
