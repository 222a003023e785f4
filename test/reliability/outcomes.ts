import type { FailureDetails, FailureKind } from "../../src/errors";
import { SheetFailure } from "../../src/sheet-failure";
import type { OperationName } from "./operations";

/** The outcome of an operation under a fault, as the user meets it. Except for `partly`, the rest of the workbook is unchanged. */
export type Outcome = {
  /** The seconds that the operation took; less than one counts as none. */
  waitsS?: number;
  /** The requests to the service. */
  requests?: number;
  /** The requests beyond those of a run without the fault. Default: none. */
  more?: number;
} & (
  | {
      /** The sheet shows the service's answers, as without the fault. */
      is: "right";
      /** Remains of the operation in the workbook, where no user sees them. */
      remains?: string[];
    }
  | {
      /** The sheet shows the service's earlier answers, and the user is told so. */
      is: "older";
      told?: string[];
    }
  | {
      /** A formula's cell shows an error; any other operation leaves the workbook as it was. The user reads this sentence. */
      is: "fails";
      sentence: string;
      /** True if the outcome is the service's answer, which is kept for a day: a second try does not ask again. */
      isKept?: boolean;
      /** Remains of the operation in the workbook, where no user sees them. */
      remains?: string[];
    }
  | {
      /** The operation is incomplete or lacks results: the user reads these sentences. */
      is: "partly";
      told: string[];
    }
);

type Cost = Pick<Outcome, "waitsS" | "requests" | "more">;

export const right = (cost: Cost = {}): Outcome => ({ is: "right", ...cost });
export const older = ({ told, ...cost }: Cost & { told?: string[] } = {}): Outcome => ({
  is: "older",
  ...(told && { told }),
  requests: 1,
  ...cost,
});
export const partly = (told: string | string[], cost: Cost = {}): Outcome => ({
  is: "partly",
  told: [told].flat(),
  ...cost,
});
export function fails(
  kind: FailureKind,
  { waitsS, requests = 1, ...details }: FailureDetails & Cost = {},
): Outcome {
  return {
    is: "fails",
    sentence: new SheetFailure(kind, details).message,
    ...(waitsS && { waitsS }),
    requests,
  };
}
/** The outcome as an answer of the service, which is kept. */
export const kept = (outcome: Outcome): Outcome => ({ ...outcome, isKept: true }) as Outcome;
/** An error that Excel shows by itself, without a sentence of the add-in. */
export const excelSays = (sentence: string): Outcome => ({ is: "fails", sentence });

/** One outcome, or the outcomes in order as the fault begins later and later. */
export type Expected = Outcome | Outcome[];

/** The expected outcomes of the operations: `all` counts for each that is not named. */
export type ExpectedOutcomes = { all: Expected } & Partial<Record<OperationName, Expected>>;

export function expectedOf(expected: ExpectedOutcomes, name: OperationName): Outcome[] {
  return [expected[name] ?? expected.all].flat();
}
