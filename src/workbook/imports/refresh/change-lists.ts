import { contentParts, type Known } from "../../sheet/layout/answer-parts";
import type { ColumnType } from "../../sheet/layout/table-plan";
import type { TableCell } from "../../sheet/tables/bound-table";
import type { MarkKind } from "../../sheet/tables/cell-marks";
import { told } from "./ahj-facts";
import { type ChangedAhj, subjectOf, textsOf, type ValueChange } from "./compare-answers";
import { editedSentences } from "./edited-sentences";
import { placeName } from "./place-name";
import { byRule, type RuleChange } from "./same-rule";
import type { RefreshReport } from "./plan-refresh";
import { reasonOfFailure, uncheckedReasons } from "./unchecked";

/** The lists of a refresh's report that the list of changes shows. */
export type ChangeList =
  | "renamed"
  | "followed"
  | "otherEntries"
  | "entered"
  | "left"
  | "unchecked"
  | "changes"
  | "unsure"
  | "edited"
  | "notRefreshed";

/** These lists of a report. */
export type ChangeReport = Pick<RefreshReport, ChangeList>;

/** A line of the list of changes. */
export interface ChangeLine {
  list: ChangeList;
  /** The first cell that it is about; undefined if there is none. */
  place: TableCell | undefined;
  /** The jurisdiction of a changed answer. */
  ahj?: ChangedAhj;
  jurisdiction: string;
  question?: string;
  /** The word for what happened, with its reason. */
  what: string;
  before?: Partial<Known> | null | undefined;
  after?: Known | null;
  /** The text or formula that somebody has typed into the cell, and that was kept. */
  kept?: string;
  /** Sentences that tell what happened, if the other fields do not. */
  told?: string;
}

/** All that sheet, pane, command and history know of a list. */
interface ChangeListFacts<Item> {
  /** The news in words: "2 values changed". Null if nothing has changed by the list's items, so that they are only told. */
  news: { noun: "value" | "jurisdiction" | "question" | "place"; verb: string } | null;
  /** The mark of its cells; null if they get none. */
  mark: MarkKind | null;
  /** The texts of a line that tell what happened: answers with their citations, names, sentences, or none. Then its word tells. */
  texts: "answers" | "names" | "sentences" | "none";
  /** True if `uncheckedSentences` sums the list up. */
  isSummedUp: boolean;
  lines(item: Item): Omit<ChangeLine, "list">[];
  /** The cells to mark, if they are others than that of the line. */
  cells?(item: Item): readonly TableCell[];
}

/** The lists, in the order in which the list of changes shows them. */
export const changeLists: { [List in ChangeList]: ChangeListFacts<RefreshReport[List][number]> } = {
  renamed: {
    news: { noun: "question", verb: "described otherwise" },
    mark: null,
    texts: "names",
    isSummedUp: false,
    lines: ({ before, after, headers }) =>
      (headers.length > 0 ? headers : [{ before: describedAs(before), after: describedAs(after) }]).map(
        (header) => ({
          place: undefined,
          jurisdiction: "",
          question: after.name,
          what: headers.length > 0 ? "header changed" : "question changed",
          before: { value: header.before },
          after: told(header.after),
        }),
      ),
  },
  followed: {
    news: { noun: "place", verb: "new in your list" },
    mark: null,
    texts: "names",
    isSummedUp: false,
    lines: ({ place, before, ahj }) => [
      {
        ...{ place, jurisdiction: placeName(ahj), question: place.header },
        what: before ? "another place" : "a new place",
        before: before && { value: placeName(before) },
        after: told(placeName(ahj)),
      },
    ],
  },
  otherEntries: {
    news: null,
    mark: null,
    texts: "none",
    isSummedUp: false,
    lines: ({ place, entry, ahj }) => [
      {
        place,
        jurisdiction: entry,
        what: `another place, not refreshed: has the answers of ${placeName(ahj)}`,
      },
    ],
  },
  entered: {
    news: { noun: "jurisdiction", verb: "entered" },
    mark: null,
    texts: "none",
    isSummedUp: false,
    lines: ({ place, ...ahj }) => [
      { place, jurisdiction: placeName(ahj), what: place ? "entered again" : "entered" },
    ],
  },
  left: {
    news: { noun: "jurisdiction", verb: "left" },
    mark: "changed",
    texts: "none",
    isSummedUp: false,
    lines: ({ ahj, place }) => [
      { place, jurisdiction: placeName(ahj), what: "left: it no longer meets the conditions" },
    ],
  },
  unchecked: {
    news: null,
    mark: null,
    texts: "none",
    isSummedUp: true,
    lines: ({ ahj, place, reason }) => [
      { place, jurisdiction: placeName(ahj), what: `not checked: ${uncheckedReasons[reason]}` },
    ],
  },
  changes: {
    news: { noun: "value", verb: "changed" },
    mark: "changed",
    texts: "answers",
    isSummedUp: false,
    lines: (change) => [
      { ...lineOf(change), what: change.before ? (change.after ? "changed" : "gone") : "new" },
    ],
  },
  unsure: {
    news: { noun: "value", verb: "changed or edited" },
    mark: "changed",
    texts: "answers",
    isSummedUp: false,
    lines: (change) => [{ ...lineOf(change), what: "changed or edited" }],
  },
  edited: {
    news: null,
    mark: "edited",
    texts: "sentences",
    isSummedUp: false,
    lines: (cell) => [
      {
        place: cell.place,
        jurisdiction: placeName(cell.ahj),
        question: subjectOf(cell),
        kept: cell.formula ?? cell.text,
        before: cell.before,
        after: cell.after,
        what: "edited, kept",
        told: editedSentences(cell),
      },
    ],
  },
  notRefreshed: {
    news: null,
    mark: "not-refreshed",
    texts: "none",
    isSummedUp: true,
    lines: ({ name, kind, places: [place] }) => [
      { place, jurisdiction: name, what: `not refreshed: ${reasonOfFailure(kind)}` },
    ],
    cells: ({ places }) => places,
  },
};

