/** The kinds of failure. One table gives the cell's error, the sentence that a user reads and the next step. */

interface KindOfFailure {
  /** The error in a formula's cell, if it is not `#N/A`. Excel carries a message with these two only. */
  excelError?: "#VALUE!";
  /** The failure in a word or two, to be read and counted: field "status" of =REGDATA.VALUE. Missing if a cell can't fail so. */
  status?: string;
  /** Says what happened. */
  sentence: string;
  /** Says what the user can do about it. */
  nextStep: string;
}

export const failureKinds = {
  "no-key": {
    status: "no key",
    sentence: "RegData is not connected.",
    nextStep: "Connect in the RegData pane. The formulas are then answered.",
  },
  "storage-failed": {
    status: "no key",
    sentence: "Your saved connection can't be read.",
    nextStep: "Open the RegData pane and try again.",
  },
  "wrong-key": {
    status: "wrong key",
    sentence: "The service does not accept this API key.",
    nextStep: "It may be wrong or expired. Check it in the RegData pane, under Settings.",
  },
  "no-rights": {
    status: "no rights",
    sentence: "This API key does not give access to this.",
    nextStep: "Ask whoever manages your subscription.",
  },
  "outside-subscription": {
    status: "outside subscription",
    sentence: "This jurisdiction is outside your subscription.",
    nextStep: "Ask whoever manages your subscription to add it.",
  },
  "maybe-outside-subscription": {
    status: "maybe outside subscription",
    sentence: "The service sent nothing for this jurisdiction. It may be outside your subscription.",
    nextStep: "To find out, ask for it in a formula of its own.",
  },
  "unknown-jurisdiction": {
    status: "unknown jurisdiction",
    sentence: "The service knows no jurisdiction with this geoID or AHJ id.",
    nextStep: "Check the geoID and its leading zeros, or search for the name in the RegData pane.",
  },
  "not-a-geoid": {
    status: "unknown jurisdiction",
    sentence: "This is not a geoID. It was not sent to the service.",
    nextStep: "Check the geoID and its leading zeros, or search for the name in the RegData pane.",
  },
  "not-a-jurisdiction": {
    status: "unknown jurisdiction",
    sentence: "This is not the code of a jurisdiction. It was not sent to the service.",
    nextStep: "Check the code, or search for the name in the RegData pane.",
  },
  "unresolved-jurisdiction": {
    status: "unknown or outside subscription",
    sentence: "This jurisdiction is unknown or outside your subscription.",
    nextStep: "To find out which, ask for it in a formula of its own.",
  },
  "unknown-name": {
    sentence: "No jurisdiction of your subscription has this name.",
    nextStep: "Check its spelling and its state, or search for it in the RegData pane.",
  },
  "ambiguous-jurisdiction": {
    sentence: "Several jurisdictions have this name.",
    nextStep: 'Add the state, as in "Orange County, CA", or use the geoID.',
  },
  "unknown-type": {
    status: "unknown question",
    sentence: "The service knows no such question.",
    nextStep: "Search for it in the RegData pane, on Get data under What.",
  },
  "ambiguous-name": {
    excelError: "#VALUE!",
    status: "ambiguous question",
    sentence: "Several have this name.",
    nextStep: "Use the id instead: =REGDATA.TYPES() and =REGDATA.COLLECTIONS() list them.",
  },
  "no-value": {
    status: "no value",
    sentence: "No value is recorded for this question here.",
    nextStep: "Nothing is wrong with your formula: the service has no answer on record.",
  },
  "invalid-argument": {
    excelError: "#VALUE!",
    status: "invalid argument",
    sentence: "One argument isn't valid.",
    nextStep: "Correct it. The help has examples.",
  },
  "nothing-found": {
    sentence: "Nothing was found.",
    nextStep: "Search for something else, or for fewer words.",
  },
  "not-asked": {
    status: "not asked",
    sentence: "A preview shows only answers that were fetched before.",
    nextStep: "Enter the formula to ask the service.",
  },
  "many-requests": {
    sentence: "This takes more requests than the add-in sends by itself.",
    nextStep:
      "Start it in the RegData pane: Get data, Where, Only those that answer…. Then choose Retry errors under In this workbook.",
  },
  "script-missing": {
    sentence: "A part of the add-in could not be loaded.",
    nextStep: "Check the network, then open the workbook again.",
  },
  "invalid-request": {
    excelError: "#VALUE!",
    status: "invalid argument",
    sentence: "The service refused the request as invalid.",
    nextStep: "Check the geoIDs and question ids. If they are right, tell support.",
  },
  "invalid-address": {
    sentence: "A key can't be sent to this address.",
    nextStep: "Enter the full address from your service's documentation, beginning with https://.",
  },
  "not-found": {
    status: "not found",
    sentence: "The service did not find this, or you have no access to it.",
    nextStep: "Choose again from the list. If nothing is found at all, check the service address.",
  },
  "rate-limited": {
    status: "limit",
    sentence: "Your request limit is used up.",
    nextStep: "Once it has reset, choose Retry errors in the RegData pane, under In this workbook.",
  },
  unreachable: {
    status: "unreachable",
    sentence: "The service can't be reached.",
    nextStep: "Check the network and the service address.",
  },
  timeout: {
    status: "unreachable",
    sentence: "The service took too long to answer.",
    nextStep: "Try again later.",
  },
  "service-error": {
    status: "unreachable",
    sentence: "The service reported a failure.",
    nextStep: "Try again later. If it keeps happening, tell the service's support.",
  },
  "unexpected-answer": {
    status: "unreachable",
    sentence: "The answer is not what a regulatory data service sends.",
    nextStep: "Check the service address in the RegData pane.",
  },
  internal: {
    status: "internal error",
    sentence: "Something in the add-in went wrong.",
    nextStep: "Try again. If it happens again, send the details to the add-in's support.",
  },
  "too-large": {
    excelError: "#VALUE!",
    sentence:
      "The result is too large: a sheet has 1,048,576 rows and 16,384 columns, a formula gives 1,048,576 cells.",
    nextStep: "Choose fewer jurisdictions or questions.",
  },
  "memory-full": {
    sentence: "The answers are longer than expected, too long to be held in memory at once.",
    nextStep: "Insert what is complete, then get the rest on another sheet.",
  },
  "cells-in-the-way": {
    sentence: "There are cells in the way.",
    nextStep: "Choose another place, or allow them to be overwritten.",
  },
  "no-list": {
    sentence: "A list is one column of geoIDs or names.",
    nextStep: "Select it, then try again.",
  },
  "sheet-refused": {
    sentence: "Excel refused this.",
    nextStep: "Try again. If Excel refuses it again, close the workbook, open it, and try once more.",
  },
  "cell-editing": {
    sentence: "A cell is being edited.",
    nextStep: "Press Enter or Esc in the sheet, then try again.",
  },
  "no-cells-selected": {
    sentence:
      "Excel can't tell which cells you mean. Several separate areas, a chart or a picture may be selected, or another workbook may be in front.",
    nextStep: "Select one block of cells, then try again.",
  },
  "no-headers": {
    sentence: "The table's header row is turned off, so its columns can't be told apart.",
    nextStep: "Turn on Header Row under Table Design, then try again.",
  },
  "sheet-hidden": {
    sentence: "The sheet is hidden.",
    nextStep: "Right-click any sheet's tab and choose Unhide, then try again.",
  },
  "tables-collide": {
    sentence:
      "Excel can't insert the rows or columns, because they would move a part of another table or of merged cells.",
    nextStep: "Unmerge those cells, or move the other table to a sheet of its own, then try again.",
  },
  "workbook-behind": {
    sentence: "Another workbook is in front.",
    nextStep: "Bring this one to the front, then try again.",
  },
  "not-permitted": {
    sentence: "Excel does not allow this here. The sheet may be protected, or the workbook read-only.",
    nextStep: "Unprotect the sheet under Review, or open the workbook for editing, then try again.",
  },
  "not-undoable": {
    sentence: "Excel refused this, because it could not be undone.",
    nextStep: "Try again.",
  },
  "too-much-at-once": {
    sentence: "This is more than Excel can handle at once.",
    nextStep: "Choose fewer cells, jurisdictions or questions, then try again.",
  },
  "other-service": {
    sentence: "This import came from a different service than the one you are connected to.",
    nextStep:
      "Nothing was sent. If that connection is yours, choose it under Settings. Otherwise ask the person who sent the workbook.",
  },
  "table-gone": {
    sentence: "The import's table is no longer in the workbook.",
    nextStep: "Import it again, or forget it.",
  },
  "cells-not-found": {
    sentence: "Some cells could not be found again.",
    nextStep:
      "Their row or column is gone, or somebody has changed its AHJ id or header. Bring it back, then try again.",
  },
  cancelled: {
    sentence: "Canceled.",
    nextStep: "You can start again at any time.",
  },
} as const satisfies Record<string, KindOfFailure>;

