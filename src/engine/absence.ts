/** Why there is no value for an AHJ and a data point type. Everything that depends on the reason is in this one table. */
import { Failure, type FailureKind } from "../errors";

interface AbsenceFacts {
  /** Stands for the reason in stored answers: 0 to 14. It never changes, and the code of a reason that is gone is not used again. */
  code: number;
  /** Tells what the reason holds for: this answer, the type whichever AHJ is asked, or the AHJ whatever it is asked. */
  about: "answer" | "type" | "ahj";
  /** True if nothing is wrong: the service has answered that there is nothing on record. Imports leave such a cell blank. */
  leavesBlank: boolean;
}

/**
 * The reasons that the service itself gives. They are stored like values, and asked for again only when they are as old as a value may get.
 * Each is also a kind of failure, whose sentence a cell shows.
 */
const absences = {
  "no-value": { code: 0, about: "answer", leavesBlank: true },
  "unknown-type": { code: 1, about: "type", leavesBlank: false },
  "outside-subscription": { code: 3, about: "ahj", leavesBlank: false },
  "unknown-jurisdiction": { code: 2, about: "ahj", leavesBlank: false },
} as const satisfies Partial<Record<FailureKind, AbsenceFacts>>;

/** The reason why the service gives no value. */
export type Absence = keyof typeof absences;

/** The same table for any kind of failure: most are no reason. */
const facts: Partial<Record<string, AbsenceFacts>> = absences;

/** Makes something for each reason. */
export function perAbsence<Of>(of: (absence: Absence, facts: AbsenceFacts) => Of): Record<Absence, Of> {
  const made = Object.entries(absences).map(([absence, its]) => [absence, of(absence as Absence, its)]);
  return Object.fromEntries(made) as Record<Absence, Of>;
}

/** The failure of a cell for each reason. All cells share it: thousands may have the same reason, and each Error costs a stack trace. */
export const absenceFailures = perAbsence((absence) => new Failure(absence));

/** The failure of a cell whose AHJ an answer leaves out without a reason. It is not stored, because it is nothing that the service said. */
export const undecided = new Failure("maybe-outside-subscription");

/** The reason with a stored code; undefined if no reason has it. */
export function absenceWithCode(code: number): Absence | undefined {
  return byCode[code];
}

const byCode: Absence[] = [];
perAbsence((absence, { code }) => (byCode[code] = absence));

export function codeOf(absence: Absence): number {
  return absences[absence].code;
}

/** The reason that a kind of failure is; undefined if it is none, so that the service has not answered. */
export function absenceOf(kind: FailureKind): Absence | undefined {
  return kind in absences ? (kind as Absence) : undefined;
}

/** True if the service has answered that there is nothing on record. */
export function leavesBlank(kind: FailureKind | "not-answered"): boolean {
  return facts[kind]?.leavesBlank ?? false;
}

/** True if the service knows no such data point type. */
export function isOfType(kind: FailureKind): boolean {
  return facts[kind]?.about === "type";
}

/** True if the service says of the AHJ, whatever it is asked, that it does not know it or that the key may not see it. */
export function isOfAhj(kind: FailureKind): boolean {
  return facts[kind]?.about === "ahj";
}

/** True for what an answer tells of this one cell. With any other failure, the whole question is not answered. */
export function isOfCell(kind: FailureKind): boolean {
  return facts[kind] !== undefined || kind === undecided.kind;
}

/** True if the key does not get this AHJ's answers, or perhaps not. */
export function isDenial(kind: FailureKind): boolean {
  return isOfAhj(kind) || kind === undecided.kind;
}
