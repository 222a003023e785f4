import { Failure } from "../errors";
import * as z from "../zod";

/**
 * A data type among the arguments, as Excel passes it if functions.json allows data types; only the parts that a formula can calculate with
 * or read. An entity's text goes before its `basicValue`, which is "#VALUE!".
 */
const dataType = z.object({
  type: z.string(),
  text: z.optional(z.string()),
  basicValue: z.optional(z.union([z.string(), z.number(), z.boolean()])),
});

/**
 * Replaces data types among the arguments by plain values: a number, text or boolean by its own value, an entity by its text.
 * @throws CustomFunctions.Error, or Failure `invalid-argument`, if an argument is an error.
 */
export function plainArguments<Args extends object>(args: Args): Args {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plain(value)])) as Args;
}

function plain(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(plain);
  if (typeof argument !== "object" || argument === null) return argument;
  const { success, data } = dataType.safeParse(argument);
  if (!success)
    throw new Failure("invalid-argument", { detail: "An argument is of a kind that can't be read." });
  if (data.type === "Error") throw errorArgument(String(data.basicValue));
  return data.text ?? data.basicValue ?? "";
}

function errorArgument(shown: string): Failure | CustomFunctions.Error {
  const { notAvailable, invalidValue, divisionByZero, invalidNumber, nullReference } =
    CustomFunctions.ErrorCode;
  // Custom functions can't give other errors: these become #VALUE! on their way (custom-functions-errors.md), so the sentence names them.
  const codes: Record<string, CustomFunctions.ErrorCode> = {
    "#N/A": notAvailable,
    "#VALUE!": invalidValue,
    "#DIV/0!": divisionByZero,
    "#NUM!": invalidNumber,
    "#NULL!": nullReference,
  };
  const code = codes[shown];
  return code === undefined
    ? new Failure("invalid-argument", { detail: `An argument shows ${shown} itself.` })
    : new CustomFunctions.Error(code);
}
