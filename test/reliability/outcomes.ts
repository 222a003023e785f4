import { Failure, type FailureDetails, type FailureKind } from "../../src/errors";
import type { OperationName } from "./operations";

/** What a user has of an operation under a fault. In all but `partly` nothing else of the workbook has changed. */
export type Outcome = {
  /** How long it took; below a second counts as none. */
  waitsS?: number;
  /** Requests to the service. */
  requests?: number;
  /** Or how many more than without the fault. Default: none. */
  more?: number;
} & (
  | {
      /** The sheet shows what the service says, as without the fault. */
      is: "right";
      /** What of the operation is left in the workbook, where no user sees it. */
      remains?: string[];
    }
  | {
      /** It shows what the service said before, and that is said. */
      is: "older";
      told?: string[];
    }
  | {
      /** A formula's cell shows an error, everything else leaves the workbook as it was; the user reads this sentence. */
      is: "fails";
      sentence: string;
      /** It is an answer of the service, and kept for a day: doing it again does not ask again. */
      isKept?: boolean;
      /** What of the operation is left in the workbook, where no user sees it. */
      remains?: string[];
    }
  | {
      /** Something did not come, or not all is done: the user reads these sentences. */
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
  return { is: "fails", sentence: new Failure(kind, details).message, ...(waitsS && { waitsS }), requests };
}
/** The same as an answer of the service, which is kept. */
export const kept = (outcome: Outcome): Outcome => ({ ...outcome, isKept: true }) as Outcome;
/** What Excel shows by itself, without a word of the add-in. */
export const excelSays = (sentence: string): Outcome => ({ is: "fails", sentence });

/** One outcome, or one after the other as a fault comes ever later. */
export type Expected = Outcome | Outcome[];

/** What each operation is expected to come to: `all` but those named. */
export type ExpectedOutcomes = { all: Expected } & Partial<Record<OperationName, Expected>>;

export function expectedOf(expected: ExpectedOutcomes, name: OperationName): Outcome[] {
  return [expected[name] ?? expected.all].flat();
}
