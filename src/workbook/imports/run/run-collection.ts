import type { Client } from "../../../engine/api/client";
import { readAll } from "../../../engine/api/paged-list";
import type { Ahj, Collection, DataPointType } from "../../../engine/api/schemas";
import type { Answers } from "../../../engine/lookup/answers/answers";
import { Failure, type FailureKind } from "../../../errors";
import {
  readCollection,
  type ReadCollection,
  type ReadCollectionOptions,
  typesOf,
  typesThatCame,
} from "../../../engine/lookup/collections/read-collection";
import { newestByCell } from "../../../engine/lookup/answers/read-data-points";
import type { ImportData, ImportReport, RunOptions } from "./import-types";

export async function runCollection(
  question: { ahjs: readonly Ahj[]; collection: Collection },
  {
    client,
    answers,
    types: catalogue,
  }: { client: Client; answers: Answers; types: readonly DataPointType[] },
  options: RunOptions,
): Promise<ImportData> {
  const { ahjs, collection } = question;
  const gate = gated(client, options);
  const reading: ReadCollectionOptions = {
    signal: options.signal,
    onWait: options.onWait,
    budget: options.budget,
    onValues: (done, total, ahjsDone) =>
      options.onProgress?.({
        phase: "fetching",
        done,
        total,
        ahjs: { done: ahjsDone, total: ahjs.length },
      }),
  };
  const ids = ahjs.map((ahj) => ahj.id);
  const { values, denialOf, missing, atMs } =
    (await readByGeoid(question, gate, reading)) ?? (await readCollection(collection.id, ids, gate, reading));
  answers.learn(
    [...values.values()].flatMap((ofAhj) => [...ofAhj.values()]),
    atMs,
  );

  const leftOut = ahjs.flatMap((ahj) => {
    const kind = denialOf(ahj.id);
    return kind ? [{ ahj, kind }] : [];
  });
  const left = new Set(leftOut.map(({ ahj }) => ahj.id));
  const rows = ahjs.filter((ahj) => !left.has(ahj.id));
  const types = typesThatCame(collection, typesOf(values), catalogue);
  const shown = new Set(types.map((type) => type.id));
  const report: ImportReport = {
    rows: rows.length,
    values: 0,
    leftOut,
    notRead: [],
    withoutValue: [],
    unknownTypes: collection.data_point_type_ids
      .filter((id) => !shown.has(id) && !catalogue.some((type) => type.id === id))
      .map((id) => ({ id, name: "Type" })),
    missingValues: missing,
    oldAnswers: null,
  };
  for (const type of types) {
    const blank = rows.filter((ahj) => !values.get(ahj.id)?.get(type.id)?.value);
    report.values += rows.length - blank.length;
    if (blank.length > 0) report.withoutValue.push({ type, ahjs: blank });
  }
  const answerOf = (ahjId: number, typeId: number) => {
    const found = values.get(ahjId)?.get(typeId);
    // A value that is missing may be one that did not come.
    if (!found?.value) return missing > 0 || left.has(ahjId) ? undefined : null;
    const { value, reference, section, updated_at: updatedAt } = found;
    return { value, reference, section, updatedAt, fetchedAtMs: atMs };
  };
  return { answers: { ahjs: rows, types, of: answerOf }, report };
}

/**
 * Runs a collection for a single AHJ by its geoID. Null if the answer is not certainly about this AHJ: several AHJs may share the geoID,
 * and an empty answer names none.
 */
async function readByGeoid(
  { ahjs, collection }: { ahjs: readonly Ahj[]; collection: Collection },
  client: Client,
  { onValues, ...options }: ReadCollectionOptions,
): Promise<ReadCollection | null> {
  const [ahj, other] = ahjs;
  if (!ahj || other || ahj.geoid === null) return null;
  const { geoid } = ahj;
  try {
    const { items, missing, atMs } = await readAll(
      (paging) => client.runCollectionForGeoid({ geoid, collection_id: collection.id, ...paging }, options),
      (done, total) => onValues?.(done, total, 0),
    );
    if (items.length === 0 || items.some((item) => item.ahj.id !== ahj.id)) return null;
    onValues?.(items.length, items.length + missing, 1);
    return { values: newestByCell(items), denialOf: () => undefined, missing, atMs };
  } catch (thrown) {
    if (thrown instanceof Failure && otherAhjKinds.has(thrown.kind)) return null;
    throw thrown;
  }
}

/** Failures that the service gives for a geoID that stands for no AHJ, or also for another one. */
const otherAhjKinds = new Set<FailureKind>(["outside-subscription", "not-found", "unknown-jurisdiction"]);

/** A client whose requests for pages wait for the gate. */
function gated(client: Client, { gate }: RunOptions): Client {
  return {
    ...client,
    async runCollection(args, options) {
      await gate?.();
      return client.runCollection(args, options);
    },
    async runCollectionForGeoid(args, options) {
      await gate?.();
      return client.runCollectionForGeoid(args, options);
    },
  };
}
