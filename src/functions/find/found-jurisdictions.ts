import type { DataPointType } from "../../engine/api/schemas";
import { isOfCell } from "../../engine/absence";
import { isBlank, quoted, typeOf } from "../../engine/lookup/asked-names";
import type { CellAnswer } from "../../engine/lookup/answers/kept-answers";
import type { TypeName } from "../../engine/lookup/lookup";
import { createRequestBudget } from "../../engine/transport/request-budget";
import { Failure } from "../../errors";
import { type AnswerColumn, createAnswerColumn } from "../../find/answer-column";
import { unknownReasons } from "../../find/conditions/verdict";
import { columnsFor, eachOnce, type Find, findIn, type WantedColumn } from "../../find/find";
import type { Heaps } from "../../find/heaps";
import { entryOf, isUndated, undatedFailure, workFor } from "../../find/read-columns";
import { argumentChoices } from "../../workbook/formula-text/argument-choices";
import { cellText } from "../../workbook/sheet/values/cell-value";
import { cellsOf, choiceOf, flagOf } from "../arguments";
import type { ResultContent } from "../answer-plan";
import type { Call } from "../call";
import { citesNumbers, valueCell } from "../excel-values";
import {
  conditionOf,
  mayBeDay,
  type ConditionRow,
  readConditionRows,
  readWhere,
  type Refused,
  refusedRow,
} from "./find-arguments";
import {
  type Candidate,
  type FindDependencies,
  isCandidate,
  isRefused,
  readCandidates,
  readNames,
} from "./find-candidates";
import { table } from "../list-table";

/** =REGDATA.FIND */
export async function find(
  call: Call,
  args: Record<"where" | "conditions" | "columns" | "headers" | "match" | "show", unknown>,
): Promise<ResultContent[][]> {
  const where = await readWhere(args.where);
  const rows = readConditionRows(args.conditions);
  const shownNames = readColumnNames(args.columns);
  const hasHeaders = flagOf(args.headers, true);
  const match = choiceOf(args.match, argumentChoices.match) ?? argumentChoices.match[0];
  const isFound = (choiceOf(args.show, argumentChoices.show) ?? "found") === "found";
  return call.read(async ({ lookup }, callOptions) => {
    const options = { ...callOptions, budget: createRequestBudget() };
    const dependencies: FindDependencies = { lookup, options };
    const nowMs = Date.now();
    const typeNamed = await readTypes([...rows.map(({ type }) => type), ...shownNames], dependencies);
    if (rows.some((row) => mayBeDay(row, typeOfRow(row, typeNamed)))) await call.app.learnDates();
    const conditions = rows.map((row) => conditionOf(row, typeOfRow(row, typeNamed), nowMs));
    const isDated = citesNumbers(call.app);
    const shown = shownNames.map((name) => ({ type: typeOfColumn(name, typeNamed), isDated }));
    const everyone = await readCandidates(where, dependencies);
    const candidates = everyone.filter(isCandidate);
    const hold = lookup.answers.hold();
    try {
      hold.keep(candidates.map(({ ahjId }) => ahjId));
      const answers = createAnswers(dependencies);
      const heaps = await judge(candidates, { match, conditions }, shown, nowMs, answers, dependencies);
      const placeOf = new Map<Candidate | Refused, number>(candidates.map((each, place) => [each, place]));
      const heap = isFound ? "yes" : "not-known";
      const chosen = everyone.filter((each) => heapOf(heaps, placeOf.get(each)) === heap);
      await answers.read(chosen.filter(isCandidate), shown);
      const namesOf = await readNames(chosen, everyone, dependencies);
      const lines = chosen.map((each): ResultContent[] => [
        ...namesOf(each).map(cellText),
        ...shown.map(({ type }): ResultContent => {
          if (isRefused(each)) return each.refusal;
          const answer = answers.of(each.ahjId, type.id);
          return answer instanceof Failure ? answer : valueCell(answer, call.app);
        }),
        ...(isFound
          ? []
          : [cellText(isRefused(each) ? each.refusal.message : whyNotKnown(placeOf.get(each) ?? 0))]),
      ]);
      const [found, notKnown] = [
        heaps.counts.yes,
        heaps.counts["not-known"] + everyone.length - candidates.length,
      ];
      if (lines.length === 0 && !hasHeaders && isFound && notKnown > 0)
        throw new Failure("nothing-found", { detail: `Of ${figure(notKnown)} it is not known.` });
      const headers = [
        ...[isFound ? foundHeader(found, notKnown) : `Not known ${figure(notKnown)}`, "State", "geoID"],
        ...shown.map(({ type }) => cellText(type.name)),
        ...(isFound ? [] : ["Why"]),
      ];
      return table(headers, lines, hasHeaders);

      function whyNotKnown(place: number): string {
        return heaps
          .reasonsFor(place)
          .map(({ condition, reason }) => `${conditions[condition]?.type.name}: ${unknownReasons[reason]}`)
          .join(" ");
      }
    } finally {
      hold.release();
    }
  });
}

/** A geoID that stands for no jurisdiction counts as not known. */
function heapOf(heaps: Heaps, place: number | undefined) {
  return place === undefined ? "not-known" : heaps.heapOf(place);
}

function foundHeader(found: number, notKnown: number): string {
  return `Found ${figure(found)}${notKnown === 0 ? "" : ` (${figure(notKnown)} not known)`}`;
}