export type FailureKind = keyof typeof failureKinds;

/** The word that field "status" shows for a kind of failure. */
export function statusOf(kind: FailureKind): string {
  const { status }: KindOfFailure = failureKinds[kind];
  return status ?? failureKinds[kind].sentence;
}

/** The error that a formula's cell shows for a kind of failure. */
export function excelErrorOf(kind: FailureKind): "#N/A" | "#VALUE!" {
  const { excelError }: KindOfFailure = failureKinds[kind];
  return excelError ?? "#N/A";
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

  constructor(kind: FailureKind, details: FailureDetails = {}) {
    super(describe(kind, details), { cause: details.cause });
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
]);

/** Kinds whose sentence says everything that an HTTP status would. */
const selfExplaining = new Set<FailureKind>([
  "wrong-key",
  "no-rights",
  "outside-subscription",
  "not-found",
  "rate-limited",
]);

function describe(kind: FailureKind, { detail, status, untilMs, nextStep }: FailureDetails): string {
  const { sentence, nextStep: usual } = failureKinds[kind];
  const facts = [
    detail,
    status === undefined || selfExplaining.has(kind) ? undefined : `(HTTP ${status})`,
    untilMs === undefined ? undefined : `It resets at ${clockTime(untilMs)}.`,
  ].filter((fact) => fact !== undefined && fact !== "");
  return [sentence, ...facts, nextStep ?? usual].join(" ");
}

/** A time as the user's clock shows it, with the day if it is not today. */
export function clockTime(ms: number): string {
  const time = new Date(ms);
  const sameDay = time.toDateString() === new Date().toDateString();
  return sameDay
    ? time.toLocaleTimeString(undefined, { timeStyle: "short" })
    : time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
