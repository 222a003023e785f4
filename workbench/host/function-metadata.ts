import * as z from "zod/mini";
import type { FunctionDefinition } from "../spreadsheet";

const dimensionality = z._default(z.enum(["scalar", "matrix"]), "scalar");
const parameter = z.object({
  name: z.string(),
  description: z._default(z.string(), ""),
  optional: z._default(z.boolean(), false),
  repeating: z._default(z.boolean(), false),
  dimensionality,
  cellValueType: z.optional(z.string()),
  type: z._default(z.enum(["any", "boolean", "number", "string"]), "any"),
  customEnumId: z.optional(z.string()),
});
const text = z.string().check(z.minLength(1));
/** The name and tooltip of each value of an enum (custom-functions-json.md, "Edit custom enums in JSON metadata"). */
const enumValue = { name: text, tooltip: z.optional(z.string()) };
const customEnum = z.discriminatedUnion("type", [
  z.object({
    ...{ id: text, type: z.literal("string") },
    values: z.array(z.strictObject({ ...enumValue, stringValue: z.string() })),
  }),
  z.object({
    ...{ id: text, type: z.literal("number") },
    values: z.array(z.strictObject({ ...enumValue, numberValue: z.number() })),
  }),
]);
const metadata = z.object({
  allowErrorForDataTypeAny: z._default(z.boolean(), false),
  allowCustomDataForDataTypeAny: z._default(z.boolean(), false),
  functions: z.array(z.looseObject({ id: z.string() })),
  enums: z._default(z.array(customEnum), []),
});
// A name has at least three characters, the first a letter (custom-functions-naming.md, unified-manifest-overview.md).
const functionName = z
  .string()
  .check(
    z.regex(
      /^[\p{L}][\p{L}\p{N}_.]{2,}$/u,
      "is not a letter followed by two or more letters, digits, dots or underscores",
    ),
  );
const functionMetadata = z.object({
  id: functionName,
  /** A function without a name is called by its id. */
  name: z.optional(functionName),
  description: z._default(z.string(), ""),
  result: z._default(z.object({ dimensionality }), { dimensionality: "scalar" }),
  parameters: z._default(z.array(parameter), []),
  options: z._default(z.record(z.string(), z.unknown()), {}),
});
type FunctionMetadata = z.infer<typeof functionMetadata>;

/** A function of functions.json, with the options of its calls and results. */
export interface CustomFunction extends FunctionDefinition {
  /** The add-in learns when a call is no longer wanted. */
  cancelable: boolean;
  /** The result is declared as rows of values; otherwise it is one value. */
  returnsMatrix: boolean;
}

const unsupportedOptions = ["capturesCallingObject", "linkedEntityLoadService"];
/** `supportSync` needs `RequestContext.setInvocation` of the preview's office.js, which npm's lacks; what it sends is not documented. */
const SYNC = "supportSync, a preview that npm's office.js lacks";

/**
 * Declarations that Excel's documentation forbids (custom-functions-json.md; for repeating parameters
 * custom-functions-parameter-options.md).
 */
const forbidden: [why: string, applies: (declared: FunctionMetadata) => boolean][] = [
  [
    "uses both stream and cancelable",
    ({ options: { stream, cancelable } }) => isOn(stream) && isOn(cancelable),
  ],
  [
    "uses both stream and requiresAddress; a stream has requiresStreamAddress",
    ({ options: { stream, requiresAddress } }) => isOn(stream) && isOn(requiresAddress),
  ],
  [
    "uses requiresStreamAddress or requiresStreamParameterAddresses without stream",
    ({ options }) =>
      !isOn(options.stream) &&
      (isOn(options.requiresStreamAddress) || isOn(options.requiresStreamParameterAddresses)),
  ],
  [
    "uses requiresParameterAddresses without a result that is a matrix",
    ({ options, result }) => isOn(options.requiresParameterAddresses) && result.dimensionality !== "matrix",
  ],
  [
    "has a repeating parameter before another one",
    ({ parameters }) => parameters.slice(0, -1).some(({ repeating }) => repeating),
  ],
  [
    'has a cellValueType at a parameter whose type is not "any"',
    ({ parameters }) =>
      parameters.some(({ cellValueType, type }) => cellValueType !== undefined && type !== "any"),
  ],
];

