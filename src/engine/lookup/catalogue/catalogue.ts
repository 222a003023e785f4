import * as z from "zod/mini";
import type { Client } from "../../api/client";
import { readAll } from "../../api/paged-list";
import * as schemas from "../../api/schemas";
import type { Category, Collection, DataPointType, Unit } from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import type { DocumentCache } from "../../cache/answer-cache";
import { config } from "../../../config";
import { Failure } from "../../../errors";
import type { ExchangeOptions } from "../../transport/exchange";
import { readDocument } from "../kept-document";
import type { BudgetedOptions } from "../request-budget";
import { createKeptList } from "./kept-list";

/** The service's global reference data and the organisation's collections. */
export interface Catalogue {
  /** Every data point type, ordered by id. */
  types(options?: BudgetedOptions): Promise<DataPointType[]>;
  /** The id of each type with exactly this name, or why there is none. If the catalogue lacks a name, a new catalogue is read. */
  typeIds(names: readonly string[], options?: BudgetedOptions): Promise<Map<string, number | Failure>>;
  /** The ids that are real. If the catalogue lacks an id, a new catalogue is read. */
  realTypeIds(typeIds: readonly number[], options?: BudgetedOptions): Promise<Set<number>>;
  /** Every category, ordered by id. */
  categories(options?: ExchangeOptions): Promise<Category[]>;
  /** Every unit of measure. If the service has no list, the units of the types. */
  units(options?: ExchangeOptions): Promise<Unit[]>;
  /** The organisation's collections as they are now, ordered by name. */
  collections(options?: ExchangeOptions): Promise<Collection[]>;
  /** The collections as they were within the last minute, because many formulas want them at once. */
  recentCollections(options?: ExchangeOptions): Promise<Collection[]>;
  /** The collection with this id, or else with exactly this name. Fails with not-found or ambiguous-name. */
  collection(name: string, options?: ExchangeOptions): Promise<Collection>;
  /** A collection that selects something, if the organisation has any; asked for once a day. */
  anyCollection(options?: ExchangeOptions): Promise<Collection | undefined>;
  /** A type that has been seen in any answer. */
  knownType(typeId: number): DataPointType | undefined;
  /** Notes types that came with an answer. */
  learn(types: readonly DataPointType[]): void;
  /** Reads the types that an earlier session has seen. */
  recall(): Promise<void>;
}

const seenTypesName = "types-seen";

export function createCatalogue(client: Client, documents: DocumentCache): Catalogue {
  const seen = new Map<number, DataPointType>();
  let seenWrittenAtMs = 0;
  let recalled: Promise<void> | undefined;

  const types = createKeptList(documents, "types", schemas.dataPointType, async (options) => {
    const { items } = await readAll((paging) => client.listTypes(paging, options));
    learn(items);
    return items.sort((a, b) => a.id - b.id);
  });
  const categories = createKeptList(documents, "categories", schemas.category, async (options) => {
    const { items } = await readAll((paging) => client.listCategories(paging, options));
    return items.sort((a, b) => a.id - b.id);
  });
  const units = createKeptList(documents, "units", schemas.unit, async (options) => {
    try {
      return (await client.listUnits({}, options)).data;
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.kind !== "not-found") throw thrown;
      const names = new Set((await types(options)).map((type) => type.unit_of_measure));
      return [...names].filter((name) => name !== "").map((name) => ({ name }));
    }
  });

  function learn(types: readonly DataPointType[]) {
    let hasChanged = false;
    for (const type of types) {
      hasChanged ||= !isSameType(seen.get(type.id), type);
      seen.set(type.id, type);
    }
    // Kept documents are removed at some age, so the types are written again in time.
    const isOld = types.length > 0 && !isWithinAge(seenWrittenAtMs, config.directoryAgeMs);
    if (hasChanged || isOld) void writeSeen();
  }

  async function writeSeen() {
    seenWrittenAtMs = Date.now();
    // The types that an earlier session has seen would be lost otherwise.
    await recall();
    documents.write(seenTypesName, { fetchedAtMs: seenWrittenAtMs, content: [...seen.values()] });
  }

  const recall = () => (recalled ??= readSeen());

  async function readSeen() {
    const kept = await readDocument(documents, seenTypesName, z.array(schemas.dataPointType));
    if (!kept) return;
    seenWrittenAtMs = Math.max(seenWrittenAtMs, kept.fetchedAtMs);
    for (const type of kept.content) if (!seen.has(type.id)) seen.set(type.id, type);
  }

  const collections = createKeptList(documents, "collections", schemas.collection, async (options) => {
    const { items } = await readAll((paging) => client.listCollections(paging, options));
    return items.sort((a, b) => a.name.localeCompare(b.name));
  });

  const recentCollections = (options?: ExchangeOptions) => collections(options, newCatalogueMs);

  return {
    types,
    async typeIds(names, options) {
      const idsIn = (list: DataPointType[]) => new Map(names.map((name) => [name, typeIdOf(name, list)]));
      const isUnknown = (id: number | Failure) => id instanceof Failure && id.kind === "unknown-type";
      const ids = idsIn(await types(options));
      return [...ids.values()].some(isUnknown) ? idsIn(await types(options, newCatalogueMs)) : ids;
    },
    async realTypeIds(typeIds, options) {
      const realOnes = (list: DataPointType[]) => {
        const all = new Set(list.map((type) => type.id));
        return new Set(typeIds.filter((typeId) => all.has(typeId)));
      };
      const real = realOnes(await types(options));
      return typeIds.every((typeId) => real.has(typeId))
        ? real
        : realOnes(await types(options, newCatalogueMs));
    },
    categories,
    units,
    collections: (options) => collections(options, 0),
    recentCollections,
    async collection(name, options) {
      const found = collectionIn(await recentCollections(options), name);
      if (found instanceof Failure) throw found;
      return found;
    },
    async anyCollection(options) {
      const selectsSomething = ({ data_point_type_ids, category_ids }: Collection) =>
        data_point_type_ids.length + category_ids.length > 0;
      return (await collections(options)).find(selectsSomething);
    },
    knownType: (typeId) => seen.get(typeId),
    learn,
    recall,
  };
}

function isSameType(one: DataPointType | undefined, other: DataPointType): boolean {
  return (
    one !== undefined &&
    one.name === other.name &&
    one.description === other.description &&
    one.unit_of_measure === other.unit_of_measure &&
    one.category_ids.join() === other.category_ids.join()
  );
}

/** A catalogue of this age is as good as a new one. */
const newCatalogueMs = 60_000;

function collectionIn(collections: readonly Collection[], name: string): Collection | Failure {
  const byId = collections.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (byId) return byId;
  const [collection, ...others] = collections.filter((collection) => isNamed(collection.name, name));
  if (!collection)
    return new Failure("not-found", { detail: `There is no collection "${name.slice(0, 50)}".` });
  return others.length > 0 ? new Failure("ambiguous-name") : collection;
}

/** True if a cell shows this name. Cells have line breaks of their own, and arguments no blanks around them. */
export function isNamed(name: string, shown: string): boolean {
  return name.replace(/\r\n?/g, "\n").trim() === shown;
}

/** The id of the type with exactly this name, or why there is none. */
function typeIdOf(name: string, types: readonly DataPointType[]): number | Failure {
  const [type, ...others] = types.filter((type) => isNamed(type.name, name));
  if (!type) return new Failure("unknown-type");
  return others.length > 0 ? new Failure("ambiguous-name") : type.id;
}
