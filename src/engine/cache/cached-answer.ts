import { type Absence, allAbsences } from "../absence";

/** The service's statement about one AHJ and data point type, and its time. */
export type CachedAnswer = CachedValue | CachedAbsence;

export interface CachedValue {
  fetchedAtMs: number;
  /** The text as published. */
  value: string;
  reference: string | null;
  section: string | null;
  /** In ISO 8601; null if the answer came without a date, as in a matrix. */
  updatedAt: string | null;
}

interface CachedAbsence {
  fetchedAtMs: number;
  absence: Absence;
}

/** Facts about an answer that can be told without reading its texts. */
export interface Seen {
  fetchedAtMs: number;
  /** The reason why there is no value; null if there is one. */
  absence: Absence | null;
  /** True if the value comes with the date of its last change. */
  isDated: boolean;
}

/** The answer for each reason of having no value. One object serves all cells that share a reason, because there may be thousands. */
export function absentAnswers(fetchedAtMs: number): Record<Absence, CachedAnswer> {
  const answers = allAbsences.map((absence) => [absence, { fetchedAtMs, absence }]);
  return Object.fromEntries(answers) as Record<Absence, CachedAnswer>;
}

/** True if two answers are the same apart from the time when they were fetched. */
export function isSameAnswer(one: CachedAnswer, other: CachedAnswer): boolean {
  if ("absence" in one || "absence" in other)
    return "absence" in one && "absence" in other && one.absence === other.absence;
  return (
    one.value === other.value &&
    one.reference === other.reference &&
    one.section === other.section &&
    one.updatedAt === other.updatedAt
  );
}
