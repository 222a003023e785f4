import type { Session } from "../../src/app";
import type { Ahj, DataPointType } from "../../src/engine/api/schemas";
import type { RequestBudget } from "../../src/engine/transport/request-budget";
import { type UnknownReason, unknownReasons } from "../../src/find/conditions/verdict";
import { columnsFor, type Find, findIn } from "../../src/find/find";
import { conditionWords, unknownSentence } from "../../src/find/find-words";
import type { Heap, Heaps } from "../../src/find/heaps";
import { type ReadColumns, readAnswerColumns, workFor } from "../../src/find/read-columns";
import { fullAhjLabel } from "../../src/taskpane/ui/labels";
import { questionsOf } from "../imports/named-questions";
import { conditionsOf } from "../imports/stated-conditions";
import { jurisdictionsOf, type NamedJurisdictions, type Word } from "../imports/where";
import { type Progress, waitingText } from "../output/progress";

/** A find in the user's words. */
interface AskedFind {
  where: readonly Word[];
  /** See `conditionsOf`. */
  conditions: readonly string[];
  /** True if one condition is enough. */
  any: boolean;
  /** The questions of the table of a find, by ids or whole names. If there are none, it shows those of the conditions. */
  question: readonly string[];
}

/** The outcome of a find. */
export interface FindRun extends Pick<ReadColumns, "old"> {
  named: NamedJurisdictions;
  find: Find;
  types: DataPointType[];
  /** The jurisdictions of `named` by their places. */
  heaps: Heaps;
}

/** Asks a find. Fails with a CommandFailure "usage" for words that can't be used, or a Failure. */
export async function runFind(
  { where, conditions: texts, any, question }: AskedFind,
  session: Session,
  { signal, budget, progress }: { signal: AbortSignal; budget: RequestBudget; progress: Progress },
): Promise<FindRun> {
  progress.show("looking up", 0, 0);
  const nowMs = Date.now();
  const conditions = await conditionsOf(texts, session, { nowMs, signal });
  const find: Find = { match: any ? "any" : "all", conditions };
  const ofConditions = [...new Set(conditions.map(({ type }) => String(type.id)))];
  const types = await questionsOf(question.length > 0 ? question : ofConditions, session, { signal });
  const named = await jurisdictionsOf(where, session, { signal, budget });
  const ids = named.ahjs.map(({ id }) => id);
  const wanted = columnsFor(find);
  const { answers, requestsFor } = session.lookup;
  await answers.recall(ids);
  budget.expect(await requestsFor(workFor(ids, wanted)));
  const { columns, failure, old } = await readAnswerColumns(ids, wanted, answers, {
    signal,
    onWait: (untilMs) => progress.show(waitingText(untilMs), 0, 0),
    onProgress: (done) => progress.show("asking the service", done, ids.length * wanted.length),
  });
  // The find fails here, because a jurisdiction that could not be asked would otherwise count as not found.
  if (failure) throw failure;
  const columnOf = new Map(columns.map((column) => [column.type.id, column]));
  const heaps = findIn(ids.length, (typeId) => columnOf.get(typeId), find, nowMs);
  return { named, find, types, heaps, old };
}

/** The jurisdictions of a heap, in their order. */
export function placesIn({ heaps, named }: FindRun, heap: Heap): Ahj[] {
  return heaps.placesIn(heap).flatMap((place) => named.ahjs[place] ?? []);
}

/** A reason why it is not known whether jurisdictions meet a condition. */
export interface Reason {
  condition: string;
  reason: string;
  /** Both in a sentence. */
  sentence: string;
  jurisdictions: string[];
}

/** Sorts the reasons, the most frequent first. A jurisdiction may have several. */
export function reasonsOf({ heaps, find: { conditions }, named: { ahjs } }: FindRun): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const place of heaps.placesIn("not-known")) {
    for (const { condition, reason } of heaps.reasonsFor(place)) {
      const known = reasons.get(`${condition} ${reason}`) ?? newReason(condition, reason);
      reasons.set(`${condition} ${reason}`, known);
      const ahj = ahjs[place];
      if (ahj) known.jurisdictions.push(fullAhjLabel(ahj));
    }
  }
  return [...reasons.values()].sort((one, other) => other.jurisdictions.length - one.jurisdictions.length);

  function newReason(index: number, reason: UnknownReason): Reason {
    const condition = conditions[index];
    return {
      condition: condition ? conditionWords(condition) : "",
      reason: unknownReasons[reason],
      sentence: condition ? unknownSentence(condition, reason) : unknownReasons[reason],
      jurisdictions: [],
    };
  }
}
