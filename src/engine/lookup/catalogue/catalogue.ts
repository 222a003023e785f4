import * as z from "../../../zod";
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
import { createKeptList } from "./kept-list";

/** The types, categories and units of the service, and the organization's collections. */
export interface Catalogue {
  /** Every data point type, ordered by id. */
  types(options?: ExchangeOptions): Promise<DataPointType[]>;
  /** For each name, the id of the only type that has exactly this name, or a failure. If a name is unknown, the types are read anew. */
  typeIds(names: readonly string[], options?: ExchangeOptions): Promise<Map<string, number | Failure>>;
  /** The ids, among these, that the service knows. If an id is unknown, the types are read anew. */
  realTypeIds(typeIds: readonly number[], options?: ExchangeOptions): Promise<Set<number>>;
  /** Every category, ordered by id. */
  categories(options?: ExchangeOptions): Promise<Category[]>;
  /** Every unit of measure. If the service has no list, the units of the types. */
  units(options?: ExchangeOptions): Promise<Unit[]>;
  /** The organization's collections, asked for now and ordered by name. */
  collections(options?: ExchangeOptions): Promise<Collection[]>;
  /** The collections as they were at most a minute ago, because many formulas want them at once. */
  recentCollections(options?: ExchangeOptions): Promise<Collection[]>;
  /** The collection with this id, or else with exactly this name. Fails with not-found or ambiguous-name. */
  collection(name: string, options?: ExchangeOptions): Promise<Collection>;
  /** A collection that selects at least one type or category, if the organization has one. The list is asked for once a day. */
  anyCollection(options?: ExchangeOptions): Promise<Collection | undefined>;
  /** The type with this id, if any answer has contained it. */
  knownType(typeId: number): DataPointType | undefined;
  /** Notes types that came with an answer. */
  learn(types: readonly DataPointType[]): void;
  /** Reads the types of answers to earlier sessions from the store. */
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
    // The store removes documents of some age, so the types are written again before that.
    const isOld = types.length > 0 && !isWithinAge(seenWrittenAtMs, config.directoryAgeMs);
    if (hasChanged || isOld) void writeSeen();
  }

  async function writeSeen() {
    seenWrittenAtMs = Date.now();
    // The types of earlier sessions are read first, because they would be overwritten otherwise.
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

/** A list of up to this age counts as new. */
const newCatalogueMs = 60_000;

function collectionIn(collections: readonly Collection[], name: string): Collection | Failure {
  const byId = collections.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (byId) return byId;
  const [collection, ...others] = collections.filter((collection) => isNamed(collection.name, name));
  if (!collection)
    return new Failure("not-found", { detail: `There is no collection "${name.slice(0, 50)}".` });
  return others.length > 0 ? new Failure("ambiguous-name") : collection;
}

/** True if an argument gives this name. Excel's cells hold line breaks as "\n", and blanks around arguments are removed. */
export function isNamed(name: string, argument: string): boolean {
  return name.replace(/\r\n?/g, "\n").trim() === argument;
}

/** The id of the only type that has exactly this name, or a failure. */
function typeIdOf(name: string, types: readonly DataPointType[]): number | Failure {
  const [type, ...others] = types.filter((type) => isNamed(type.name, name));
  if (!type) return new Failure("unknown-type");
  return others.length > 0 ? new Failure("ambiguous-name") : type.id;
}
