import type { Nullable } from "@univerjs/core";
import {
  ArrayValueObject,
  type BaseReferenceObject,
  type BaseValueObject,
  BooleanValueObject,
  ErrorType,
  ErrorValueObject,
  NumberValueObject,
  StringValueObject,
} from "@univerjs/engine-formula";
import { errorTexts } from "../../spreadsheet";
import type {
  BoundArgument,
  CellValue,
  FunctionArgument,
  FunctionCall,
  FunctionDefinition,
  FunctionParameter,
  FunctionResult,
  FunctionScalar,
} from "../../spreadsheet";
import type { Attachment } from "../cells";

/** An argument as Univer hands it to a function: a value, an array or a reference. */
export type FunctionVariant = BaseValueObject | BaseReferenceObject;

type Argument = FunctionCall["args"][number];

/** A blank cell arrives as zero, alone or in a range, as in Excel (OfficeDev/office-js#5262; but see #4702). */
const BLANK = 0;

/**
 * Gives each parameter what Excel gives it: null for an omitted argument, a scalar for a one-cell reference, rows
 * for a matrix, errors as their text, a data type as a whole where the function uses them. A value of another type than is declared is
 * #VALUE!: Excel converts some, and Microsoft does not document which. A range for a scalar
 * parameter lifts the function over it. A repeating parameter gets what is left in one array, and null where that is nothing. The
 * result has one list of arguments for each cell of the formula's result; or it is the error that the formula shows.
 */
export function bindArguments(
  { parameters, usesDataTypes }: Pick<FunctionDefinition, "parameters" | "usesDataTypes">,
  variants: FunctionVariant[],
): Argument[][][] | { error: string } {
  const given = eachArgument(parameters, variants).map(({ parameter, variant }) => ({
    parameter,
    rows:
      toRows(variant, usesDataTypes)?.map((line) => line.map((value) => ofType(parameter, value))) ?? null,
  }));
  if (variants.length > given.length) return { error: ErrorType.VALUE };
  const isOmittable = ({ optional, repeating }: FunctionParameter) => optional || repeating === true;
  if (given.some(({ parameter, rows }) => !rows && !isOmittable(parameter)))
    return { error: ErrorType.VALUE };
  const lifting = given.filter(({ parameter }) => parameter.dimensionality === "scalar");
  const height = Math.max(1, ...lifting.map(({ rows }) => rows?.length ?? 1));
  const width = Math.max(1, ...lifting.map(({ rows }) => rows?.[0]?.length ?? 1));
  const single = parameters.filter(({ repeating }) => repeating !== true).length;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x): Argument[] => {
      const bound = given.map(({ parameter, rows }): BoundArgument => {
        if (!rows || parameter.dimensionality === "matrix") return rows;
        return rows[rows.length === 1 ? 0 : y]?.[rows[0]!.length === 1 ? 0 : x] ?? ErrorType.NA;
      });
      if (single === parameters.length) return bound;
      return [...bound.slice(0, single), bound.length > single ? bound.slice(single) : null];
    }),
  );
}

/** The value, or #VALUE! if the parameter takes another type. A blank cell is none of another type. */
function ofType({ type = "any" }: FunctionParameter, value: FunctionArgument): FunctionArgument {
  const isError = typeof value === "string" && errorTexts.has(value);
  return isError || value === BLANK || type === "any" || typeof value === type ? value : ErrorType.VALUE;
}

/** Each parameter with its argument; the last one as often as it is repeated. */
export function eachArgument(
  parameters: readonly FunctionParameter[],
  variants: readonly FunctionVariant[],
): { parameter: FunctionParameter; variant: FunctionVariant | undefined }[] {
  return parameters.flatMap((parameter, index) =>
    parameter.repeating === true
      ? variants.slice(index).map((variant) => ({ parameter, variant }))
      : { parameter, variant: variants[index] },
  );
}

/** Null when the argument is omitted. */
function toRows(variant: FunctionVariant | undefined, usesDataTypes: boolean): FunctionArgument[][] | null {
  if (!variant) return null;
  const fromArray = (array: ArrayValueObject) =>
    array.getArrayValue().map((row) => row.map((value) => fromValueObject(value, usesDataTypes)));
  if (variant.isReferenceObject()) return fromArray((variant as BaseReferenceObject).toArrayValueObject());
  const value = variant as BaseValueObject;
  if (value.isArray()) return fromArray(value as ArrayValueObject);
  return value.isNull() ? null : [[fromValueObject(value, usesDataTypes)]];
}

function fromValueObject(value: Nullable<BaseValueObject>, usesDataTypes: boolean): FunctionArgument {
  if (!value || value.isNull()) return BLANK;
  const { dataType } = (value.getCustomData() ?? {}) as Attachment;
  return usesDataTypes && dataType ? dataType : (value.getValue() as CellValue);
}

/** A function's result for Univer: rows spill, null counts as zero as in Excel. */
export function toValueObject(result: FunctionResult): BaseValueObject {
  if (!Array.isArray(result)) return scalarObject(result);
  const columnCount = result[0]!.length;
  if (result.length === 1 && columnCount === 1) return scalarObject(result[0]![0]!);
  return ArrayValueObject.create({
    calculateValueList: result.map((row) => row.map(scalarObject)),
    rowCount: result.length,
    columnCount,
    unitId: "",
    sheetId: "",
    row: -1,
    column: -1,
  });
}

function scalarObject(scalar: FunctionScalar): BaseValueObject {
  if (scalar === null) return NumberValueObject.create(0);
  if (typeof scalar !== "object") return valueObject(scalar);
  if (!("error" in scalar)) return attach(scalar.value, { dataType: scalar });
  const { error, message } = scalar;
  return message ? attach(error, { message }) : errorObject(error);
}

/**
 * A value with what belongs to it, which Univer takes along into the cell, through formulas that hand it on. It is
 * a new one each time: Univer keeps its own and hands them out again.
 */
export function attach(value: CellValue, attachment: Attachment): BaseValueObject {
  const isError = typeof value === "string" && errorTexts.has(value);
  const object = isError ? new ErrorValueObject(value as ErrorType) : valueObject(value);
  return object.withCustomData({ ...attachment });
}

function valueObject(value: CellValue): BaseValueObject {
  if (typeof value === "string") return new StringValueObject(value);
  if (typeof value === "boolean") return new BooleanValueObject(value);
  return Number.isFinite(value) ? new NumberValueObject(value) : new ErrorValueObject(ErrorType.NUM);
}

export function errorObject(error: string): BaseValueObject {
  return ErrorValueObject.create(error as ErrorType);
}
