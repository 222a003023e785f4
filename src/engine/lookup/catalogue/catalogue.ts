import * as z from "../../../zod";
import { config } from "../../../config";
import { asFailure, Failure } from "../../../errors";
import type { Client } from "../../api/client";
import { gapFailure, readAll } from "../../api/paged-list";
import type { Category, Collection, DataPointType, Unit } from "../../api/schemas";
import * as schemas from "../../api/schemas";
import { isWithinAge } from "../../cache/age";
import type { ExchangeOptions } from "../../transport/exchange";
import type { DocumentCache } from "../../cache/answer-cache";
import { readDocument } from "../kept-document";
import type { OldAnswerNotes } from "../old-answers";
import { createSharedWork, type SharedWork } from "../shared-work";

/**
 * The types, categories and units of the service, and the organization's collections. A list from which items are missing fails with
 * unexpected-answer, and so does a search for something that such a list lacks.
 */
export interface Catalogue {
  /** Every data point type, ordered by id. */
  types(options?: ExchangeOptions): Promise<DataPointType[]>;
  /**
   * For each name, the id of the only type that has this name, in whatever case, or a failure, which suggests others. If a name is unknown,
   * the types are read anew.
   */
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
  /** The only collection with this id or name, in whatever case. Fails with unknown-collection, which suggests others, or ambiguous-name. */
  collection(name: string, options?: ExchangeOptions): Promise<Collection>;
  /** A collection that selects at least one type or category, if the organization has one. The list is asked for once a day. */
  anyCollection(options?: ExchangeOptions): Promise<Collection | undefined>;
  /** The type with this id, if any answer has contained it, or an answer since `sinceMs`. */
  knownType(typeId: number, sinceMs?: number): DataPointType | undefined;
  /** Notes types that came with an answer. */
  learn(types: readonly DataPointType[]): void;
  /** Reads the types of answers to earlier sessions from the store. */
  recall(): Promise<void>;
}

const seenTypesName = "types-seen";

