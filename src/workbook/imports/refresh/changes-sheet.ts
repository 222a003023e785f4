import { textCell } from "../../sheet/values/cell-value";
import { fitsSheet, type SheetTable } from "../../sheet/layout/table-plan";
import { Failure } from "../../../errors";
import type { TableCell } from "../../sheet/tables/bound-table";
import type { ColumnType } from "../../sheet/layout/table-plan";
import type { Known } from "../../sheet/layout/answer-parts";
import { noType, type PastRefresh } from "../saved/refresh-history";
import { told } from "./ahj-facts";
import { type ChangedAhj, subjectOf, textsOf, type ValueChange } from "./compare-answers";
import type { RefreshReport } from "./plan-refresh";
import { reasonOfFailure, uncheckedReasons } from "./unchecked";

const headers = [
  "Cell",
  "Jurisdiction",
  "Question",
  "What",
  "Before",
  "Now",
  "Reference before",
  "Reference now",
  "Section before",
  "Section now",
  "Updated",
  "Refreshed",
];

/** A jurisdiction's name with county and state, to tell it from others of the same name: "Bibb County, AL", "Union, Polk County, IA". */
export function placeName({ name, county, state_code: state }: ChangedAhj): string {
  const place = county === undefined ? name : `${name}, ${county}`;
  // The name may already end with the state.
  return state === "" || place.toUpperCase().endsWith(`, ${state.toUpperCase()}`)
    ? place
    : `${place}, ${state}`;
}

/** The cells that the sheet of changes names, one for each of its rows; undefined for a row without a cell. */
export function reportedCells(report: RefreshReport): (TableCell | undefined)[] {
  return linesOf(report).map(({ place }) => place);
}

interface Line {
  place: TableCell | undefined;
  jurisdiction: string;
  question?: string;
  what: string;
  before?: Partial<Known> | null;
  after?: Known | null;
}

function linesOf(report: RefreshReport): Line[] {
  const { changes, unsure, edited, notRefreshed, entered, left, unchecked, renamed } = report;
  return [
    ...renamed.flatMap(({ before, after, headers }) =>
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
    ),
    ...entered.map(({ place, ...ahj }) => ({
      place,
      jurisdiction: placeName(ahj),
      what: place ? "entered again" : "entered",
    })),
    ...left.map(({ ahj, place }) => ({
      place,
      jurisdiction: placeName(ahj),
      what: "left: it no longer meets the conditions",
    })),
    ...unchecked.map(({ ahj, place, reason }) => ({
      place,
      jurisdiction: placeName(ahj),
      what: `not checked: ${uncheckedReasons[reason]}`,
    })),
    ...changes.map((change) => ({
      ...lineOf(change),
      what: change.before ? (change.after ? "changed" : "gone") : "new",
    })),
    ...unsure.map((change) => ({ ...lineOf(change), what: "changed or edited" })),
    ...edited.map(({ ahj, type, place, text, formula, after }) => ({
      place,
      jurisdiction: placeName(ahj),
      question: subjectOf({ type, place }),
      before: { value: formula ?? text },
      after,
      what: "edited, left as it is",
    })),
    ...notRefreshed.map(({ name, kind, places: [place] }) => ({
      place,
      jurisdiction: name,
      what: `not refreshed: ${reasonOfFailure(kind)}`,
    })),
  ];
}

/** A question with its unit. */
const describedAs = ({ name, unit_of_measure: unit }: ColumnType) =>
  unit === "" ? name : `${name} (${unit})`;

function lineOf(change: ValueChange): Omit<Line, "what"> {
  const { ahj, place, before, after } = change;
  const value = textsOf(change).after ?? "";
  return {
    place,
    jurisdiction: placeName(ahj),
    question: subjectOf(change),
    before,
    after: after && { ...after, value },
  };
}

/**
 * A refresh as a table of texts: a row for each changed, new and vanished value, for each cell that somebody has edited, and for each
 * jurisdiction that was not refreshed, that entered or that left. `addresses` are those of `reportedCells`.
 * @throws Failure `too-large` if a sheet could not hold the rows.
 */
export function planChanges(report: RefreshReport, addresses: readonly (string | undefined)[]): SheetTable {
  const lines = linesOf(report);
  if (!fitsSheet({ rows: lines.length + 1, columns: headers.length })) throw new Failure("too-large");
  const refreshed = new Date(report.atMs).toISOString().replace(/\.\d+Z$/, "Z");
  const rows = lines.map(({ jurisdiction, question, what, before, after }, index) =>
    [
      ...[addresses[index], jurisdiction, question, what],
      ...[before?.value, after?.value],
      ...[before?.reference, after?.reference],
      ...[before?.section, after?.section],
      ...[after?.updatedAt, refreshed],
    ].map((given) => textCell(given ?? "")),
  );
  return { columns: headers.map((header) => ({ header })), rows };
}

/** A refresh in the form that the workbook remembers. */
export function pastRefresh({ atMs, changes, unsure, entered, left }: RefreshReport): PastRefresh {
  const past = (change: ValueChange) => ({
    ahjId: change.ahj.id,
    ...(change.type ? { typeId: change.type.id } : { typeId: noType, column: change.place.header }),
    name: placeName(change.ahj),
    ...textsOf(change),
  });
  return {
    atMs,
    changed: changes.length + unsure.length,
    changes: [...changes.map(past), ...unsure.map((each) => ({ ...past(each), isUnsure: true }))],
    ...(entered.length > 0 && { entered: entered.map(placeName) }),
    ...(left.length > 0 && { left: left.map(({ ahj }) => placeName(ahj)) }),
  };
}
