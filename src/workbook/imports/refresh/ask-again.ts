import { aboutOf, isOfCell, leavesBlank } from "../../../engine/absence";
import type { Client } from "../../../engine/api/client";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import { Failure } from "../../../errors";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { WantedAnswers } from "../../../engine/lookup/answers/request-plan";
import {
  type CollectionValues,
  readCollection,
  typesOf,
  typesThatCame,
} from "../../../engine/lookup/collections/read-collection";
import type { RowAhj } from "../../sheet/layout/table-plan";
import type { Known } from "../../sheet/layout/answer-parts";
import type { RunOptions } from "../run/import-types";
import { answerKey } from "../saved/import-rows";
import type { OutcomeOf } from "./compare-answers";
import type { Dates } from "./new-values";

/**
 * Asks again for answers that were fetched before `sinceMs`, with their dates if `isDated`. Fails if any of them can't be had. A list of
 * values does not distinguish an AHJ without values from one that the service no longer knows, so such AHJs are asked for in a matrix.
 */
export async function askMatrix(
  wanted: WantedAnswers,
  { answers, requestsFor }: Pick<Lookup, "answers" | "requestsFor">,
  { sinceMs = Date.now(), isDated = false, ...options }: RunOptions & { sinceMs?: number },
): Promise<OutcomeOf> {
  const total = [...wanted.values()].reduce((sum, typeIds) => sum + typeIds.size, 0);
  const reading = {
    signal: options.signal,
    onWait: options.onWait,
    budget: options.budget,
    hold: options.hold,
    // A refresh that is half done would pass for a whole one.
    failFast: true,
    onProgress: (done: number) => options.onProgress?.({ phase: "fetching", done, total }),
  };
  const work = isDated ? { values: new Map(), dated: wanted } : { values: wanted };
  options.budget?.expect(await requestsFor(work));
  const read = await answers.read(work, { ...reading, sinceMs });
  const hasNone = ([ahjId, typeIds]: [number, ReadonlySet<number>]) =>
    [...typeIds].every((typeId) => {
      const answer = read.of(ahjId, typeId);
      const about = answer instanceof Failure ? aboutOf(answer.kind) : undefined;
      return about === "answer" || about === "type";
    });
  const doubtful = isDated ? new Map([...wanted].filter(hasNone)) : new Map<number, ReadonlySet<number>>();
  const again =
    doubtful.size > 0
      ? await answers.read({ values: doubtful }, { ...reading, sinceMs: Date.now() + 1 })
      : read;
  return (ahjId, typeId) => {
    const answer = (doubtful.has(ahjId) ? again : read).of(ahjId, typeId);
    if (!(answer instanceof Failure)) return answer.cell;
    if (leavesBlank(answer.kind)) return null;
    if (!isOfCell(answer.kind)) throw answer;
    // Other reasons say nothing about the value, so the cell keeps its last one.
    return answer;
  };
}

/**
 * Executes the collection again for these AHJs. Fails if any part of the answer can't be had. A type that the collection no longer asks for
 * gives unknown-type.
 */
export async function askCollection(
  collectionId: string,
  wanted: WantedAnswers,
  { client, lookup }: { client: Client; lookup: Pick<Lookup, "catalogue" | "directory"> },
  { signal, onWait, budget, onProgress }: RunOptions,
): Promise<OutcomeOf> {
  const { values, denialOf, missing, atMs } = await readCollection(collectionId, [...wanted.keys()], client, {
    signal,
    onWait,
    budget,
    onValues: (done, total) => onProgress?.({ phase: "fetching", done, total }),
  });
  if (missing > 0) throw new Failure("unexpected-answer", { detail: "A list changed while it was read." });
  const denials = new Map<number, Failure>();
  for (const ahjId of wanted.keys()) {
    const kind = denialOf(ahjId);
    if (kind) denials.set(ahjId, new Failure(kind));
  }
  const first = [...values.values()].flatMap((ofAhj) => [...ofAhj.values()].slice(0, 1));
  lookup.directory.learn(first.map(({ ahj }) => ahj));
  const [ofOne] = values.values();
  if (ofOne) lookup.catalogue.learn(typesOf(values));
  const granted = [...wanted].filter(([ahjId]) => !denials.has(ahjId));
  const typeIds = new Set(granted.flatMap(([, ofAhj]) => [...ofAhj]));
  const takenOut = await typesTakenOut(collectionId, typeIds, values, lookup, { signal, onWait, budget });
  return (ahjId, typeId) => {
    const found = values.get(ahjId)?.get(typeId);
    if (found?.value) {
      const { value, reference, section, updated_at: updatedAt } = found;
      return { value, reference, section, updatedAt, fetchedAtMs: atMs };
    }
    return denials.get(ahjId) ?? (takenOut.has(typeId) ? new Failure("unknown-type") : null);
  };
}

/** The types that gave no value and that the collection no longer names. */
async function typesTakenOut(
  collectionId: string,
  typeIds: ReadonlySet<number>,
  values: CollectionValues,
  { catalogue }: Pick<Lookup, "catalogue">,
  options: ExchangeOptions,
): Promise<Set<number>> {
  const came = new Set([...values.values()].flatMap((ofAhj) => [...ofAhj.keys()]));
  const lacking = [...typeIds].filter((typeId) => !came.has(typeId));
  if (lacking.length === 0) return new Set();
  const [collections, types] = await Promise.all([catalogue.collections(options), catalogue.types(options)]);
  const collection = collections.find(({ id }) => id === collectionId);
  const named = new Set(collection && typesThatCame(collection, typesOf(values), types).map(({ id }) => id));
  return new Set(lacking.filter((typeId) => !named.has(typeId)));
}

/** Asks for the dates on which values changed, one value at a time. Values whose date the service can't tell are left out. */
export async function askDates(
  wanted: WantedAnswers,
  { answers }: Pick<Lookup, "answers">,
  { signal, budget }: Pick<ExchangeOptions, "signal" | "budget">,
): Promise<Dates> {
  const dates = new Map<string, Known>();
  if (wanted.size === 0) return dates;
  const read = await answers.read({ values: new Map(), dated: wanted }, { signal, budget });
  for (const [ahjId, typeIds] of wanted) {
    for (const typeId of typeIds) {
      const answer = read.of(ahjId, typeId);
      if (!(answer instanceof Failure)) dates.set(answerKey(ahjId, typeId), answer.cell);
    }
  }
  return dates;
}

/** Looks up AHJs by id. An AHJ that the service does not know is left out. */
export async function askWho(
  ids: readonly number[],
  lookup: Pick<Lookup, "ask">,
  { signal, budget }: Pick<ExchangeOptions, "signal" | "budget">,
): Promise<Map<number, RowAhj>> {
  const { ahjs } = ids.length > 0 ? await lookup.ask({ ahjs: ids }, { signal, budget }) : { ahjs: [] };
  return new Map(
    ids.flatMap((id, index) => {
      const ahj = ahjs[index];
      return ahj && !(ahj instanceof Failure) ? [[id, ahj] as const] : [];
    }),
  );
}
