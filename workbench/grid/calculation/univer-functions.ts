import {
  type ArrayValueObject,
  type BaseValueObject,
  ErrorType,
  IDescriptionService,
  IFunctionService,
  StringValueObject,
} from "@univerjs/preset-sheets-core";
import { PENDING } from "../../spreadsheet";
import { attach, errorObject } from "./call-arguments";
import type { Attachment } from "../cells";
import type { Book } from "../univer";

/** To these an error is a value like others. */
const catchErrors: ReadonlySet<string> = new Set([
  ...["IFERROR", "ISERROR", "ISERR", "ISNA", "ISNUMBER", "ISTEXT", "ISBLANK", "ERROR.TYPE"],
  ...["COUNT", "COUNTA"],
]);

/** These give what they are given; all others make something new of it. */
const handOn: ReadonlySet<string> = new Set([
  ...["IF", "IFS", "IFNA", "SWITCH", "CHOOSE", "LET", "LAMBDA", "MAP", "REDUCE", "SCAN", "BYROW", "BYCOL"],
  ...["MAKEARRAY", "INDEX", "OFFSET", "INDIRECT", "LOOKUP", "HLOOKUP", "VLOOKUP", "XLOOKUP", "FILTER"],
  ...["SORT", "SORTBY", "UNIQUE", "TRANSPOSE", "TAKE", "DROP", "EXPAND", "CHOOSECOLS", "CHOOSEROWS"],
  ...["HSTACK", "VSTACK", "TOCOL", "TOROW", "WRAPCOLS", "WRAPROWS", "CUBE", "UNION"],
]);

/**
 * Teaches Univer's functions what custom functions give. As in Excel, one that waits is no error that could be
 * caught: its formula waits as well; an entity is none either, but is one to whoever calculates with it; and the
 * result of a calculation has no card.
 */
export function mendFunctions(book: Book): void {
  for (const [name, executor] of book.injector.get(IFunctionService).getExecutors()) {
    const calculate = executor.calculate.bind(executor);
    if (catchErrors.has(String(name))) {
      executor.calculate = (...values: BaseValueObject[]) => {
        if (values.some((value) => has(value, isPending))) return errorObject(PENDING);
        const result = calculate(...values.map((value) => replace(value, isEntity, withoutError)));
        return replace(result as BaseValueObject, isDisguised, withError);
      };
    } else if (!handOn.has(String(name))) {
      executor.calculate = (...values: BaseValueObject[]) =>
        replace(calculate(...values) as BaseValueObject, isDataType, withoutLooks);
    }
  }
}

/** Univer suggests the first ten functions that begin with what is typed; Excel suggests all. */
export function completeSuggestions(book: Book): void {
  const descriptions = book.injector.get(IDescriptionService);
  const search = descriptions.getSearchListByNameFirstLetter.bind(descriptions);
  descriptions.getSearchListByNameFirstLetter = (text) => {
    const found = search(text);
    return Object.assign([...found], { slice: () => found });
  };
}

const isPending = (value: BaseValueObject) => value.isError() && value.getValue() === PENDING;
const dataTypeOf = (value: BaseValueObject) => (value.getCustomData() as Attachment | undefined)?.dataType;
const isDataType = (value: BaseValueObject) => dataTypeOf(value) !== undefined;
const isEntity = (value: BaseValueObject) => value.isError() && isDataType(value);
const isDisguised = (value: BaseValueObject) =>
  value.isString() && dataTypeOf(value)?.value === ErrorType.VALUE;

const withoutError = (entity: BaseValueObject) =>
  new StringValueObject(ErrorType.VALUE).withCustomData(entity.getCustomData());
const withError = (entity: BaseValueObject) => attach(ErrorType.VALUE, entity.getCustomData() as Attachment);
const withoutLooks = (value: BaseValueObject) => attach(dataTypeOf(value)!.value, {});

function has(value: BaseValueObject, applies: (entry: BaseValueObject) => boolean): boolean {
  if (!value.isValueObject()) return false;
  if (!value.isArray()) return applies(value);
  return value.getArrayValue().some((row) => row?.some((entry) => entry && applies(entry)));
}

function replace(
  value: BaseValueObject,
  applies: (entry: BaseValueObject) => boolean,
  change: (entry: BaseValueObject) => BaseValueObject,
): BaseValueObject {
  if (!value || !has(value, applies)) return value;
  if (!value.isArray()) return change(value);
  return (value as ArrayValueObject).mapValue((entry) => (applies(entry) ? change(entry) : entry));
}
