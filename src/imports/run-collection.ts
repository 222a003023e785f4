import { type Client, inShortAddresses, readAll } from "../api/client";
import type { Ahj, Collection, DataPointType, DataPointValue, Warning } from "../api/schemas";
import { asFailure, type FailureKind } from "../errors";
import { blankCell, importCell } from "../sheet/cell-value";
import { planWideTable } from "../sheet/table-plan";
import { collectionChunks } from "./estimate";
import type { Answers } from "../lookup/answers";
import { typesOfCollection } from "./question";
import type { ImportReport } from "./report";
import type { ImportResult, RunOptions } from "./run-import";

export async function runCollection(
  question: { ahjs: readonly Ahj[]; collection: Collection },
  {
    client,
    answers,
    types: catalogue,
  }: { client: Client; answers: Answers; types: readonly DataPointType[] },
  options: RunOptions,
): Promise<ImportResult> {
  const { ahjs, collection } = question;
  const { values, denied, missing } = await readCollection(question, client, options);
  answers.learn([...values.values()].flatMap((ofAhj) => [...ofAhj.values()]));

  const leftOut = ahjs.flatMap((ahj) => {
    const kind = denied.kindOf(ahj.id, values.has(ahj.id));
    return kind ? [{ ahj, kind }] : [];
  });
  const left = new Set(leftOut.map(({ ahj }) => ahj.id));
  const rows = ahjs.filter((ahj) => !left.has(ahj.id));
  const types = columnsOf(collection, values, catalogue);
  const shown = new Set(types.map((type) => type.id));
  const report: ImportReport = {
    rows: rows.length,
    values: 0,
    leftOut,
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
  const table = planWideTable(rows, types, (ahj, column) => {
    const found = values.get(ahj.id)?.get(types[column]?.id ?? 0);
    return found?.value ? importCell(found.value, found.data_point_type.unit_of_measure) : blankCell;
  });
  return { table, report };
}

/** Values by AHJ id and type id. */
type Values = Map<number, Map<number, DataPointValue>>;

/** Which AHJs the service denied. A warning may give a count without ids. */
function createDenials() {
  const ids = new Set<number>();
  let isUnnamed = false;
  return {
    add(ahjIds: readonly number[]) {
      for (const id of ahjIds) ids.add(id);
    },
    addWarnings(warnings: readonly Warning[]) {
      for (const { code, excluded_ahj_ids } of warnings) {
        if (code === "AHJ_ACCESS_DENIED" && excluded_ahj_ids.length === 0) isUnnamed = true;
        this.add(excluded_ahj_ids);
      }
    },
    kindOf(ahjId: number, hasValues: boolean): FailureKind | undefined {
      if (ids.has(ahjId)) return "outside-subscription";
      return isUnnamed && !hasValues ? "maybe-outside-subscription" : undefined;
    },
  };
}

async function readCollection(
  { ahjs, collection }: { ahjs: readonly Ahj[]; collection: Collection },
  client: Client,
  { signal, onProgress, onWait }: RunOptions,
) {
  const values: Values = new Map();
  const denied = createDenials();
  let missing = 0;
  // One part that fails ends the others: half an import would pass for a whole one.
  const stop = new AbortController();
  const cancel = () => stop.abort();
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();

  const chunks = collectionChunks(ahjs.map((ahj) => ahj.id));
  const read = chunks.map(() => ({ done: 0, total: 0 }));
  const showProgress = () =>
    onProgress?.({
      phase: "fetching",
      done: read.reduce((sum, chunk) => sum + chunk.done, 0),
      total: read.reduce((sum, chunk) => sum + chunk.total, 0),
    });

  async function readPart(ahjIds: readonly number[], index: number) {
    try {
      const results = await readAll(
        (paging) =>
          client.runCollection(
            { collection_id: collection.id, ahj_ids: ahjIds, ...paging },
            { signal: stop.signal, onWait },
          ),
        (done, total) => {
          read[index] = { done, total };
          showProgress();
        },
      );
      denied.addWarnings(results.warnings);
      missing += results.missing;
      for (const value of results.items) keepNewest(values, value);
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      if (failure.kind !== "outside-subscription") throw failure;
      // Every AHJ of this part is denied; those of the other parts may not be.
      denied.add(ahjIds);
    }
  }

  async function readChunk(ahjIds: number[], index: number) {
    try {
      await inShortAddresses(ahjIds, (part) => readPart(part, index));
    } catch (failure) {
      stop.abort();
      throw failure;
    }
  }

  try {
    await Promise.all(chunks.map(readChunk));
    return { values, denied, missing };
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** The interface does not exclude several values for one AHJ and type: the newest counts. */
function keepNewest(values: Values, value: DataPointValue) {
  let ofAhj = values.get(value.ahj.id);
  if (!ofAhj) values.set(value.ahj.id, (ofAhj = new Map()));
  const kept = ofAhj.get(value.data_point_type.id);
  if (!kept || Date.parse(kept.updated_at) < Date.parse(value.updated_at)) {
    ofAhj.set(value.data_point_type.id, value);
  }
}

/**
 * The columns: what the definition names and what came, in the definition's order. Where both its filters are set
 * and nothing came that only one of them admits, the service means both, so only types that both admit stay.
 */
function columnsOf(
  collection: Collection,
  values: Values,
  catalogue: readonly DataPointType[],
): DataPointType[] {
  const listed = new Set(collection.data_point_type_ids);
  const categories = new Set(collection.category_ids);
  const fitsBoth = (type: DataPointType) =>
    listed.has(type.id) && type.category_ids.some((id) => categories.has(id));

  const came = new Map<number, DataPointType>();
  for (const ofAhj of values.values()) {
    for (const value of ofAhj.values()) came.set(value.data_point_type.id, value.data_point_type);
  }
  const named = typesOfCollection(collection, catalogue);
  const meansBoth =
    listed.size > 0 && categories.size > 0 && came.size > 0 && [...came.values()].every(fitsBoth);
  const types = new Map(
    [...(meansBoth ? named.filter(fitsBoth) : named), ...came.values()].map((type) => [type.id, type]),
  );

  const place = new Map(collection.data_point_type_ids.map((id, index) => [id, index]));
  const placeOf = (type: DataPointType) => place.get(type.id) ?? Infinity;
  return [...types.values()].sort((a, b) => {
    const [first, second] = [placeOf(a), placeOf(b)];
    return first === second ? a.id - b.id : first - second;
  });
}
