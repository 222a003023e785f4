import type { KeptLookup } from "../../../app";
import { config } from "../../../config";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import type { FoundAnswer } from "../../../engine/lookup/answers/kept-answers";
import type { AhjName, AskOptions, Question } from "../../../engine/lookup/lookup";
import { Failure } from "../../../errors";
import type { FrozenHere } from "../../../workbook/cell-formulas/frozen-here";
import { type CellSource, mainSource, sourcesOf } from "../../../workbook/imports/sources/cell-source";
import type { KeptImport } from "../../../workbook/imports/saved/import-book";
import { tellsOfAhj } from "../../../workbook/imports/saved/ahj-headers";
import { answerCell } from "../../../workbook/sheet/layout/table-plan";
import { shows } from "../../../workbook/imports/refresh/compare-answers";
import type { SelectedCell } from "../../../workbook/sheet/cells/selected-cell";
import { asResultOf } from "../../../workbook/sheet/cells/source-cells";
import { createImportTables } from "../../../workbook/sheet/tables/table-changes";
import { isError } from "../../../workbook/sheet/values/shown-value";
import type { Workbook } from "../../../workbook/sheet/workbook";
import { type HeaderFacts, headerFacts, questionFacts } from "./header-facts";
import {
  type JurisdictionFacts,
  jurisdictionFacts,
  jurisdictionIn,
  type NamedJurisdiction,
} from "./jurisdiction-facts";
import type { KnownParts } from "./known-parts";
import { citedFacts, type RowFacts, rowFacts } from "./row-facts";

/** An answer that a cell shows or is made of, and everything that is known of it. */
export interface AnswerFacts {
  source: CellSource;
  /** The words of the row of an import's table; null for a formula. */
  row: RowFacts | null;
  /** The jurisdiction that is asked about, or that the cell tells of. */
  ahj: Ahj | null;
  type: DataPointType | null;
  /** The answer, or the reason why there is none. */
  answer: FoundAnswer | Failure | null;
}

/** Everything that is known of a cell. */
export interface CellFacts {
  cell: SelectedCell;
  /**
   * An import's answer; or the answers of the calls in the cell's formula, the outermost call first. A frozen cell has the answers of the
   * formula that it had.
   */
  answers: AnswerFacts[];
  /** The place in `answers` of the answer that gives the cell's value; 0 if none does. */
  main: number;
  /** The number of calls beyond the first `mostCalls`, which are not looked at. */
  moreCalls: number;
  frozen: FrozenHere | null;
  jurisdiction: JurisdictionFacts | null;
  header: HeaderFacts | null;
  /** The import whose table the cell is in. */
  tableOf: KeptImport | null;
}

export interface FactDependencies {
  workbook: Workbook;
  session: { lookup: KeptLookup };
  parts: KnownParts;
  canSeeSpills: boolean;
}

/** The number of a formula's calls that are looked at: a formula may have hundreds. */
const mostCalls = 50;

/** Reads what is known of the selected cell, without a request to the service. */
export async function readCellFacts(dependencies: FactDependencies): Promise<CellFacts> {
  const { workbook, session, parts, canSeeSpills } = dependencies;
  const cell = await workbook.selectedCell(canSeeSpills);
  const frozen = cell.formula === "" ? await findFrozen(cell, dependencies) : null;
  const all = await sourcesOf(frozen ? asResultOf(cell, frozen.formula) : cell, {
    namespace: config.namespace,
    workbook,
    importOf: parts.importOf,
  });
  const main = Math.min(mainSource(all), mostCalls - 1);
  const sources = all.slice(0, mostCalls);
  const asked = sources.map((source) => ({ source, cell }));
  const answers = await Promise.all(
    (await answersOf(asked, session, { keptOnly: true })).map((facts) => withCitation(facts, cell, parts)),
  );
  return {
    cell,
    answers,
    main,
    frozen,
    moreCalls: all.length - sources.length,
    jurisdiction: await namedBy(cell, sources, dependencies),
    header: await headerOf(cell, sources[main], dependencies),
    tableOf: await importHere(cell, parts),
  };
}

async function importHere({ table, header }: SelectedCell, parts: KnownParts): Promise<KeptImport | null> {
  const here = table ?? header;
  return (here && (await parts.importOf(here))) ?? null;
}

async function findFrozen(
  cell: SelectedCell,
  { workbook, parts }: FactDependencies,
): Promise<FrozenHere | null> {
  const frozen = await parts.frozen();
  if (frozen.length === 0) return null;
  const { frozenHere } = await import("../../../workbook/cell-formulas/frozen-here");
  return frozenHere(cell, frozen, workbook, new AbortController().signal);
}

