import { type App, runningApp, type Session } from "../app";
import { Cancel } from "../async/on-abort";
import { config } from "../config";
import { asFailure, excelErrorOf, Failure } from "../errors";
import type { Asker, LookedUp, Wants } from "../engine/lookup/wants";
import { withExample } from "../workbook/formula-text/argument-refusals";
import type { RegisteredFunction } from "../workbook/formula-text/formula-functions";
import { dateSystem } from "../workbook/sheet/values/serial-date";
import type { ExchangeOptions } from "../engine/transport/exchange";
import * as z from "../zod";
import { type AnswerPlan, type Planned, plannedRows, type ResultContent } from "./answer-plan";

/** One call of a formula. */
export interface Call {
  app: Pick<App, "preferences" | "answerAgeMs" | "hasExcelApi" | "hasDataTypes" | "learnDates">;
  /** Reads from lists, such as the catalogue. */
  read<Result>(work: (session: Session, options: ExchangeOptions) => Promise<Result>): Promise<Result>;
}

/** Newer hosts set `isInValuePreview` while the user is still typing and sees a preview of the result. */
type Invocation = CustomFunctions.CancelableInvocation & { isInValuePreview?: boolean };

/** The cells of a result as Excel takes them. */
type Rows = any[][];

/** A formula's work: it reads arguments and plans, or waits for what it needs besides answers. */
type Work<Args extends object> = (call: Call, args: Args) => Planned | Promise<Planned>;

/**
 * Answers a call from Excel with rows of cells, even for a single cell, because functions.json declares each result as a matrix. The call
 * ends when Excel cancels it; in a preview it sends nothing. Rejects with Excel's error if there is no answer at all.
 */
export function answer<Args extends object>(
  invocation: CustomFunctions.CancelableInvocation,
  name: RegisteredFunction,
  args: Args,
  work: Work<Args>,
): Promise<Rows> {
  const cancel = new Cancel();
  const called = calledWith(args, invocation);
  called.invocation.onCanceled = () => cancel.abort();
  const keptOnly = (called.invocation as Invocation).isInValuePreview === true;
  try {
    const running = runningApp();
    // While the user still types, Excel does not answer.
    const app = keptOnly ? { ...running, learnDates: () => Promise.resolve() } : running;
    const given = plainArguments(called.args);
    return Promise.resolve(new CallOfExcel(app, cancel, keptOnly, name, given, work).answer());
  } catch (thrown) {
    return Promise.reject(excelErrorFor(name, thrown));
  }
}

/** A class without async functions on the way of a plan: thousands of calls wait at once, each as data, with these functions for all. */
class CallOfExcel<Args extends object> implements Call {
  private readonly epochSerial = dateSystem.epochSerial;

  constructor(
    readonly app: App,
    readonly signal: Cancel,
    readonly keptOnly: boolean,
    private readonly name: RegisteredFunction,
    private readonly args: Args,
    private readonly work: Work<Args>,
  ) {}

  /** The rows: at once if memory holds all that they need. */
  answer(): Rows | Promise<Rows> {
    const planned = this.work(this, this.args);
    return planned instanceof Promise ? this.answerLater(planned) : this.carryOut(planned);
  }

  read<Result>(work: (session: Session, options: ExchangeOptions) => Promise<Result>): Promise<Result> {
    const { signal, keptOnly } = this;
    return this.app.answer((session) => {
      const giveUpAtMs = Date.now() + config.cellPatienceMs;
      return work(session, { signal: signal.signal, keptOnly, urgent: true, giveUpAtMs });
    }, signal);
  }

  private async answerLater(planned: Promise<Planned>): Promise<Rows> {
    try {
      return await this.carryOut(await planned);
    } catch (thrown) {
      throw excelErrorFor(this.name, thrown);
    }
  }

  private carryOut(planned: Planned): Rows | Promise<Rows> {
    if (planned instanceof Array) return this.shown(planned);
    return this.app.ask(new PlanOfCall(planned, this), this);
  }

  /** Gives Excel the rows of a plan. */
  rowsOf(plan: AnswerPlan, found: LookedUp | Failure): Rows | Promise<Rows> {
    try {
      return this.shown(plan.resultOf(found));
    } catch (thrown) {
      throw excelErrorFor(this.name, thrown);
    }
  }

  private shown(rows: ResultContent[][]): Rows | Promise<Rows> {
    // Only data types hold dates: numbers that count as the workbook does.
    return rows.some((row) => row.some(isDataType)) ? this.shownDated(rows) : toExcel(this.name, rows);
  }