export function createCatalogue(client: Client, dependencies: KeptListDependencies): Catalogue {
  const { documents } = dependencies;
  const seen = new Map<number, DataPointType>();
  const seenAtMs = new Map<number, number>();
  let seenWrittenAtMs = 0;
  let recalled: Promise<void> | undefined;

  const types = createKeptList(dependencies, "types", schemas.dataPointType, async (options) => {
    const { items, missing } = await readAll((paging) => client.listTypes(paging, options));
    learn(items);
    return { items: items.sort((a, b) => a.id - b.id), missing };
  });
  const categories = createKeptList(dependencies, "categories", schemas.category, async (options) => {
    const { items, missing } = await readAll((paging) => client.listCategories(paging, options));
    return { items: items.sort((a, b) => a.id - b.id), missing };
  });
  const units = createKeptList(dependencies, "units", schemas.unit, async (options) => {
    try {
      return { items: (await client.listUnits({}, options)).data, missing: 0 };
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.kind !== "not-found") throw thrown;
      const names = new Set((await wholeTypes(options)).map((type) => type.unit_of_measure));
      return { items: [...names].filter((name) => name !== "").map((name) => ({ name })), missing: 0 };
    }
  });
  const wholeTypes = async (options?: ExchangeOptions) => wholeOf(await types(options), "question");

  function learn(types: readonly DataPointType[]) {
    let hasChanged = false;
    for (const type of types) {
      hasChanged ||= !isSameType(seen.get(type.id), type);
      seen.set(type.id, type);
      seenAtMs.set(type.id, Date.now());
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

  const collections = createKeptList(dependencies, "collections", schemas.collection, async (options) => {
    const { items, missing } = await readAll((paging) => client.listCollections(paging, options));
    return { items: items.sort((a, b) => a.name.localeCompare(b.name)), missing };
  });

  return {
    types: wholeTypes,
    async typeIds(names, options) {
      const idsIn = (list: Listed<DataPointType>) =>
        new Map(names.map((name) => [name, typeIdOf(name, list)]));
      const isUnknown = (id?: number | Failure) => id instanceof Failure && id.kind === "unknown-type";
      const unknownIn = (ids: ReadonlyMap<string, number | Failure>) =>
        names.filter((name) => isUnknown(ids.get(name)));
      let list = await types(options);
      if (unknownIn(idsIn(list)).length > 0) list = await types(options, newCatalogueMs);
      const ids = idsIn(list);
      const unknown = unknownIn(ids);
      if (unknown.length === 0) return ids;
      // Without the script, the names are told as unknown all the same.
      const script = await import("../search/did-you-mean").catch(() => null);
      return new Map([...ids, ...(script?.unknownTypes(unknown, list.items) ?? [])]);
    },
    async realTypeIds(typeIds, options) {
      const realOnes = ({ items }: Listed<DataPointType>) => {
        const all = new Set(items.map((type) => type.id));
        return new Set(typeIds.filter((typeId) => all.has(typeId)));
      };
      const areAll = (real: ReadonlySet<number>) => typeIds.every((typeId) => real.has(typeId));
      let list = await types(options);
      if (!areAll(realOnes(list))) list = await types(options, newCatalogueMs);
      const real = realOnes(list);
      if (list.missing > 0 && !areAll(real)) throw gapFailure(list.missing, "question");
      return real;
    },
    categories: async (options) => wholeOf(await categories(options), "category", "categories"),
    units: async (options) => wholeOf(await units(options), "unit"),
    collections: async (options) => wholeOf(await collections(options, 0), "collection"),
    recentCollections: async (options) => wholeOf(await collections(options, newCatalogueMs), "collection"),
    async collection(name, options) {
      const list = await collections(options, newCatalogueMs);
      const found = collectionIn(list, name);
      if (!(found instanceof Failure)) return found;
      if (found.kind !== "unknown-collection") throw found;
      const script = await import("../search/meant-name").catch(() => null);
      const nextStep = script?.didYouMean(name, list.items) ?? yoursAre(list.items);
      throw new Failure("unknown-collection", { nextStep });
    },
    async anyCollection(options) {
      const selectsSomething = ({ data_point_type_ids, category_ids }: Collection) =>
        data_point_type_ids.length + category_ids.length > 0;
      return (await collections(options)).items.find(selectsSomething);
    },
    knownType: (typeId, sinceMs = 0) =>
      (seenAtMs.get(typeId) ?? 0) >= sinceMs ? seen.get(typeId) : undefined,
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

/** The items of a list that lacks none. */
function wholeOf<Item>({ items, missing }: Listed<Item>, noun: string, plural?: string): Item[] {
  if (missing > 0) throw gapFailure(missing, noun, plural);
  return items;
}

function collectionIn({ items, missing }: Listed<Collection>, name: string): Collection | Failure {
  const byId = items.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (byId) return byId;
  const [collection, ...others] = allNamed(name, items);
  if (!collection) return missing > 0 ? gapFailure(missing, "collection") : new Failure("unknown-collection");
  return others.length > 0 ? new Failure("ambiguous-name") : collection;
}

/** The names of the first few collections, quoted and as long as a sentence has room for, and how many there are besides. */
function yoursAre(collections: readonly Collection[]): string | undefined {
  if (collections.length === 0) return undefined;
  const names = collections.slice(0, 5).map(({ name }) => `"${name.slice(0, 50)}"`);
  const more = collections.length - names.length;
  return `Yours: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** True if an argument gives this name. Excel's cells hold line breaks as "\n", and blanks around arguments are removed. */
export function isNamed(name: string, argument: string): boolean {
  return name.replace(/\r\n?/g, "\n").trim() === argument;
}

/** The items that have this name. If none has it in these letters, capital and small ones are the same. */
export function allNamed<Item extends { name: string }>(name: string, items: readonly Item[]): Item[] {
  const exact = items.filter((item) => isNamed(item.name, name));
  return exact.length > 0
    ? exact
    : items.filter((item) => isNamed(item.name.toLowerCase(), name.toLowerCase()));
}

/** The id of the only type that has this name, or a failure. */
function typeIdOf(name: string, { items, missing }: Listed<DataPointType>): number | Failure {
  const [type, ...others] = allNamed(name, items);
  if (!type) return missing > 0 ? gapFailure(missing, "question") : new Failure("unknown-type");
  return others.length > 0 ? new Failure("ambiguous-name") : type.id;
}

/** A list, and the number of items that the service counts and did not list, though the list was read twice. */
interface Listed<Item> {
  items: Item[];
  missing: number;
}

interface Kept<Item> extends Listed<Item> {
  fetchedAtMs: number;
}

interface KeptListDependencies {
  documents: DocumentCache;
  old: Pick<OldAnswerNotes, "isBetter" | "note">;
}

/**
 * A list that is fetched once a day and kept on disk, unless items are missing. If the service can't be asked, the kept list stays good.
 */
export function createKeptList<Item extends z.ZodMiniType>(
  { documents, old }: KeptListDependencies,
  name: string,
  item: Item,
  fetchList: (options: ExchangeOptions) => Promise<Listed<z.output<Item>>>,
): (options?: ExchangeOptions, maxAgeMs?: number) => Promise<Listed<z.output<Item>>> {
  let kept: Kept<z.output<Item>> | undefined;
  let recalled: Promise<void> | undefined;
  let fetching: SharedWork<Listed<z.output<Item>>> | undefined;

  async function recall() {
    const found = await readDocument(documents, name, z.array(item));
    if (found) kept ??= { items: found.content, missing: 0, fetchedAtMs: found.fetchedAtMs };
  }

  async function fetchAndKeep(options: ExchangeOptions) {
    try {
      const { items, missing } = await fetchList(options);
      const fetchedAtMs = Date.now();
      if (missing === 0) {
        kept = { items, missing, fetchedAtMs };
        documents.write(name, { fetchedAtMs, content: items });
        old.note(name, undefined);
      }
      return { items, missing };
    } finally {
      fetching = undefined;
    }
  }

  return async (options, maxAgeMs = config.directoryAgeMs) => {
    await (recalled ??= recall());
    if (kept && isWithinAge(kept.fetchedAtMs, maxAgeMs)) return kept;
    fetching ??= createSharedWork(fetchAndKeep);
    try {
      return await fetching.join(options);
    } catch (thrown) {
      if (kept && old.isBetter(asFailure(thrown), name, kept.fetchedAtMs)) return kept;
      throw thrown;
    }
  };
}
