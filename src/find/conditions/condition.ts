import { Failure } from "../../errors";
import { utcMs } from "../../engine/api/utc-time";
import { unitForm, withUnit } from "../../workbook/sheet/values/units";
import type { AmountRange } from "../readings/amount-range";
import { readAmountRange, unitsRead, withUnitOf } from "../readings/amount-range";
import { type AnswerKind, answerKind, type AnswerReading, readAnswer } from "../readings/answer-reading";
import type { CodeEdition } from "../readings/code-editions";
import { type Operator, operatorLabel, operators } from "./operators";
import { no, unknown, type UnknownReason, type Verdict, yes } from "./verdict";

/** A question, an operator and its operand. */
export interface Condition {
  type: { id: number; name: string; unit_of_measure: string };
  operator: Operator;
  /**
   * The operand as the user wrote it, such as "$300", "200 to 300", "2020 NEC", "2026-01-31" or "12 months"; "" if the operator needs none.
   */
  operand: string;
}

/** A condition that can be asked of answers. */
export interface Test {
  /** The verdict if the service has no value. */
  ofNone: Verdict;
  /** The verdict on a published text. */
  ofText?: (reading: AnswerReading) => Verdict;
  /** The verdict on the time of an answer's last change; NaN if that is not known. */
  ofUpdate?: (updatedMs: number) => Verdict;
}

const none = unknown("no-value");

/** The test of a condition. A condition that cannot be used is a failure of the kind invalid-argument that says why. */
export function testOf(condition: Condition, nowMs: number): Test | Failure {
  const { operator, operand, type } = condition;
  const kind = answerKind(type.unit_of_measure);
  if (!operators[operator].fits.includes(kind))
    return refusal(
      `“${type.name}” is answered in ${kindNames[kind]}: “${operators[operator].label}” does not fit.`,
    );
  switch (operator) {
    case "no-value":
      return { ofNone: yes, ofText: () => no };
    case "has-value":
      return { ofNone: no, ofText: () => yes };
    case "is-yes":
    case "is-no": {
      const wanted = operator === "is-yes";
      return ofText(({ yes: said }) => (said === null ? unknown("not-yes-or-no") : verdict(said === wanted)));
    }
    case "contains":
      return containsTest(operand);
    case "is":
      return isTest(condition, kind);
    case "is-not":
      return isTest(condition, kind, true);
    case "at-least":
    case "at-most":
    case "more-than":
    case "less-than":
    case "between":
      return kind === "code-edition" ? editionTest(condition) : rangeTest(condition, kind);
    default:
      return updateTest(operator, operand, nowMs);
  }
}

const kindNames: Record<AnswerKind, string> = {
  amount: "numbers",
  date: "days",
  "yes-no": "yes or no",
  "code-edition": "code editions",
  text: "words",
};

function refusal(detail: string): Failure {
  return new Failure("invalid-argument", { detail });
}

function verdict(isSo: boolean): Verdict {
  return isSo ? yes : no;
}

function ofText(verdictOf: (reading: AnswerReading) => Verdict): Test {
  return { ofNone: none, ofText: verdictOf };
}

function containsTest(operand: string): Test | Failure {
  const wanted = readAnswer(operand, "").folded;
  if (wanted === "") return refusal("Say which words the answer contains.");
  return ofText(({ folded }) => verdict(folded.includes(wanted)));
}

/** The same text, or certainly the same amount, day, yes or no, or edition. */
function isTest({ type, operand }: Condition, kind: AnswerKind, isNegated = false): Test | Failure {
  const wanted = readAnswer(operand, type.unit_of_measure);
  if (wanted.folded === "") return refusal("Say what the answer is.");
  const same = sameAs(wanted, kind);
  return ofText((reading) => {
    const found = reading.folded === wanted.folded ? yes : same(reading);
    return isNegated && found <= yes ? verdict(found === no) : found;
  });
}

