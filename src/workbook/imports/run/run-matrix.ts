import { inTurns } from "../../../async/in-turns";
import { aboutOf, leavesBlank, undecided } from "../../../engine/absence";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import { Failure } from "../../../errors";
import type { Answers } from "../../../engine/lookup/answers/answers";
import type { WantedAnswers, UnknownAnswers } from "../../../engine/lookup/answers/request-plan";
import type { TableForm } from "../../sheet/layout/table-plan";
import type { ImportData, ImportReport, RunOptions } from "./import-types";

function wantedBy(ahjs: readonly Ahj[], types: readonly DataPointType[]): WantedAnswers {
  const typeIds = new Set(types.map((type) => type.id));
  return new Map(ahjs.map((ahj) => [ahj.id, typeIds]));
}

export async function runMatrix(
  question: { ahjs: readonly Ahj[]; types: readonly DataPointType[] },
  answers: Answers,
  { signal, onProgress, onWait, budget, isDated = false, gate, hold, keptOnly = false }: RunOptions,
): Promise<ImportData> {
  const { ahjs, types } = question;
  const total = ahjs.length * types.length;
  const read = await answers.read(workFor(question, isDated), {
    signal,
    onWait,
    budget,
    gate,
    hold,
    keptOnly,
    // An import that is half done would pass for a whole one.
    failFast: true,
    onProgress: (done, complete) =>
      onProgress?.({ phase: "fetching", done, total, ahjs: { done: complete, total: ahjs.length } }),
  });

  const report: ImportReport = {
    rows: 0,
    values: 0,
    leftOut: [],
    notRead: [],
    withoutValue: [],
    unknownTypes: [],
    missingValues: 0,
    oldAnswers: null,
  };
  const rows: Ahj[] = [];
  /** The AHJs of which a list of values may have none because the service does not know them. */
  const doubtful = new Set<number>();
  const columns = types.map((type) => ({ type, blank: new Array<Ahj>(), isUnknown: false }));
  const take = (ahj: Ahj) => {
    const row = types.map(({ id }) => read.see(ahj.id, id));
    const kinds = new Set(row.map((answer) => (answer instanceof Failure ? answer.kind : undefined)));
    const refusal = [...kinds].find((kind) => kind && (aboutOf(kind) === "ahj" || kind === undecided.kind));
    if (refusal) return void report.leftOut.push({ ahj, kind: refusal });
    if (keptOnly && kinds.has("not-asked")) return void report.notRead.push(ahj);
    rows.push(ahj);
    if (isDated && row.every((answer) => answer instanceof Failure)) doubtful.add(ahj.id);
    row.forEach((answer, index) => {
      const column = columns[index];
      if (!(answer instanceof Failure)) count(report, answer);
      else if (leavesBlank(answer.kind)) column?.blank.push(ahj);
      else if (column && aboutOf(answer.kind) === "type") column.isUnknown = true;
      else throw answer;
    });
  };
  await inTurns(ahjs, take);
  report.rows = rows.length;
  for (const { type, blank, isUnknown } of columns) {
    if (blank.length > 0) report.withoutValue.push({ type, ahjs: blank });
    if (isUnknown) report.unknownTypes.push(type);
  }

  const answerOf = (ahjId: number, typeId: number) => {
    const answer = read.of(ahjId, typeId);
    if (!(answer instanceof Failure)) return answer.cell;
    return leavesBlank(answer.kind) && !doubtful.has(ahjId) ? null : undefined;
  };
  const { value, copy } = read;
  return { answers: { ahjs: rows, types, of: answerOf, value, copy }, report };
}

/** True if an import shows when answers changed, in its table or on its Sources sheet. */
export function needsDates({ hasDates }: TableForm, hasSources: boolean): boolean {
  return hasSources || (hasDates ?? false);
}

/** The answers to ask the lookup for. Dates come only with the list of data points, not with a matrix. */
export function workFor(
  { ahjs, types }: { ahjs: readonly Ahj[]; types: readonly DataPointType[] },
  isDated: boolean,
): UnknownAnswers {
  const wanted = wantedBy(ahjs, types);
  return isDated ? { values: new Map(), dated: wanted } : { values: wanted };
}

function count(report: ImportReport, { fetchedAtMs, isOld }: { fetchedAtMs: number; isOld: boolean }) {
  report.values += 1;
  if (!isOld) return;
  const { count, oldestMs } = report.oldAnswers ?? { count: 0, oldestMs: Infinity };
  report.oldAnswers = { count: count + 1, oldestMs: Math.min(oldestMs, fetchedAtMs) };
}
