import { inTurns } from "../../../engine/api/let-page-answer";
import type { Ahj, DataPointType } from "../../../engine/api/schemas";
import { Failure, type FailureKind } from "../../../errors";
import type { Answers, CellAnswer, FoundAnswer, ReadAnswers } from "../../../engine/lookup/answers/answers";
import type { Wanted, Work } from "../../../engine/lookup/answers/request-plan";
import type { ImportReport } from "./report";
import type { ReadImport, RunOptions } from "./run-import";

function wantedBy(ahjs: readonly Ahj[], types: readonly DataPointType[]): Wanted {
  const typeIds = new Set(types.map((type) => type.id));
  return new Map(ahjs.map((ahj) => [ahj.id, typeIds]));
}

export async function runMatrix(
  question: { ahjs: readonly Ahj[]; types: readonly DataPointType[] },
  answers: Answers,
  { signal, onProgress, onWait, isDated = false, gate, hold, keptOnly = false }: RunOptions,
): Promise<ReadImport> {
  const { ahjs, types } = question;
  const total = ahjs.length * types.length;
  const open = createCountdown(ahjs, types);
  const read = await answers.read(workFor(question, isDated), {
    signal,
    onWait,
    gate,
    hold,
    keptOnly,
    onCell: (_, ahjId) => open.count(ahjId),
    // Half an import would pass for a whole one.
    failFast: true,
    onProgress: (done) =>
      onProgress?.({
        phase: "fetching",
        done,
        total,
        ahjs: { done: open.complete(), total: ahjs.length },
      }),
  });

  const leftOut: ImportReport["leftOut"] = [];
  await inTurns(
    ahjs,
    (ahj) => {
      const kind = refusalOf(ahj, types, read);
      if (kind) leftOut.push({ ahj, kind });
    },
    types.length,
  );
  const out = new Set(leftOut.map(({ ahj }) => ahj.id));
  const isUnread = (ahj: Ahj) => types.some((type) => isNotAsked(read.of(ahj.id, type.id)));
  const notRead = keptOnly ? ahjs.filter((ahj) => !out.has(ahj.id) && isUnread(ahj)) : [];
  for (const { id } of notRead) out.add(id);
  const rows = ahjs.filter((ahj) => !out.has(ahj.id));

  const report: ImportReport = {
    rows: rows.length,
    values: 0,
    leftOut,
    notRead,
    withoutValue: [],
    unknownTypes: [],
    missingValues: 0,
    oldAnswers: null,
  };
  const columns = types.map((type) => ({ type, blank: new Array<Ahj>(), isUnknown: false }));
  await inTurns(
    rows,
    (ahj) => {
      for (const column of columns) {
        const answer = read.of(ahj.id, column.type.id);
        if (!(answer instanceof Failure)) count(report, answer);
        else if (answer.kind === "no-value") column.blank.push(ahj);
        else if (answer.kind === "unknown-type") column.isUnknown = true;
        else throw answer;
      }
    },
    types.length,
  );
  for (const { type, blank, isUnknown } of columns) {
    if (blank.length > 0) report.withoutValue.push({ type, ahjs: blank });
    if (isUnknown) report.unknownTypes.push(type);
  }

  const answerOf = (ahjId: number, typeId: number) => {
    const answer = read.of(ahjId, typeId);
    return answer instanceof Failure ? null : answer.cell;
  };
  return { answers: { ahjs: rows, types, of: answerOf }, report };
}

/** What is asked of the lookup: dates come only from the list of data points. */
export function workFor(
  { ahjs, types }: { ahjs: readonly Ahj[]; types: readonly DataPointType[] },
  isDated: boolean,
): Work {
  const wanted = wantedBy(ahjs, types);
  return isDated ? { values: new Map(), dated: wanted } : { values: wanted };
}

/** Counts the AHJs all of whose cells have their answer. */
function createCountdown(ahjs: readonly Ahj[], types: readonly DataPointType[]) {
  const open = new Map(ahjs.map(({ id }) => [id, types.length]));
  let complete = 0;
  return {
    complete: () => complete,
    count(ahjId: number) {
      const left = (open.get(ahjId) ?? 0) - 1;
      open.set(ahjId, left);
      if (left === 0) complete += 1;
    },
  };
}

function isNotAsked(answer: CellAnswer): boolean {
  return answer instanceof Failure && answer.kind === "not-asked";
}

function count(report: ImportReport, { isOld, cell: { fetchedAtMs } }: FoundAnswer) {
  report.values += 1;
  if (!isOld) return;
  const { count, oldestMs } = report.oldAnswers ?? { count: 0, oldestMs: Infinity };
  report.oldAnswers = { count: count + 1, oldestMs: Math.min(oldestMs, fetchedAtMs) };
}

const refusals = new Set<FailureKind>([
  "outside-subscription",
  "maybe-outside-subscription",
  "unknown-jurisdiction",
]);

/** Why an AHJ gives no row at all. */
function refusalOf(ahj: Ahj, types: readonly DataPointType[], answers: ReadAnswers): FailureKind | undefined {
  for (const type of types) {
    const answer = answers.of(ahj.id, type.id);
    if (answer instanceof Failure && refusals.has(answer.kind)) return answer.kind;
  }
  return undefined;
}
