import { followSignal } from "../../../async/on-abort";
import type { Client } from "../../api/client";
import { readAll } from "../../api/paged-list";
import { inShortAddresses, queryChunks } from "../../api/address-length";
import type { Collection, DataPointType, DataPointValue, Warning } from "../../api/schemas";
import { config } from "../../../config";
import { asFailure, type FormulaFailureKind } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { newestByCell } from "../answers/read-data-points";

/** A collection's values, by AHJ id and type id. */
export type CollectionValues = Map<number, Map<number, DataPointValue>>;

/** The types of some values, each once. */
export function typesOf(values: CollectionValues): DataPointType[] {
  const types = new Map<number, DataPointType>();
  for (const ofAhj of values.values())
    for (const { data_point_type: type } of ofAhj.values()) types.set(type.id, type);
  return [...types.values()];
}

export interface ReadCollection {
  values: CollectionValues;
  /** The reason why the service denied an AHJ; undefined if it did not, even if there are no values. */
  denialOf(ahjId: number): FormulaFailureKind | undefined;
  /** The number of values that the service counts but did not send, because its list changed while it was read. */
  missing: number;
  /** When the service gave the oldest part of the values. */
  atMs: number;
}

export interface ReadCollectionOptions extends ExchangeOptions {
  /** Called with the number of values that have come, the number that there are, and the number of AHJs with all values. */
  onValues?: ((read: number, total: number, ahjs: number) => void) | undefined;
}

/** The AHJs that the service denied. A warning may give a count without ids. */
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
    kindOf(ahjId: number, hasValues: boolean): FormulaFailureKind | undefined {
      if (ids.has(ahjId)) return "outside-subscription";
      return isUnnamed && !hasValues ? "maybe-outside-subscription" : undefined;
    },
  };
}

/** Runs a collection for these AHJs and reads all its pages. Fails as a whole if a part fails. */
export async function readCollection(
  collectionId: string,
  ahjIds: readonly number[],
  client: Client,
  { signal, onValues, ...options }: ReadCollectionOptions,
): Promise<ReadCollection> {
  const items: DataPointValue[] = [];
  const denied = createDenials();
  let missing = 0;
  let atMs = Infinity;
  // A part that fails ends the others, because half an import would pass for a whole one.
  const { controller: stop, release } = followSignal(signal);

  const chunks = collectionChunks(ahjIds);
  const read = chunks.map(() => ({ done: 0, total: 0 }));
  let ahjsRead = 0;
  const showProgress = () =>
    onValues?.(
      read.reduce((sum, chunk) => sum + chunk.done, 0),
      read.reduce((sum, chunk) => sum + chunk.total, 0),
      ahjsRead,
    );

  async function readPart(part: readonly number[], index: number) {
    try {
      const results = await readAll(
        (paging) =>
          client.runCollection(
            { collection_id: collectionId, ahj_ids: part, ...paging },
            { ...options, signal: stop.signal },
          ),
        (done, total) => {
          read[index] = { done, total };
          showProgress();
        },
      );
      denied.addWarnings(results.warnings);
      missing += results.missing;
      atMs = Math.min(atMs, results.atMs);
      for (const item of results.items) items.push(item);
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.kind !== "outside-subscription") throw failure;
      // Every AHJ of this part is denied; the AHJs of the other parts may not be.
      denied.add(part);
    }
  }

  async function readChunk(ahjIds: number[], index: number) {
    try {
      await inShortAddresses(ahjIds, (part) => readPart(part, index));
      ahjsRead += ahjIds.length;
      showProgress();
    } catch (failure) {
      stop.abort();
      throw failure;
    }
  }

  try {
    await Promise.all(chunks.map(readChunk));
    const values = newestByCell(items);
    return {
      values,
      denialOf: (ahjId) => denied.kindOf(ahjId, values.has(ahjId)),
      missing,
      atMs: Math.min(atMs, Date.now()),
    };
  } finally {
    release();
  }
}

/** The AHJ ids of one collection run, cut so that no address grows too long. */
export function collectionChunks(ahjIds: readonly number[]): number[][] {
  return queryChunks(ahjIds, config.maxBaseUrlLength + config.maxPathLength);
}

/**
 * The types that a collection's definition names: listed types, and types in a listed category. It is an estimate, because only the
 * service's answer shows how the two filters combine (docs/interface.md, "Left open").
 */
export function typesOfCollection(collection: Collection, types: readonly DataPointType[]): DataPointType[] {
  const listed = new Set(collection.data_point_type_ids);
  const categories = new Set(collection.category_ids);
  return types.filter((type) => listed.has(type.id) || type.category_ids.some((id) => categories.has(id)));
}

/**
 * The columns of a collection: the types that its definition names and the types that came, in the definition's order. If both its filters
 * are set and every type that came passes both, the service means both, so only types that pass both stay.
 */
export function typesThatCame(
  collection: Collection,
  cameWithValues: Iterable<DataPointType>,
  catalogue: readonly DataPointType[],
): DataPointType[] {
  const listed = new Set(collection.data_point_type_ids);
  const categories = new Set(collection.category_ids);
  const fitsBoth = (type: DataPointType) =>
    listed.has(type.id) && type.category_ids.some((id) => categories.has(id));

  const came = new Map(Array.from(cameWithValues, (type) => [type.id, type]));
  const named = typesOfCollection(collection, catalogue);
  const meansBoth = came.size > 0 && [...came.values()].every(fitsBoth);
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
