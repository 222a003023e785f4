import { type App, runningApp, type Session } from "../app";
import { config } from "../config";
import { asFailure, Failure, failureKinds } from "../errors";
import type { Found, Wants } from "../lookup/lookup";
import type { Scalar } from "../sheet/cell-value";
import type { ExchangeOptions } from "../transport/transport";

/** What a cell of a result shows: a value, an Excel data type, or why there is none. */
export type Outcome = Scalar | Excel.CellValue | Failure;

/** One call of a formula. */
export interface Call {
  app: Pick<App, "preferences" | "answerAgeMs" | "hasExcelApi">;
  /**
   * What jurisdictions answer; a Failure that all of it met is the answer to each. `wants` is called when connection,
   * preferences and host are known.
   */
  ask(wants: () => Wants): Promise<Found>;
  /** Reads from lists. */
  read<Result>(work: (session: Session, options: ExchangeOptions) => Promise<Result>): Promise<Result>;
}

/** Newer hosts say that the user is still typing and wants to see what would come. */
type Invocation = CustomFunctions.CancelableInvocation & { isInValuePreview?: boolean };

/**
 * Answers a call of Excel's: rows for a range, else a single value. It ends when Excel cancels it; in a preview it
 * sends nothing. Rejects with Excel's error where there is no answer at all.
 */
export async function answer(
  invocation: CustomFunctions.CancelableInvocation,
  work: (call: Call) => Promise<Outcome[][]>,
): Promise<any> {
  const stop = new AbortController();
  const { signal } = stop;
  invocation.onCanceled = () => stop.abort();
  const keptOnly = (invocation as Invocation).isInValuePreview === true;
  try {
    const app = runningApp();
    const call: Call = {
      app,
      ask: (wants) => app.ask(wants, { signal, keptOnly }),
      read: (readLists) =>
        app.answer((session) => {
          const giveUpAtMs = Date.now() + config.cellPatienceMs;
          return readLists(session, { signal, keptOnly, urgent: true, giveUpAtMs });
        }, signal),
    };
    return toExcel(await work(call));
  } catch (thrown) {
    throw excelError(asFailure(thrown, "unexpected-answer"));
  }
}

/** @throws Failure where a single cell has one. */
function toExcel(rows: Outcome[][]): unknown {
  const [[only] = []] = rows;
  if (rows.length === 1 && rows[0]?.length === 1 && only !== undefined) {
    if (only instanceof Failure) throw only;
    return only;
  }
  // Thousands of cells may share a failure.
  const errors = new Map<Failure, CustomFunctions.Error>();
  const errorOf = (failure: Failure) => {
    const error = errors.get(failure) ?? excelError(failure);
    errors.set(failure, error);
    return error;
  };
  return rows.map((row) => row.map((cell) => (cell instanceof Failure ? errorOf(cell) : cell)));
}

function excelError(failure: Failure): CustomFunctions.Error {
  const { ErrorCode } = CustomFunctions;
  const codes = { "#N/A": ErrorCode.notAvailable, "#VALUE!": ErrorCode.invalidValue } as const;
  return new CustomFunctions.Error(codes[failureKinds[failure.kind].excelError], failure.message);
}

/** @throws Failure `too-large` where a sheet could not hold the result, or it has more cells than a formula may give. */
export function checkSize(rows: number, columns: number): void {
  if (columns > config.sheetColumns || rows * columns > config.formulaCells) throw new Failure("too-large");
}