const isOn = (option: unknown) => option === true;

/**
 * Reads functions.json. A function that Excel refuses, or that the workbench does not support, is left out, so that its cells show
 * #NAME?, and `report` gets a sentence that names it. Throws an Error with a sentence if the whole file can't be read.
 */
export function readFunctions(
  json: unknown,
  namespace: string,
  report: (problem: string) => void,
): CustomFunction[] {
  const parsed = metadata.safeParse(json);
  if (!parsed.success) throw new Error(`functions.json: ${firstIssue(parsed.error)}.`);
  const { functions, enums, allowErrorForDataTypeAny, allowCustomDataForDataTypeAny } = parsed.data;
  // Ids of enums are not case-sensitive (custom-functions-json.md). Their values are not shown, because the workbench suggests none.
  const enumIds = new Set(enums.map(({ id }) => id.toLowerCase()));
  if (enumIds.size < enums.length) throw new Error("Two enums of functions.json have the same id.");
  if (allowErrorForDataTypeAny) report("The workbench does not support allowErrorForDataTypeAny.");

  const taken = new Set<string>();
  return functions.flatMap((entry): CustomFunction[] => {
    const declared = functionMetadata.safeParse(entry);
    if (!declared.success) {
      report(`${namespace}.${entry.id} is refused: its ${firstIssue(declared.error)}.`);
      return [];
    }
    const { id, name: ownName = id, description, parameters, result, options } = declared.data;
    const name = `${namespace}.${ownName}`;
    const why = forbidden.find(([, applies]) => applies(declared.data))?.[0];
    const isTwin = taken.has(id.toUpperCase()) || taken.has(name.toUpperCase());
    for (const each of [id, name]) taken.add(each.toUpperCase());
    if (why !== undefined || isTwin) {
      report(`${name} is refused, as in Excel: it ${why ?? "has the id or the name of another function"}.`);
      return [];
    }
    const unsupported = unsupportedOptions.filter((option) => isOn(options[option]));
    // "Volatile or streaming support takes precedence", and Excel ignores the other (custom-functions-synchronous.md).
    if (isOn(options.supportSync) && !isOn(options.stream) && !isOn(options.volatile)) unsupported.push(SYNC);
    // Microsoft does not document how a number or a blank arrives as an argument that has an enum of texts.
    if (parameters.some(({ type, customEnumId }) => customEnumId !== undefined && type !== "any"))
      unsupported.push('enums of parameters of another type than "any"');
    const withLostEnum = parameters.find(
      ({ customEnumId }) => customEnumId !== undefined && !enumIds.has(customEnumId.toLowerCase()),
    );
    if (withLostEnum)
      throw new Error(`${name} names the enum ${withLostEnum.customEnumId}, which functions.json lacks.`);
    if (unsupported.length > 0) {
      report(`${name} is left out: the workbench does not support ${unsupported.join(", ")}.`);
      return [];
    }
    const isStreaming = isOn(options.stream);
    return [
      {
        ...{ id, name, description },
        parameters: parameters.map(({ cellValueType: _, customEnumId: __, type, ...rest }) => ({
          ...rest,
          ...(type !== "any" && { type }),
        })),
        cancelable: isOn(options.cancelable),
        returnsMatrix: result.dimensionality === "matrix",
        // custom-functions-json.md: a parameter with `cellValueType` allows data types without the flag.
        usesDataTypes:
          allowCustomDataForDataTypeAny ||
          parameters.some(({ cellValueType }) => cellValueType !== undefined),
        isStreaming,
        // Excel ignores `volatile` for a streaming function (custom-functions-json.md).
        isVolatile: isOn(options.volatile) && !isStreaming,
        needsAddress: isOn(options.requiresAddress) || isOn(options.requiresStreamAddress),
        needsParameterAddresses:
          isOn(options.requiresParameterAddresses) || isOn(options.requiresStreamParameterAddresses),
      },
    ];
  });
}

/** The first issue as a part of a sentence, such as "functions.0.id is not what Excel's documentation says". */
function firstIssue({ issues: [issue] }: z.core.$ZodError): string {
  const hasNoMessage = issue === undefined || issue.message === "Invalid input";
  return `${issue?.path.join(".") ?? ""} ${hasNoMessage ? "is not what Excel's documentation says" : issue.message}`.trim();
}
