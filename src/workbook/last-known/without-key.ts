import { withTimeout } from "../../async/timeout";
import type { Ask, BatchResults, LookedUp, Wants } from "../../engine/lookup/lookup";
import type { DataPointType } from "../../engine/api/schemas";
import { Failure } from "../../errors";
import type { FoundAnswer } from "../../engine/lookup/answers/kept-answers";
import { partTexts } from "../sheet/parts/part-texts";
import {
  type LastKnownAnswer,
  lastKnownNamespace,
  type LastKnownValues,
  readable,
} from "./last-known-values";

/** Answers formulas from the values that came with this workbook; null if there are none that can be read. */
export const answer = createWithoutKey(() => partTexts(lastKnownNamespace));

/** The results for a workbook on hold: what came with it, and `results` for whatever did not. */
export async function* heldAnswers(
  asks: readonly Ask[],
  results: BatchResults,
  brought: (wants: Wants) => Promise<LookedUp | null> = answer,
): BatchResults {
  for await (const some of results) {
    const held = some.map(async ({ place, result }) => {
      const wants = asks[place]?.wants;
      const first = wants && (await brought(wants).catch(() => null));
      return { place, result: first ? over(first, result) : result };
    });
    yield await Promise.all(held);
  }
}

/** The first outcome, and the other one for whatever the first does not have. */
function over(first: LookedUp, other: LookedUp | Failure): LookedUp {
  const of = <Name extends keyof LookedUp>(name: Name): LookedUp[Name] | Failure =>
    other instanceof Failure ? other : other[name];
  const each = <Item>(items: readonly (Item | Failure)[], others: readonly (Item | Failure)[] | Failure) =>
    items.map((item, at) => {
      const isThere = !(item instanceof Failure && item.kind === "no-key");
      return isThere ? item : others instanceof Failure ? others : (others[at] ?? item);
    });
  const types = of("types");
  return {
    values: each(first.values, of("values")),
    ahjs: each(first.ahjs, of("ahjs")),
    details: each(first.details, of("details")),
    codes: each(first.codes, of("codes")),
    types: first.types.map((type, at) => type ?? (types instanceof Failure ? null : (types[at] ?? null))),
  };
}

/** The longest time that cells wait for Excel, which may be busy or have a cell in edit mode. */
const patienceMs = 10_000;
/** The pauses between tries if Excel refuses. */
const pausesMs = [500, 2_000];
/** The values are read once for all formulas of a recalculation, but not kept longer, because the author may change or remove them. */
const keptMs = 10_000;

export function createWithoutKey(
  readTexts: () => Promise<readonly string[]>,
): (wants: Wants) => Promise<LookedUp | null> {
  let reading: Promise<((wants: Wants) => LookedUp) | null> | undefined;

  async function read() {
    const [newest] = readable((await withRetries(readTexts)).map((xml) => ({ xml })));
    return newest ? createLastKnownFinder(newest.values) : null;
  }

  return async (wants) => {
    if (!reading) {
      const begun = (reading = withTimeout(read(), patienceMs, () => new Error("Excel does not answer.")));
      const forget = () => {
        if (reading === begun) reading = undefined;
      };
      begun.then(() => setTimeout(forget, keptMs), forget);
    }
    return (await reading)?.(wants) ?? null;
  };
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return work();
}

/**
 * Returns a function that answers formulas from the values that came with the workbook. All its answers count as old; anything else
 * fails with no-key.
 */
function createLastKnownFinder(values: LastKnownValues): (wants: Wants) => LookedUp {
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
    codes: wants.codes ? (wants.ahjs ?? []).map(() => unknown) : [],
  });
}