/** Judges a reading whose text differs from the wanted text. If the wanted text says nothing certain, another text is another answer. */
function sameAs(wanted: AnswerReading, kind: AnswerKind): (reading: AnswerReading) => Verdict {
  const { range, yes: wantedYes, edition } = wanted;
  if (range && (kind === "date" || range.min === range.max)) return (said) => within(said, range, kind);
  if (range) {
    return (said) =>
      said.range
        ? verdict(said.range.min === range.min && said.range.max === range.max)
        : within(said, range, kind);
  }
  if (wantedYes !== null)
    return ({ yes: said }) => (said === null ? unknown("not-yes-or-no") : verdict(said === wantedYes));
  if (edition) {
    return ({ edition: said }) => {
      if (said?.family && edition.family && said.family !== edition.family) return no;
      return compareEdition(said, edition, (year) => year === edition.year);
    };
  }
  return () => no;
}

const within = (reading: AnswerReading, wanted: AmountRange, kind: AnswerKind) =>
  judge(reading, kind, wantedBy("between", wanted));

/** Tells for the range of an answer if all of it is wanted, and if none of it is. */
interface Wanted {
  isIn(said: AmountRange): boolean;
  isOut(said: AmountRange): boolean;
}

function judge(
  { range: said, isInAnotherUnit }: AnswerReading,
  kind: AnswerKind,
  { isIn, isOut }: Wanted,
): Verdict {
  if (said === null) return unknown(isInAnotherUnit ? "other-unit" : notRead[kind]);
  if (isIn(said)) return yes;
  return isOut(said) ? no : unknown("limit-within-range");
}

const notRead: Record<AnswerKind, UnknownReason> = {
  amount: "not-an-amount",
  date: "not-a-date",
  "yes-no": "not-yes-or-no",
  "code-edition": "not-a-code-edition",
  text: "not-an-amount",
};

function rangeTest({ type, operator, operand }: Condition, kind: AnswerKind): Test | Failure {
  const limits = operator === "between" ? rangeLimits(operand, type.unit_of_measure) : oneLimit();
  if (limits === null)
    return refusal(
      `“${operand}” can't be used with “${operatorLabel(operator, kind)}”: ${howToWrite(type.unit_of_measure, kind, operator === "between")}.`,
    );
  const wanted = wantedBy(operator, limits);
  return ofText((reading) => judge(reading, kind, wanted));

  function oneLimit(): AmountRange | null {
    const limit = readAmountRange(operand, type.unit_of_measure);
    return limit && (kind === "date" || limit.min === limit.max) ? limit : null;
  }
}

/** The ranges that an operator wants. The limit itself is a range, because a day lasts. */
function wantedBy(operator: Operator, { min, max }: AmountRange): Wanted {
  switch (operator) {
    case "at-least":
      return { isIn: (said) => said.min >= min, isOut: (said) => said.max < min };
    case "at-most":
      return { isIn: (said) => said.max <= max, isOut: (said) => said.min > max };
    case "more-than":
      return { isIn: (said) => said.min > max, isOut: (said) => said.max <= max };
    case "less-than":
      return { isIn: (said) => said.max < min, isOut: (said) => said.min >= min };
    default:
      return {
        isIn: (said) => said.min >= min && said.max <= max,
        isOut: (said) => said.max < min || said.min > max,
      };
  }
}

/** How values of a question are written, with an example. */
function howToWrite(unit: string, kind: AnswerKind, areTwo: boolean): string {
  if (kind === "date")
    return areTwo ? "write days, such as 2026-01-31 to 2026-06-30" : "write a day, such as 2026-01-31";
  const [first, last] = [20, 30].map((figure) => exampleAmount(figure, unit));
  const units = unitsRead(unit);
  const what = `${areTwo ? "amounts" : "an amount"}${units && ` in ${units}`}`;
  return `write ${what}, such as ${areTwo ? `${first} to ${last}` : last}`;
}

function exampleAmount(figure: number, unit: string): string {
  if (unitForm(unit)?.kind === "percent") return `${figure}%`;
  return /^count$/i.test(unit.trim()) ? String(figure) : withUnit(String(figure), unit);
}

