import { Failure } from "../../errors";
import { dayOf } from "../sheet/layout/answer-parts";
import { fitsSheet, type SheetTable } from "../sheet/layout/table-plan";
import { blankCell, type FormattedCell, textCell } from "../sheet/values/cell-value";
import { byRule, type RuleChange } from "../imports/refresh/same-rule";
import { updatedCell } from "../imports/sources/sources-sheet";
import {
  type DatedComparison,
  type DatedDifference,
  type DifferenceKind,
  differenceKinds,
} from "./compare-dated";
import { answerText, type DatedAnswer } from "./dated-answer";
import { valueCell } from "./dated-sheet";
import { idCell, textOrBlank } from "../sheet/values/plain-cells";

/** All that pane, sheet and command say of a kind of difference. */
export const differenceWords: Record<
  DifferenceKind,
  { title: string; word: string; noun: string; verb: string }
> = {
  changed: { title: "Changed", word: "changed", noun: "value", verb: "changed" },
  cited: { title: "Citation changed", word: "citation changed", noun: "citation", verb: "changed" },
  came: { title: "Added", word: "added", noun: "value", verb: "added" },
  went: { title: "Gone", word: "gone", noun: "value", verb: "gone" },
};

/** The numbers of the differences in a sentence: "3 values changed, 1 value gone; 240 the same." */
export function countsSentence(
  comparison: DatedComparison,
  count: (number: number, noun: string) => string,
): string {
  const counts = differenceKinds.flatMap((kind) => {
    const { noun, verb } = differenceWords[kind];
    const { length } = comparison[kind];
    return length > 0 ? [`${count(length, noun)} ${verb}`] : [];
  });
  const same = count(comparison.same, "answer");
  return counts.length === 0 ? `Nothing differs in ${same}.` : `${counts.join(", ")}; ${same} the same.`;
}

/** The differences, those that one rule has made joined: in one state, to one question, with the same answers before and now. */
export function ruleDifferences(differences: readonly DatedDifference[]): RuleChange<DatedDifference>[] {
  return byRule(differences, ({ about, before, now }) => ({
    ahj: { id: about.ahjId, name: about.jurisdiction, state_code: "", geoid: null },
    rule: [stateOf(about), about.typeId, answerText(before), answerText(now)],
  }));
}

const stateOf = ({ jurisdiction }: DatedAnswer) => /, ([A-Z]{2})$/.exec(jurisdiction)?.[1] ?? "";

/** The line of a rule: `Alameda County, CA, and 3 more · Permit fee: $300 (City Code) → $325 (Ord. 2026-14)`. */
export function differenceLine(
  { own: { about, before, now }, places }: RuleChange<DatedDifference>,
  shown: (text: string) => string = (text) => text,
): string {
  const subject = `${shown(places)} · ${shown(about.question)}`;
  return `${subject}: ${shown(answerText(before))} → ${shown(answerText(now))}`;
}

type Line = DatedDifference & { kind: DifferenceKind };

const columns = {
  Change: ({ kind }) => textCell(differenceWords[kind].word),
  Import: ({ about }) => textOrBlank(about.importName),
  Jurisdiction: ({ about }) => textCell(about.jurisdiction),
  Question: ({ about }) => textCell(about.question),
  Before: ({ before }) => (before ? valueCell(before) : blankCell),
  Now: ({ now }) => (now ? valueCell(now) : blankCell),
  Unit: ({ about }) => textOrBlank(about.unit),
  "Standing before": ({ before }) => textOrBlank(before?.standing),
  "Standing now": ({ now }) => textOrBlank(now?.standing),
  "Reference before": ({ before }) => textOrBlank(before?.reference),
  "Reference now": ({ now }) => textOrBlank(now?.reference),
  "Section before": ({ before }) => textOrBlank(before?.section),
  "Section now": ({ now }) => textOrBlank(now?.section),
  "Updated now": ({ now }) => updatedCell(now?.updatedAt ?? null),
  "AHJ ID": ({ about }) => idCell(about.ahjId),
  "Question ID": ({ about }) => idCell(about.typeId),
} satisfies Record<string, (line: Line) => FormattedCell>;

const headers = Object.keys(columns) as (keyof typeof columns)[];

/** The name of the sheet of differences that is written at this time. */
export function differencesSheetName(atMs: number): string {
  return `Compared ${dayOf(new Date(atMs).toISOString())}`;
}

/**
 * The differences as a table of plain values: a row for each. Pauses after each row.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function* planDifferences(comparison: DatedComparison): Generator<void, SheetTable> {
  const rows: FormattedCell[][] = [];
  for (const kind of differenceKinds)
    for (const difference of comparison[kind]) {
      yield;
      rows.push(headers.map((header) => columns[header]({ kind, ...difference })));
    }
  if (!fitsSheet({ rows: rows.length + 1, columns: headers.length })) throw new Failure("too-large");
  return { columns: headers.map((header) => ({ header })), rows };
}