const listNames = Object.keys(changeLists) as ChangeList[];

/** A list as the code for any list sees it. */
type AnyItem = RefreshReport[ChangeList][number];
const anyList = (list: ChangeList): ChangeListFacts<AnyItem> => changeLists[list] as ChangeListFacts<AnyItem>;
const itemsOf = (report: ChangeReport, list: ChangeList): readonly AnyItem[] => report[list];

/** The lines of the list of changes. */
export function changeLines(report: ChangeReport): ChangeLine[] {
  return listNames.flatMap((list) =>
    itemsOf(report, list).flatMap((item) =>
      anyList(list)
        .lines(item)
        .map((line) => ({ list, ...line })),
    ),
  );
}

/** The lines of the list of changes, those of one rule joined. */
export function ruleLines<Line extends ChangeLine>(lines: readonly Line[]): RuleChange<Line>[] {
  return byRule(lines, ({ list, ahj, question, what, jurisdiction, before, after }) => ({
    ahj: ahj ?? { id: 0, name: jurisdiction, state_code: "", geoid: null },
    rule: ahj
      ? [list, question, what, ...contentParts.flatMap((part) => [before?.[part], after?.[part]])]
      : null,
  }));
}

/** The changed answers of a refresh, those of one rule joined. */
export function ruleChanges(changes: readonly ValueChange[]): RuleChange<ValueChange>[] {
  return byRule(changes, (change) => ({
    ahj: change.ahj,
    rule: change.type && [
      change.type.id,
      ...Object.values(textsOf(change)),
      ...contentParts.flatMap((part) => [change.before?.[part], change.after?.[part]]),
    ],
  }));
}

/** The number of items in the lists that hold `which`. */
export function countChanges(
  report: ChangeReport,
  which: (facts: ChangeListFacts<never>) => boolean,
): number {
  return listNames.filter((list) => which(anyList(list))).reduce((sum, list) => sum + report[list].length, 0);
}

/** The number of values that changed, or may have. */
export function countValues(report: ChangeReport): number {
  return countChanges(report, ({ news }) => news?.noun === "value");
}

/** The news of a refresh, values first, with the number of each. */
export function newsOf(report: ChangeReport): { noun: string; verb: string; count: number }[] {
  const all = listNames.flatMap((list) => {
    const { news } = changeLists[list];
    const count = report[list].length;
    return news && count > 0 ? [{ ...news, count }] : [];
  });
  const isOfValues = ({ noun }: { noun: string }) => Number(noun === "value");
  return all.sort((one, other) => isOfValues(other) - isOfValues(one));
}

/** The cells to mark, each with one mark. An edited cell is marked as such even if its answer has changed, too. */
export function cellsToMark(report: ChangeReport): (TableCell & { kind: MarkKind })[] {
  const marks = new Map<string, TableCell & { kind: MarkKind }>();
  for (const list of listNames) {
    const { mark: kind, lines, cells } = anyList(list);
    if (!kind) continue;
    for (const item of itemsOf(report, list))
      for (const place of cells?.(item) ?? lines(item).map((line) => line.place))
        if (place) marks.set(`${place.row} ${place.header}`, { ...place, kind });
  }
  return [...marks.values()];
}

/** A question with its unit. */
const describedAs = ({ name, unit_of_measure: unit }: ColumnType) =>
  unit === "" ? name : `${name} (${unit})`;

function lineOf(change: ValueChange): Omit<ChangeLine, "list" | "what"> {
  const { ahj, place, before, after } = change;
  const value = textsOf(change).after ?? "";
  return {
    place,
    ...(change.type && { ahj }),
    jurisdiction: placeName(ahj),
    question: subjectOf(change),
    before,
    after: after && { ...after, value },
  };
}