/** The words and signs between two operands. */
const andBetween = /^(?:from |between )?(.+?)(?: to | and | ?\.\. ?| [-–—] )(.+)$/i;

function rangeLimits(operand: string, unit: string): AmountRange | null {
  const [, first = "", second = ""] = andBetween.exec(operand.trim()) ?? [];
  const limits = [withUnitOf(second, first), second].map((text) => readAmountRange(text, unit));
  const [one, other] = limits;
  if (!one || !other) {
    const both = readAmountRange(operand, unit);
    const isRange = both !== null && both.min < both.max && Number.isFinite(both.max - both.min);
    return isRange ? both : null;
  }
  if (limits.some((limit) => limit && !Number.isFinite(limit.max - limit.min))) return null;
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}

function editionTest({ operator, operand }: Condition): Test | Failure {
  const [, first = "", second = ""] = (operator === "between" && andBetween.exec(operand.trim())) || [];
  const named = operator === "between" ? [first, second] : [operand];
  const editions = named.map((text) => readAnswer(text, "code edition").edition);
  const [one, other = one] = editions;
  if (!one || !other || (one.family && other.family && one.family !== other.family))
    return refusal(
      `“${operand}” names no code edition that can be compared: write it as in 2020 NEC, or the year alone.`,
    );
  const years = [one.year, other.year];
  const { isIn } = wantedBy(operator, { min: Math.min(...years), max: Math.max(...years) });
  const wanted = { family: one.family ?? other.family };
  return ofText(({ edition }) => compareEdition(edition, wanted, (year) => isIn({ min: year, max: year })));
}

function compareEdition(
  said: CodeEdition | null,
  { family }: Pick<CodeEdition, "family">,
  isWanted: (year: number) => boolean,
): Verdict {
  // An answer that is only a year does not say which code it means.
  if (!said || (family !== null && said.family === null)) return unknown("not-a-code-edition");
  if (family !== null && said.family !== family) return unknown("other-code");
  return verdict(isWanted(said.year));
}

const dayMs = 86_400_000;

/** Tests an answer's last change. Days are in UTC, as the service's dates are. */
function updateTest(operator: Operator, operand: string, nowMs: number): Test | Failure {
  if (operator === "older-than") {
    const sinceMs = beforeNow(operand, nowMs) ?? dayOf(operand);
    if (sinceMs === null)
      return refusal(
        `“${operand}” is no age: write it as in 12 months, 90 days or 2 years, or a day as in 2026-01-31.`,
      );
    return ofUpdate((updatedMs) => updatedMs < sinceMs);
  }
  const midnightMs = dayOf(operand);
  if (midnightMs === null) return refusal(`“${operand}” is no day: write it as in 2026-01-31.`);
  return operator === "updated-before"
    ? ofUpdate((updatedMs) => updatedMs < midnightMs)
    : ofUpdate((updatedMs) => updatedMs >= midnightMs + dayMs);
}

function ofUpdate(isWanted: (updatedMs: number) => boolean): Test {
  return {
    ofNone: none,
    ofUpdate: (updatedMs) =>
      Number.isNaN(updatedMs) ? unknown("no-update-date") : verdict(isWanted(updatedMs)),
  };
}

/** Midnight of the day that a text names; null if it names none. */
function dayOf(text: string): number | null {
  const range = readAmountRange(text, "date");
  const ms = range && range.min === range.max ? range.min : utcMs(text.slice(0, 10));
  return Number.isNaN(ms) ? null : ms;
}

/** The time that lies an age such as "12 months" before now; null if the text is no age. */
function beforeNow(age: string, nowMs: number): number | null {
  const [, digits = "", unit = ""] = /^(\d{1,4}) ?(day|week|month|year)s?$/i.exec(age.trim()) ?? [];
  const count = Number(digits);
  if (unit === "") return null;
  const date = new Date(nowMs);
  if (/^day|^week/i.test(unit)) return nowMs - count * dayMs * (/^week/i.test(unit) ? 7 : 1);
  const months = count * (/^year/i.test(unit) ? 12 : 1);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, lastDay));
  return date.getTime();
}
