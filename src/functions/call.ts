import { type App, runningApp, type Session } from "../app";
import { Cancel } from "../async/on-abort";
import { config } from "../config";
import { asFailure, excelErrorOf, Failure } from "../errors";
import type { Asker, LookedUp, Wants } from "../engine/lookup/wants";
import { withExample } from "../workbook/formula-text/argument-refusals";
import type { RegisteredFunction } from "../workbook/formula-text/formula-examples";
import { dateSystem } from "../workbook/sheet/values/serial-date";
import type { ExchangeOptions } from "../engine/transport/exchange";
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
  // TypeScript does not know that Excel may keep a functions.json of an earlier build.
  if (!(invocation as Invocation | undefined)) {
    const called = withInvocation(args);
    return answer(called.invocation, name, called.args, work);
  }
  const cancel = new Cancel();
  invocation.onCanceled = () => cancel.abort();
  const keptOnly = (invocation as Invocation).isInValuePreview === true;
  try {
    const running = runningApp();
    // While the user still types, Excel does not answer.
    const app = keptOnly ? { ...running, learnDates: () => Promise.resolve() } : running;
    return Promise.resolve(new CallOfExcel(app, cancel, keptOnly, name, args, work).answer());
  } catch (thrown) {
    return Promise.reject(excelErrorFor(name, thrown));
  }
}

/** A class without async functions on the way of a plan: thousands of calls wait at once, each as data, with these functions for all. */
class CallOfExcel<Args extends object> implements Call {
  private readonly epochSerial = dateSystem.epochSerial;

  constructor(
    public app: App,
    readonly signal: Cancel,
    readonly keptOnly: boolean,
    private readonly name: RegisteredFunction,
    private args: Args,
    private readonly work: Work<Args>,
  ) {}

  /** The rows: at once if memory holds all that they need. */
  answer(): Rows | Promise<Rows> {
    const isPlain = Object.values(this.args).every(isPlainArgument);
    const planned = isPlain ? this.work(this, this.args) : this.planDataTypes();
    return planned instanceof Promise ? this.answerLater(planned) : this.carryOut(planned);
  }

  read<Result>(work: (session: Session, options: ExchangeOptions) => Promise<Result>): Promise<Result> {
    const { signal, keptOnly } = this;
    return this.app.answer((session) => {
      const giveUpAtMs = Date.now() + config.cellPatienceMs;
      return work(session, { signal: signal.signal, keptOnly, urgent: true, giveUpAtMs });
    }, signal);
  }

  /** The plan for arguments with data types. Their script is loaded with the first one. */
  private async planDataTypes(): Promise<Planned> {
    const { plainArguments } = await import("./data-type-arguments");
    this.args = plainArguments(this.args);
    return this.work(this, this.args);
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
    try {
      const isKnown = await this.app.learnDates().then(
        () => true,
        () => false,
      );
      if (isKnown && dateSystem.epochSerial === this.epochSerial) return toExcel(this.name, rows);
      // Without Excel's word, a date is given as the published text.
      if (!isKnown) this.app = { ...this.app, hasDataTypes: () => false };
      const planned = this.work(this, this.args);
      return toExcel(this.name, await plannedRows(planned, (plan) => this.app.ask(plan, this)));
    } catch (thrown) {
      throw excelErrorFor(this.name, thrown);
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
function withInvocation<Args extends object>(
  args: Args,
): { args: Args; invocation: CustomFunctions.CancelableInvocation } {
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
  return excelError(name, asFailure(thrown));
}

function isDataType(cell: ResultContent): boolean {
  return typeof cell === "object" && !(cell instanceof Failure);
}

/** @throws Failure `too-large` if a sheet could not hold the result, or the result has more cells than a formula may give. */
export function checkSize(rows: number, columns: number): void {
  if (columns > config.sheetColumns || rows * columns > config.formulaCells) throw new Failure("too-large");
}

/** False for a data type, or a range with one. */
function isPlainArgument(argument: unknown): boolean {
  return Array.isArray(argument)
    ? argument.every(isPlainArgument)
    : typeof argument !== "object" || argument === null;
}
