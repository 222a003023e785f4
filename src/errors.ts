/** Failures: their kind, their message, and how they are told from mistakes of ours. */
import { failureKinds, type KindOfFailure } from "./failure-kinds";
import type { allFailureKinds } from "./sheet-failure-kinds";

export type FailureKind = keyof typeof allFailureKinds;
/** The kinds that a formula can meet. Their words are always loaded. */
export type FormulaFailureKind = keyof typeof failureKinds;

const loadedKinds: Partial<Record<FailureKind, KindOfFailure>> = failureKinds;

/** The word that field "status" shows for a kind of failure. */
export function statusOf(kind: FailureKind): string {
  return loadedKinds[kind]?.status ?? loadedKinds[kind]?.sentence ?? kind;
}

/** The error that a formula's cell shows for a kind of failure. */
export function excelErrorOf(kind: FailureKind): "#N/A" | "#VALUE!" {
  return loadedKinds[kind]?.excelError ?? "#N/A";
}

export interface FailureDetails {
  /** The words of the service or Excel, or the argument that is meant: a sentence without any key. */
  detail?: string;
  /** The next step, if more is known than for all failures of the kind. */
  nextStep?: string | undefined;
  /** The HTTP status that caused the failure. */
  status?: number;
  /** When the limit ends (rate-limited). */
  untilMs?: number;
  /** True if something that was written before the failure could not be taken back. */
  isPartlyWritten?: boolean | undefined;
  cause?: unknown;
}

/** Any failure that a user may meet. Its message is the kind's sentence and next step, with what is known. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  readonly detail: string | undefined;
  /** The next step of this failure; undefined if its kind's next step holds. */
  readonly nextStep: string | undefined;
  readonly status: number | undefined;
  readonly untilMs: number | undefined;
  readonly isPartlyWritten: boolean;

  constructor(kind: FormulaFailureKind, details?: FailureDetails);
  constructor(kind: FailureKind, details: FailureDetails | undefined, words: KindOfFailure);
  constructor(kind: FailureKind, details: FailureDetails = {}, words = loadedKinds[kind]) {
    super(describe(kind, details, words), { cause: details.cause });
    this.kind = kind;
    this.detail = details.detail;
    this.nextStep = details.nextStep;
    this.status = details.status;
    this.untilMs = details.untilMs;
    this.isPartlyWritten = details.isPartlyWritten ?? false;
  }
}

/** The only failure for everything that is cancelled: thousands may be at once, and each Error costs a stack trace. */
export const cancelled = new Failure("cancelled");

/**
 * Returns the Failure that was thrown. Service, storage and Excel throw only Failures, so anything else is a script that could not be
 * loaded (`ChunkLoadError`, webpack), or a mistake of ours.
 */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const isLoading = thrown instanceof Error && thrown.name === "ChunkLoadError";
  return new Failure(isLoading ? "script-missing" : "internal", { cause: thrown });
}

/**
 * True if work is ended because no more requests may be sent for it: the service's limit lasts longer than anybody waits for, or no
 * caller's budget pays for another. The service has counted what was sent by then.
 */
export function isOfLimit(reason: unknown): reason is Failure {
  return reason instanceof Failure && (reason.kind === "rate-limited" || reason.kind === "many-requests");
}

/** True if the service could not be asked, so that an old answer is better than none. */
export function isUnavailable({ kind }: Failure): boolean {
  return unavailableKinds.has(kind);
}

const unavailableKinds = new Set<FailureKind>([
  "unreachable",
  "timeout",
  "service-error",
  "rate-limited",
  "not-asked",
  "on-hold",
]);

/** Kinds whose sentence says everything that an HTTP status would. */
const selfExplaining = new Set<FailureKind>([
  "wrong-key",
  "no-rights",
  "outside-subscription",
  "not-found",
  "rate-limited",
]);

function describe(
  kind: FailureKind,
  { detail, status, untilMs, nextStep }: FailureDetails,
  words: KindOfFailure | undefined,
): string {
  const facts = [
    detail,
    status === undefined || selfExplaining.has(kind) ? undefined : `(HTTP ${status})`,
    untilMs === undefined ? undefined : `It resets at ${clockTime(untilMs)}.`,
  ].filter((fact) => fact !== undefined && fact !== "");
  return [words?.sentence, ...facts, nextStep ?? words?.nextStep].join(" ");
}

/** A time as the user's clock shows it, with the day if it is not today. */
export function clockTime(ms: number): string {
  const time = new Date(ms);
  const sameDay = time.toDateString() === new Date().toDateString();
  return sameDay
    ? time.toLocaleTimeString(undefined, { timeStyle: "short" })
    : time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
