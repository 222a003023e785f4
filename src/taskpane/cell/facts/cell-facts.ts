import type { Session } from "../../../app";
import { config } from "../../../config";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { FoundAnswer } from "../../../engine/lookup/answers/answers";
import type { AskOptions, Question } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import type { FrozenHere } from "../../../workbook/cell-formulas/frozen-here";
import { type CellSource, mainSource, sourcesOf } from "../../../workbook/imports/sources/cell-source";
import { answerCell } from "../../../workbook/sheet/layout/table-plan";
import { shows } from "../../../workbook/imports/refresh/compare-answers";
import type { SelectedCell } from "../../../workbook/sheet/cells/selected-cell";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import { isError } from "../../../workbook/sheet/values/shown-value";
import type { CellPosition, Workbook } from "../../../workbook/sheet/workbook";
import { type HeaderFacts, headerFacts, questionFacts } from "./header-facts";
import {
  type JurisdictionFacts,
  jurisdictionFacts,
  jurisdictionIn,
  type NamedJurisdiction,
} from "./jurisdiction-facts";
import type { KnownParts } from "./known-parts";

/** An answer that a cell shows or is made of, and all that is known of it. */
export interface AnswerFacts {
  source: CellSource;
  ahj: Ahj | null;
  type: DataPointType | null;
  /** The answer, or why there is none. */
  answer: FoundAnswer | Failure | null;
}

/** What is known of a cell. */
export interface CellFacts {
  cell: SelectedCell;
  /** An import's answer, or those of each call in its formula, the outermost first; of a frozen cell, in the formula that it was. */
  answers: AnswerFacts[];
  /** Which of them gives what the cell shows, or is the first. */
  main: number;
  /** Calls beyond those that are looked at. */
  moreCalls: number;
  frozen: FrozenHere | null;
  jurisdiction: JurisdictionFacts | null;
  header: HeaderFacts | null;
}

export interface FactDoors {
  workbook: Workbook;
  session: Pick<Session, "lookup">;
  parts: KnownParts;
  canSeeSpills: boolean;
}

/** A formula may have hundreds. */
const mostCalls = 50;

/** Looks at the selected cell: nothing is asked of the service. */
export async function readCellFacts(doors: FactDoors): Promise<CellFacts> {
  const { workbook, session, parts, canSeeSpills } = doors;
  const cell = await workbook.selectedCell(canSeeSpills);
  const frozen = cell.formula === "" ? await frozenIn(cell, doors) : null;
  const all = await sourcesOf(frozen ? asItWas(cell, frozen) : cell, {
    namespace: config.namespace,
    workbook,
    importOf: parts.importOf,
  });
  const main = Math.min(mainSource(all), mostCalls - 1);
  const sources = all.slice(0, mostCalls);
  const answers = await answersOf(sources, cell, session, { keptOnly: true });
  return {
    ...{ cell, answers, main, frozen },
    moreCalls: all.length - sources.length,
    jurisdiction: await namedBy(cell, sources, doors),
    header: await headerOf(cell, sources[main], doors),
  };
}

async function frozenIn(cell: SelectedCell, { workbook, parts }: FactDoors): Promise<FrozenHere | null> {
  const known = await parts.frozen();
  if (known.length === 0) return null;
  const { frozenHere } = await import("../../../workbook/cell-formulas/frozen-here");
  return frozenHere(cell, known, workbook, new AbortController().signal);
}

/** The cell as if its frozen formula were in it. */
function asItWas(cell: SelectedCell, { formula: { formula, row, column } }: FrozenHere): SelectedCell {
  return { ...cell, formula, offset: { row: cell.row - row, column: cell.column - column } };
}

