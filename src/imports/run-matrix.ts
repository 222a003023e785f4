import type { Ahj, DataPointType } from "../api/schemas";
import { Failure, type FailureKind } from "../errors";
import type { Answers, FoundAnswer, ReadAnswers } from "../lookup/answers";
import type { Wanted } from "../lookup/plan";
import type { ImportReport } from "./report";
import type { ReadImport, RunOptions } from "./run-import";

export function wantedBy(ahjs: readonly Ahj[], types: readonly DataPointType[]): Wanted {
  const typeIds = new Set(types.map((type) => type.id));
  return new Map(ahjs.map((ahj) => [ahj.id, typeIds]));
}

export async function runMatrix(
  question: { ahjs: readonly Ahj[]; types: readonly DataPointType[] },
  answers: Answers,
  { signal, onProgress, onWait }: RunOptions,
): Promise<ReadImport> {
  const { ahjs, types } = question;
  const total = ahjs.length * types.length;
  const read = await answers.read(
    { values: wantedBy(ahjs, types) },
    {
      signal,
      onWait,
      // Half an import would pass for a whole one.
      failFast: true,
      onProgress: (done) => onProgress?.({ phase: "fetching", done, total }),
    },
  );

  const leftOut = ahjs.flatMap((ahj) => {
    const kind = refusalOf(ahj, types, read);
    return kind ? [{ ahj, kind }] : [];
  });
  const refused = new Set(leftOut.map(({ ahj }) => ahj.id));
  const rows = ahjs.filter((ahj) => !refused.has(ahj.id));

  const report: ImportReport = {
    rows: rows.length,
    values: 0,
    leftOut,
    withoutValue: [],
    unknownTypes: [],
    missingValues: 0,
    oldAnswers: null,
  };
  for (const type of types) {
    const blank: Ahj[] = [];
    let isUnknown = false;
    for (const ahj of rows) {
      const answer = read.of(ahj.id, type.id);
      if (!(answer instanceof Failure)) count(report, answer);
      else if (answer.kind === "no-value") blank.push(ahj);
      else if (answer.kind === "unknown-type") isUnknown = true;
      else throw answer;
    }
    if (blank.length > 0) report.withoutValue.push({ type, ahjs: blank });
    if (isUnknown) report.unknownTypes.push(type);
  }

  const answerOf = (ahjId: number, typeId: number) => {
    const answer = read.of(ahjId, typeId);
    return answer instanceof Failure ? null : answer.cell;
  };
  return { answers: { ahjs: rows, types, of: answerOf }, report };
}

function count(report: ImportReport, { isOld, cell: { fetchedAtMs } }: FoundAnswer) {
  report.values += 1;
  if (!isOld) return;
  const { count, oldestMs } = report.oldAnswers ?? { count: 0, oldestMs: Infinity };
  report.oldAnswers = { count: count + 1, oldestMs: Math.min(oldestMs, fetchedAtMs) };
}

const refusals = new Set<FailureKind>(["outside-subscription", "unknown-jurisdiction"]);

/** Why an AHJ gives no row at all. */
function refusalOf(ahj: Ahj, types: readonly DataPointType[], answers: ReadAnswers): FailureKind | undefined {
  for (const type of types) {
    const answer = answers.of(ahj.id, type.id);
    if (answer instanceof Failure && refusals.has(answer.kind)) return answer.kind;
  }
  return undefined;
}
