/** Why there is no value for an AHJ and a data point type. Everything that depends on the reason is in this one table. */
import { Failure, type FailureKind, type FormulaFailureKind } from "../errors";

interface AbsenceFacts {
  /** Stands for the reason in stored answers: 0 to 14. It never changes, and the code of a reason that is gone is not used again. */
  code: number;
  /** Tells what the reason holds for: this answer, the type whichever AHJ is asked, or the AHJ whatever it is asked. */
  about: "answer" | "type" | "ahj";
  /** True if nothing is wrong: the service has answered that there is nothing on record. Imports leave such a cell blank. */
  leavesBlank: boolean;
  /** The failure that cells show. All share it: thousands may have the same reason, and each Error costs a stack trace. */
  failure: Failure;
}

/**
 * The reasons that the service itself gives. They are stored like values, and asked for again only when they are as old as a value may get.
 */
export const absences = {
  "no-value": row("no-value", 0, "answer", true),
  "unknown-type": row("unknown-type", 1, "type"),
  "unknown-jurisdiction": row("unknown-jurisdiction", 2, "ahj"),
  "outside-subscription": row("outside-subscription", 3, "ahj"),
} satisfies Partial<Record<FailureKind, AbsenceFacts>>;

/** The reason why the service gives no value. */
export type Absence = keyof typeof absences;

function row(
  kind: FormulaFailureKind,
  code: number,
  about: AbsenceFacts["about"],
  leavesBlank = false,
): AbsenceFacts {
  return { code, about, leavesBlank, failure: new Failure(kind) };
}

/** The failure of a cell whose AHJ an answer leaves out without a reason. It is not stored, because it is nothing that the service said. */
export const undecided = new Failure("maybe-outside-subscription");

export const allAbsences = Object.keys(absences) as Absence[];

/** The reasons by their stored codes. Codes that no reason has are missing. */
export const absenceByCode: Absence[] = [];
for (const absence of allAbsences) absenceByCode[absences[absence].code] = absence;

/** The same table for any kind of failure: most are no reason. */
const facts: Partial<Record<string, AbsenceFacts>> = absences;

/** The reason that a kind of failure is; undefined if it is none, so that the service has not answered. */
export function absenceOf(kind: FailureKind): Absence | undefined {
  return facts[kind] && (kind as Absence);
}

/** True if the service has answered that there is nothing on record. */
export function leavesBlank(kind: FailureKind | "not-answered"): boolean {
  return facts[kind]?.leavesBlank ?? false;
}

/** Tells what a reason holds for; undefined for a failure that is no reason. */
export function aboutOf(kind: FailureKind): AbsenceFacts["about"] | undefined {
  return facts[kind]?.about;
}

/** True for what an answer tells of this one cell. With any other failure, the whole question is not answered. */
export function isOfCell(kind: FailureKind): boolean {
  return kind in absences || kind === undecided.kind;
}
