import { runningApp } from "../app";
import { asFailure, Failure, failureKinds } from "../errors";
import { geoidOfCell } from "../lookup/geoid";
import { formulaValue } from "../sheet/cell-value";

/**
 * The effective answer of one jurisdiction to one regulatory question.
 * @customfunction VALUE
 * @param geoid The jurisdiction's Census geoID, such as "06001". A number gets its lost zero back.
 * @param typeId The data point type's id, such as 1003. The RegData pane lists them.
 * @param invocation Lets Excel cancel the call.
 * @cancelable
 * @returns A number or TRUE or FALSE where the answer is certainly one, else the text as published.
 */
export async function value(
  geoid: any,
  typeId: any,
  invocation: CustomFunctions.CancelableInvocation,
): Promise<any> {
  if (isBlank(geoid) || isBlank(typeId)) return "";
  const stop = new AbortController();
  invocation.onCanceled = () => stop.abort();
  try {
    const question = parseQuestion(geoid, typeId);
    const { cell, type } = await runningApp().value(question.geoid, question.typeId, { signal: stop.signal });
    return formulaValue(cell.value ?? "", type.unit_of_measure);
  } catch (thrown) {
    throw excelError(asFailure(thrown, "unexpected-answer"));
  }
}

/** A blank cell arrives as 0, null or an empty text, depending on the platform. */
function isBlank(argument: unknown): boolean {
  return argument === null || argument === undefined || argument === "" || argument === 0;
}

function parseQuestion(geoid: unknown, typeId: unknown): { geoid: string; typeId: number } {
  const parsedGeoid = geoidOfCell(geoid);
  const parsedTypeId = Number(typeId);
  if (parsedGeoid === null) {
    throw new Failure("invalid-argument", { detail: "The first argument is not a geoID." });
  }
  if (typeof typeId === "boolean" || !Number.isSafeInteger(parsedTypeId) || parsedTypeId <= 0) {
    throw new Failure("invalid-argument", { detail: "The second argument is not a type id." });
  }
  return { geoid: parsedGeoid, typeId: parsedTypeId };
}

function excelError(failure: Failure): CustomFunctions.Error {
  const { ErrorCode } = CustomFunctions;
  const codes = { "#N/A": ErrorCode.notAvailable, "#VALUE!": ErrorCode.invalidValue } as const;
  return new CustomFunctions.Error(codes[failureKinds[failure.kind].excelError], failure.message);
}
