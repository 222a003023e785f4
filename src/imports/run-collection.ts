import { type Client, pages } from "../api/client";
import type { Ahj, Collection, DataPointType, DataPointValue } from "../api/schemas";
import { asFailure } from "../errors";
import { blankCell, importCell } from "../sheet/cell-value";
import { planWideTable } from "../sheet/table-plan";
import { collectionChunks } from "./estimate";
import type { ImportReport } from "./report";
import type { ImportResult, RunOptions } from "./run-import";

export async function runCollection(
  question: { ahjs: readonly Ahj[]; collection: Collection },
  client: Client,
  catalogue: readonly DataPointType[],
  options: RunOptions,
): Promise<ImportResult> {
  const { ahjs, collection } = question;
  const { values, denied } = await readCollection(question, client, options);

  const rows = ahjs.filter((ahj) => !denied.has(ahj.id));
  const types = columnsOf(collection, values, catalogue);
  const report: ImportReport = {
    rows: rows.length,
    values: 0,
    leftOut: ahjs
      .filter((ahj) => denied.has(ahj.id))
      .map((ahj) => ({ ahj, kind: "outside-subscription" as const })),
    withoutValue: [],
    unknownTypes: [],
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

async function readCollection(
  { ahjs, collection }: { ahjs: readonly Ahj[]; collection: Collection },
  client: Client,
  { signal, onProgress, onWait }: RunOptions,
): Promise<{ values: Values; denied: Set<number> }> {
  const values: Values = new Map();
  const denied = new Set<number>();
  let done = 0;

  async function readChunk(ahjIds: number[]) {
    try {
      const results = pages((paging) =>
        client.runCollection(
          { collection_id: collection.id, ahj_ids: ahjIds, ...paging },
          { signal, onWait },
        ),
      );
      for await (const { data, warnings } of results) {
        for (const id of warnings.flatMap((warning) => warning.excluded_ahj_ids)) denied.add(id);
        for (const value of data.items) keepNewest(values, value);
      }
    } catch (thrown) {
      const failure = asFailure(thrown, "unexpected-answer");
      // Every AHJ of this part is denied; those of the other parts may not be.
      if (failure.kind !== "outside-subscription") throw failure;
      for (const id of ahjIds) denied.add(id);
    }
    onProgress?.({ phase: "fetching", done: (done += ahjIds.length), total: ahjs.length });
  }

  await Promise.all(collectionChunks(ahjs.map((ahj) => ahj.id)).map(readChunk));
  return { values, denied };
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

/** The types that came, and those listed one by one though nothing came for them; in the definition's order. */
function columnsOf(
  collection: Collection,
  values: Values,
  catalogue: readonly DataPointType[],
): DataPointType[] {
  const types = new Map<number, DataPointType>();
  const listed = new Set(collection.category_ids.length === 0 ? collection.data_point_type_ids : []);
  for (const type of catalogue) if (listed.has(type.id)) types.set(type.id, type);
  for (const ofAhj of values.values()) {
    for (const value of ofAhj.values()) types.set(value.data_point_type.id, value.data_point_type);
  }
  const place = new Map(collection.data_point_type_ids.map((id, index) => [id, index]));
  const placeOf = (type: DataPointType) => place.get(type.id) ?? Infinity;
  return [...types.values()].sort((a, b) => {
    const [first, second] = [placeOf(a), placeOf(b)];
    return first === second ? a.id - b.id : first - second;
  });
}
