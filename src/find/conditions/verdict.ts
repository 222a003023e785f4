import type { Absence } from "../../engine/absence";

/** Why a condition cannot be decided for a jurisdiction. */
export const unknownReasons = {
  "no-value": "The service has no value.",
  "not-an-amount": "The answer is not certainly one amount.",
  "other-unit": "The answer is one amount in another unit.",
  "limit-within-range": "The limit lies within the range of the answer.",
  "not-yes-or-no": "The answer is not certainly yes or no.",
  "not-a-code-edition": "The answer does not name one code edition of the list.",
  "other-code": "The answer names another code.",
  "not-a-date": "The answer is not certainly one day.",
  "no-update-date": "The service does not say when the answer was updated.",
  "unknown-type": "The service knows no such question.",
  "outside-subscription": "The jurisdiction is outside your subscription.",
  "unknown-jurisdiction": "The service does not know the jurisdiction.",
  "not-answered": "The service did not answer.",
} as const satisfies Record<Absence, string> & Record<string, string>;

export type UnknownReason = keyof typeof unknownReasons;

const reasons = Object.keys(unknownReasons) as UnknownReason[];

/** A verdict as one byte: no, yes, or from `firstUnknown` on not known, for the reason of that number. */
export type Verdict = number;
export const no: Verdict = 0;
export const yes: Verdict = 1;
const firstUnknown = 2;

export function unknown(reason: UnknownReason): Verdict {
  return firstUnknown + reasons.indexOf(reason);
}

export function isUnknown(verdict: Verdict): boolean {
  return verdict >= firstUnknown;
}

/** Why a verdict is not known; null for yes and no. */
export function reasonOf(verdict: Verdict): UnknownReason | null {
  return reasons[verdict - firstUnknown] ?? null;
}