/** What is kept of each answer. */
async function answersOf(
  sources: readonly CellSource[],
  cell: SelectedCell,
  { lookup }: FactDoors["session"],
  options: AskOptions,
): Promise<AnswerFacts[]> {
  const questions = sources.flatMap(({ question }) => question ?? []);
  const names = sources.flatMap(({ name }) => (name && isError(cell.value) ? [name] : []));
  const wants = {
    questions,
    ahjs: questions.map(({ ahj }) => ahj),
    types: questions.map(({ type }) => type),
  };
  const found = questions.length > 0 ? await lookup.ask(wants, options) : undefined;
  const foundNames = names.length > 0 ? (await lookup.ask({ names }, options)).names : [];
  let [place, placeOfName] = [0, 0];
  return sources.map((source) => {
    const facts: AnswerFacts = { source, ahj: null, type: null, answer: null };
    if (source.question && found) {
      const ahj = found.ahjs[place];
      if (ahj && !(ahj instanceof Failure)) facts.ahj = ahj;
      facts.type = found.types[place] ?? null;
      facts.answer = knownAnswer(source.question, found.values[place] ?? null, lookup);
      place += 1;
    } else if (source.name && isError(cell.value)) {
      const named = foundNames[placeOfName];
      if (named instanceof Failure) facts.answer = named;
      placeOfName += 1;
    }
    return facts;
  });
}

/** For an answer that was not asked for since, why it could not be had the last time. */
function knownAnswer(
  question: Question,
  answer: AnswerFacts["answer"],
  { lastFailure }: Pick<Session["lookup"], "lastFailure">,
): AnswerFacts["answer"] {
  const isNotAsked = answer instanceof Failure && answer.kind === "not-asked";
  return (isNotAsked && lastFailure(question)) || answer;
}

/** The jurisdiction that the cell names, unless it shows an answer: a fee may look like a geoID. */
async function namedBy(
  cell: SelectedCell,
  sources: readonly CellSource[],
  { session, parts }: FactDoors,
): Promise<JurisdictionFacts | null> {
  if (cell.header || sources.some(({ question }) => question)) return null;
  const named = (await namedInTable(cell, parts)) ?? namedByCall(sources) ?? jurisdictionIn(cell.value);
  return named && jurisdictionFacts(named, session.lookup, { keptOnly: true });
}

const byItsId = (name: NamedJurisdiction["name"]) => ({ name, isOnlyIfKnown: false, isPadded: false });

/** By the AHJ id of a row in an import's table, in the columns that tell of jurisdictions. */
async function namedInTable({ table }: SelectedCell, parts: KnownParts): Promise<NamedJurisdiction | null> {
  const kept = table && (await parts.importOf(table));
  if (!kept) return null;
  const { columns, listHeader } = kept.saved;
  const header = table.headers[table.column];
  const tellsOfAhj = columns.some((each) => each.header === header && each.content.of === "ahj");
  const ids = columns.find(({ content }) => content.of === "ahj" && content.field === "id");
  const id = Number(ids && table.values[table.headers.indexOf(ids.header)]);
  const isHere = tellsOfAhj || header === listHeader;
  return isHere && Number.isSafeInteger(id) && id > 0 ? byItsId(id) : null;
}

/** Beside the answers of a matrix. */
function namedByCall([source]: readonly CellSource[]): NamedJurisdiction | null {
  const about = source?.about;
  return about && "ahj" in about ? byItsId(about.ahj) : null;
}

async function headerOf(
  { header }: SelectedCell,
  source: CellSource | undefined,
  { session: { lookup }, workbook, parts }: FactDoors,
): Promise<HeaderFacts | null> {
  const kept = header && (await parts.importOf(header));
  if (kept) return headerFacts(header, kept, { ...lookup, tables: createImportTables(workbook) });
  if (!source?.about || !("type" in source.about)) return null;
  const question = await questionFacts(source.about.type, lookup);
  const column = { of: "answer", part: "value", typeId: question?.type?.id ?? null } as const;
  return question && { importName: null, column, question, filled: null };
}

/** The cell whose formula gives what a cell shows: itself, or the one that spills into it. */
export function anchorOf({ sheetId, row, column, offset }: SelectedCell): CellPosition {
  return { sheetId, row: row - offset.row, column: column - offset.column };
}

/** Whether the answer, as it is known, is what the cell shows. */
export function isShownBy({ value, text }: SelectedCell, { answer, type }: AnswerFacts): boolean {
  if (!answer || answer instanceof Failure) return false;
  const { cell } = answer;
  return (
    text === cell.value ||
    value === cell.value ||
    (type !== null && shows(answerCell("value", cell, type), value))
  );
}