/** The facts with the citation that the workbook holds, if this device does not hold the answer. */
export async function withCitation(
  facts: AnswerFacts,
  cell: SelectedCell,
  parts: Pick<KnownParts, "sources">,
): Promise<AnswerFacts> {
  const isHeld = facts.answer !== null && !(facts.answer instanceof Failure);
  return isHeld || !facts.row ? facts : { ...facts, row: await citedFacts(cell, facts.row, parts) };
}

/** The stored answers of the sources of cells, with the facts about them. */
export async function answersOf(
  asked: readonly { source: CellSource; cell: SelectedCell }[],
  { lookup }: FactDependencies["session"],
  options: AskOptions,
): Promise<AnswerFacts[]> {
  const questions = asked.flatMap(({ source }) => source.question ?? []);
  const names = asked.flatMap(({ source }) => source.name ?? []);
  const wants = {
    questions,
    ahjs: questions.map(({ ahj }) => ahj),
    types: questions.map(({ type }) => type),
  };
  const found = questions.length > 0 ? await lookup.ask(wants, options) : undefined;
  const foundNames = names.length > 0 ? (await lookup.ask({ ahjs: names }, options)).ahjs : [];
  let [place, placeOfName] = [0, 0];
  return asked.map(({ source, cell }) => {
    const facts: AnswerFacts = { source, row: rowFacts(cell, source), ahj: null, type: null, answer: null };
    if (source.question && found) {
      const ahj = found.ahjs[place];
      if (ahj && !(ahj instanceof Failure)) facts.ahj = ahj;
      facts.type = found.types[place] ?? null;
      facts.answer = knownOutcome(source.question, found.values[place] ?? null, lookup);
      place += 1;
    } else if (source.name !== undefined) {
      const named = foundNames[placeOfName] ?? null;
      if (!(named instanceof Failure)) facts.ahj = named;
      else if (isError(cell.value)) facts.answer = knownOutcome(source.name, named, lookup);
      placeOfName += 1;
    }
    return facts;
  });
}

/** The kept outcome; if nothing is kept, the reason why it failed when a formula last asked for it. */
function knownOutcome<Kept>(
  asked: Question | AhjName,
  kept: Kept,
  { lastFailure }: Pick<KeptLookup, "lastFailure">,
): Kept | Failure {
  const isNotAsked = kept instanceof Failure && kept.kind === "not-asked";
  return (isNotAsked && lastFailure(asked)) || kept;
}

/** The jurisdiction that the cell names. A cell that shows an answer names none: a fee may look like a geoID. */
async function namedBy(
  cell: SelectedCell,
  sources: readonly CellSource[],
  { session, parts }: FactDependencies,
): Promise<JurisdictionFacts | null> {
  if (cell.header || sources.some(({ question }) => question)) return null;
  const named = (await namedInTable(cell, parts)) ?? namedByCall(sources) ?? jurisdictionIn(cell.value);
  return named && jurisdictionFacts(named, session.lookup, { keptOnly: true });
}

const byItsId = (name: NamedJurisdiction["name"]) => ({ name, isOnlyIfKnown: false, isPadded: false });

/** The jurisdiction of a row in an import's table, by the row's AHJ id, if the cell is in a column about jurisdictions. */
async function namedInTable({ table }: SelectedCell, parts: KnownParts): Promise<NamedJurisdiction | null> {
  const kept = table && (await parts.importOf(table));
  if (!kept) return null;
  const { columns } = kept.saved;
  const header = table.headers[table.column];
  const ids = columns.find(({ content }) => content.of === "ahj" && content.field === "id");
  const id = Number(ids && table.values[table.headers.indexOf(ids.header)]);
  return tellsOfAhj(kept.saved, header ?? "") && Number.isSafeInteger(id) && id > 0 ? byItsId(id) : null;
}

/** The jurisdiction of a cell beside the answers of a matrix formula. */
function namedByCall([source]: readonly CellSource[]): NamedJurisdiction | null {
  const about = source?.about;
  return about && "ahj" in about ? byItsId(about.ahj) : null;
}

async function headerOf(
  { header }: SelectedCell,
  source: CellSource | undefined,
  { session: { lookup }, workbook, parts }: FactDependencies,
): Promise<HeaderFacts | null> {
  const kept = header && (await parts.importOf(header));
  if (kept) return headerFacts(header, kept, { ...lookup, tables: createImportTables(workbook) });
  if (!source?.about || !("type" in source.about)) return null;
  const question = await questionFacts(source.about.type, lookup);
  const column = { of: "answer", part: "value", typeId: question?.type?.id ?? null } as const;
  return question && { importName: null, column, question, filled: null };
}

/** True if the cell shows this answer, as far as the answer is known. */
export function isShownBy({ value, text }: SelectedCell, { answer, type }: AnswerFacts): boolean {
  if (!answer || answer instanceof Failure) return false;
  const { cell } = answer;
  return (
    text === cell.value ||
    value === cell.value ||
    (type !== null && shows(answerCell("value", cell, type), value))
  );
}
