import type { DataPointType } from "../../engine/api/schemas";
import { Failure } from "../../errors";
import type { FoundAnswer } from "../../engine/lookup/answers/answers";
import type { LookedUp, Wants } from "../../engine/lookup/lookup";
import type { LastKnownAnswer, LastKnownValues } from "./last-known-values";

/**
 * Returns a function that answers formulas from the values that came with the workbook. All its answers count as old; anything else
 * fails with no-key.
 */
export function createLastKnownFinder(values: LastKnownValues): (wants: Wants) => LookedUp {
  const ahjs = new Map(values.ahjs.map((ahj) => [ahj.id, ahj]));
  const details = new Map(values.details.map((detail) => [detail.id, detail]));
  const types = new Map(
    values.types.map((type) => [type.id, { ...type, description: "", category_ids: [] } as DataPointType]),
  );
  const ahjIds = new Map<string | number, number>(values.ahjNames);
  const typeIds = new Map<string | number, number>(values.typeNames);
  const answers = new Map(values.answers.map((answer) => [`${answer.ahjId} ${answer.typeId}`, answer]));
  const idIn = (ids: ReadonlyMap<string | number, number>, name: string | number) =>
    typeof name === "number" ? name : (ids.get(name) ?? NaN);
  // All answers share these two failures, because creating an Error for each would cost its stack trace.
  const unknown = new Failure("no-key", { detail: "The workbook has no last-known value for this." });
  const noValue = new Failure("no-value");

  function shown(answer: LastKnownAnswer | undefined): FoundAnswer | Failure {
    if (!answer) return unknown;
    const { typeId, value, reference, section, updatedAt } = answer;
    if (value === null) return noValue;
    const type = types.get(typeId);
    const cell = { fetchedAtMs: values.oldestMs, value, reference, section, updatedAt };
    return type ? { type, cell, isOld: true } : unknown;
  }

  return (wants) => ({
    values: (wants.questions ?? []).map(({ ahj, type }) =>
      shown(answers.get(`${idIn(ahjIds, ahj)} ${idIn(typeIds, type)}`)),
    ),
    ahjs: (wants.ahjs ?? []).map((name) => ahjs.get(idIn(ahjIds, name)) ?? unknown),
    details: (wants.details ?? []).map((name) => details.get(idIn(ahjIds, name)) ?? unknown),
    types: (wants.types ?? []).map((name) => types.get(idIn(typeIds, name)) ?? null),
    names: (wants.names ?? []).map(() => unknown),
  });
}