const figure = (count: number) => count.toLocaleString("en-US");

function readColumnNames(argument: unknown): TypeName[] {
  return cellsOf(argument)
    .filter((cell) => !isBlank(cell))
    .map((cell) => {
      const name = typeOf(cell);
      if (name === null || name instanceof Failure) throw refusedColumn(cell, "is no question id");
      return name;
    });
}

function refusedColumn(cell: unknown, why: string): Failure {
  return new Failure("invalid-argument", { detail: `${quoted(cell)} in "columns" ${why}.` });
}

type TypeNamed = (name: TypeName) => DataPointType | Failure;

function typeOfColumn(name: TypeName, typeNamed: TypeNamed): DataPointType {
  const type = typeNamed(name);
  if (!(type instanceof Failure)) return type;
  const isShared = type.kind === "ambiguous-name";
  throw refusedColumn(
    name,
    isShared ? "names several questions: use the id" : "is no question of the service",
  );
}

function typeOfRow({ row, type: name }: ConditionRow, typeNamed: TypeNamed): DataPointType {
  const type = typeNamed(name);
  if (!(type instanceof Failure)) return type;
  const isShared = type.kind === "ambiguous-name";
  throw refusedRow(
    row,
    isShared
      ? `Several questions are named ${quoted(name)}: use the id.`
      : `The service knows no question ${quoted(name)}.`,
  );
}

/** Reads the questions with these ids or names. */
async function readTypes(
  names: readonly TypeName[],
  { lookup: { catalogue }, options }: FindDependencies,
): Promise<TypeNamed> {
  const idOfText = await catalogue.typeIds(
    names.filter((name) => typeof name === "string"),
    options,
  );
  // Reads the catalogue again if it lacks one of these types.
  await catalogue.realTypeIds(
    names.filter((name) => typeof name === "number"),
    options,
  );
  const types = new Map((await catalogue.types(options)).map((type) => [type.id, type]));
  return (name) => {
    const id = typeof name === "number" ? name : idOfText.get(name);
    return id instanceof Failure ? id : (types.get(id ?? 0) ?? new Failure("unknown-type"));
  };
}

/** Puts the jurisdictions into heaps. The answers to be shown are read at the same time if that takes no further request. */
async function judge(
  candidates: readonly Candidate[],
  find: Find,
  shown: readonly WantedColumn[],
  nowMs: number,
  answers: FindAnswers,
  { lookup, options: { keptOnly } }: FindDependencies,
): Promise<Heaps> {
  const ahjIds = candidates.map(({ ahjId }) => ahjId);
  await lookup.answers.recall(ahjIds);
  const compared = columnsFor(find);
  const both = eachOnce([...compared, ...shown]);
  const requestsOf = (columns: readonly WantedColumn[]) => lookup.requestsFor(workFor(ahjIds, columns));
  const isNoDearer = shown.length > 0 && (await requestsOf(both)) <= (await requestsOf(compared));
  await answers.read(candidates, isNoDearer ? both : compared);
  const columns = new Map<number, AnswerColumn>();
  for (const { type, isDated } of compared) {
    const { column, set } = createAnswerColumn(type, ahjIds.length, isDated);
    ahjIds.forEach((ahjId, place) => {
      const answer = answers.of(ahjId, type.id);
      if (isDated && isUndated(answer)) throw undatedFailure(keptOnly);
      set(place, entryOf(answer));
    });
    columns.set(type.id, column);
  }
  return findIn(ahjIds.length, (typeId) => columns.get(typeId), find, nowMs);
}

/** The answers that a find has read. */
interface FindAnswers {
  /** Asks for answers that have not been read yet. Fails if a part of them can't be had. */
  read(candidates: readonly Candidate[], columns: readonly WantedColumn[]): Promise<void>;
  of(ahjId: number, typeId: number): CellAnswer;
}

/** Asks as other formulas do, so that all of them share their requests. */
function createAnswers({ lookup, options }: FindDependencies): FindAnswers {
  const read = new Map<number, Map<number, CellAnswer>>();
  const notRead = new Failure("internal");
  return {
    async read(candidates, columns) {
      const open = columns.filter(({ type }) =>
        candidates.some(({ ahjId }) => !read.get(type.id)?.has(ahjId)),
      );
      const ahjIds = candidates.map(({ ahjId }) => ahjId);
      if (!options.keptOnly) options.budget?.expect(await lookup.requestsFor(workFor(ahjIds, open)));
      const ask = async (dated: boolean) => {
        const types = open.filter(({ isDated }) => isDated === dated);
        const questions = types.flatMap(({ type }) => ahjIds.map((ahj) => ({ ahj, type: type.id })));
        const { values } = await lookup.ask({ questions, dated }, options);
        questions.forEach(({ ahj, type }, place) => {
          const answer = values[place] ?? notRead;
          // With any other failure, the result would lack jurisdictions though the service was not asked about them.
          if (answer instanceof Failure && !isOfCell(answer.kind)) throw answer;
          const ofType = read.get(type) ?? new Map<number, CellAnswer>();
          read.set(type, ofType.set(ahj, answer));
        });
      };
      await Promise.all([ask(false), ask(true)]);
    },
    of: (ahjId, typeId) => read.get(typeId)?.get(ahjId) ?? notRead,
  };
}