  private async shownDated(rows: ResultContent[][]): Promise<Rows> {
    const { app, signal, keptOnly, name, args, work } = this;
    try {
      const isKnown = await app.learnDates().then(
        () => true,
        () => false,
      );
      if (isKnown && dateSystem.epochSerial === this.epochSerial) return toExcel(name, rows);
      // Without Excel's word, a date is given as the published text.
      const told = isKnown ? app : { ...app, hasDataTypes: () => false };
      const call = new CallOfExcel(told, signal, keptOnly, name, args, work);
      return toExcel(name, await plannedRows(work(call, args), (plan) => app.ask(plan, call)));
    } catch (thrown) {
      throw excelErrorFor(name, thrown);
    }
  }
}

class PlanOfCall implements Asker<Rows> {
  constructor(
    private readonly plan: AnswerPlan,
    private readonly call: Pick<CallOfExcel<never>, "rowsOf">,
  ) {}

  wants(): Wants {
    return this.plan.wants();
  }

  resultOf(found: LookedUp | Failure): Rows | Promise<Rows> {
    return this.call.rowsOf(this.plan, found);
  }
}

/**
 * Finds the invocation among the arguments. Excel keeps functions.json for up to 24 hours (custom-functions-troubleshooting.md), and a file
 * from before the last argument was added puts the invocation in that argument's place.
 */
function calledWith<Args extends object>(
  args: Args,
  invocation: CustomFunctions.CancelableInvocation | undefined,
): { args: Args; invocation: CustomFunctions.CancelableInvocation } {
  if (invocation) return { args, invocation };
  const isInvocation = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && !("type" in value);
  const given = Object.entries(args);
  const found = given.find(([, value]) => isInvocation(value));
  const omitted = given.map(([name, value]) => [name, isInvocation(value) ? null : (value ?? null)]);
  return {
    args: Object.fromEntries(omitted) as Args,
    invocation: (found?.[1] ?? {}) as CustomFunctions.CancelableInvocation,
  };
}

function toExcel(name: RegisteredFunction, rows: ResultContent[][]): Rows {
  return rows.map((row) => row.map((cell) => (cell instanceof Failure ? excelError(name, cell) : cell)));
}

/** The errors that are the same in every function, by their failure: thousands of cells may share one, and each costs a stack trace. */
const sharedErrors = new WeakMap<Failure, CustomFunctions.Error>();

function excelError(name: RegisteredFunction, failure: Failure): CustomFunctions.Error {
  const shared = sharedErrors.get(failure);
  if (shared) return shared;
  const { ErrorCode } = CustomFunctions;
  const codes = { "#N/A": ErrorCode.notAvailable, "#VALUE!": ErrorCode.invalidValue } as const;
  const shown = withExample(failure, name);
  const error = new CustomFunctions.Error(codes[excelErrorOf(failure.kind)], shown.message);
  if (shown === failure) sharedErrors.set(failure, error);
  return error;
}

/** Excel's error for a thing that was thrown while a formula was answered. */
function excelErrorFor(name: RegisteredFunction, thrown: unknown): CustomFunctions.Error {
  if (thrown instanceof CustomFunctions.Error) return thrown;
  if (thrown instanceof ErrorArgument) return new CustomFunctions.Error(thrown.code);
  return excelError(name, asFailure(thrown));
}

function isDataType(cell: ResultContent): boolean {
  return typeof cell === "object" && !(cell instanceof Failure);
}

/** @throws Failure `too-large` if a sheet could not hold the result, or the result has more cells than a formula may give. */
export function checkSize(rows: number, columns: number): void {
  if (columns > config.sheetColumns || rows * columns > config.formulaCells) throw new Failure("too-large");
}

/**
 * A data type among the arguments, as Excel passes it if functions.json allows data types; only the parts that a formula can calculate with
 * or read. An entity's text goes before its `basicValue`, which is "#VALUE!".
 */
const dataType = z.object({
  type: z.string(),
  text: z.optional(z.string()),
  basicValue: z.optional(z.union([z.string(), z.number(), z.boolean()])),
});

/** Thrown if an argument is an error that a custom function can give itself. */
class ErrorArgument extends Error {
  constructor(readonly code: CustomFunctions.ErrorCode) {
    super(code);
  }
}

/**
 * Replaces data types among the arguments by plain values: a number, text or boolean by its own value, an entity by its text.
 * @throws ErrorArgument, or Failure `invalid-argument`, if an argument is an error.
 */
function plainArguments<Args extends object>(args: Args): Args {
  if (Object.values(args).every(isPlain)) return args;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plain(value)])) as Args;
}

function isPlain(argument: unknown): boolean {
  return Array.isArray(argument)
    ? argument.every(isPlain)
    : typeof argument !== "object" || argument === null;
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

function errorArgument(shown: string): Error {
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
    : new ErrorArgument(code);
}
