import { readAtlas } from "../../reference-service/geography/atlas";
import { inventPublished, type Published, units } from "./published";
import type { Random } from "./random";

export interface WorldAhj {
  id: number;
  name: string;
  type: string;
  state_code: string;
  geoid: string | null;
  state_name: string;
  county: string | null;
  population: number | null;
  lat: number | null;
  lon: number | null;
}

export interface WorldType {
  id: number;
  name: string;
  description: string;
  unit_of_measure: string;
  category_ids: number[];
}

export interface Answer {
  id: number;
  published: Published;
  reference: string | null;
  section: string | null;
  updatedAtMs: number;
}

export interface WorldCollection {
  id: string;
  name: string;
  data_point_type_ids: number[];
  category_ids: number[];
}

export interface Subscriber {
  key: string;
  entitled: Set<number>;
  collections: WorldCollection[];
}

/** The choices that docs/interface.md, "Left open", leaves to a service. */
export interface Variation {
  stateFilter: "state_code" | "state" | "states" | null;
  otherParameters: "ignored" | "refused";
  unknownTypes: "dropped" | "refused";
  filters: "either" | "both";
  blank: "null" | "missing";
  idsAsText: boolean;
  extras: boolean;
  mostPerPage: number;
  noUnits: boolean;
  foreign: 403 | 404;
  /** Requests a minute for each key; null if there is no limit. `isTold`: whether headers report it. */
  limit: { perMinute: number; isTold: boolean } | null;
}

/** The data that the service knows. It changes. */
export interface World {
  ahjs: WorldAhj[];
  types: WorldType[];
  categories: { id: number; name: string }[];
  subscribers: Subscriber[];
  answers: Map<string, Answer>;
  /** How many times an answer was given. */
  changes: number;
  variation: Variation;
}

export const cellKey = (ahjId: number, typeId: number) => `${ahjId} ${typeId}`;

const states = [
  { code: "CA", fips: "06", name: "California" },
  { code: "TX", fips: "48", name: "Texas" },
  { code: "AL", fips: "01", name: "Alabama" },
];
const places = ["Oak", "Mill", "Springfield", "Franklin", "Alameda", "Salem"];

export function inventWorld(random: Random, nowMs: number): World {
  const ahjs = inventAhjs(random);
  const categories = [1, 2, 3].map((id) => ({ id, name: `Category ${id}` }));
  const types = Array.from({ length: random.whole(2, 9) }, (_, index): WorldType => {
    const unit = random.one(units);
    return {
      id: 1001 + index,
      name: random.chance(0.08) ? "Setback" : `Question ${index + 1} (${unit || "none"})`,
      description: "Asked everywhere",
      unit_of_measure: unit,
      category_ids: random.some([1, 2, 3], 0),
    };
  });
  const world: World = {
    ahjs,
    types,
    categories,
    subscribers: [],
    answers: new Map(),
    changes: 0,
    variation: {
      stateFilter: random.one(["state_code", "state", "states", null]),
      otherParameters: random.one(["ignored", "refused"]),
      unknownTypes: random.one(["dropped", "refused"]),
      filters: random.one(["either", "both"]),
      blank: random.one(["null", "missing"]),
      idsAsText: random.chance(0.2),
      extras: random.chance(0.3),
      mostPerPage: random.chance(0.25) ? random.whole(2, 7) : 500,
      noUnits: random.chance(0.3),
      foreign: random.one([403, 404]),
      limit: random.chance(0.3) ? { perMinute: random.whole(8, 60), isTold: random.chance(0.7) } : null,
    },
  };
  const ids = ahjs.map(({ id }) => id);
  for (const [index, key] of ["key-of-the-nation", "key-of-the-county", "key-of-the-city"].entries()) {
    world.subscribers.push({
      key,
      entitled: new Set(index === 0 ? ids : random.some(ids, 1)),
      collections: Array.from({ length: random.whole(0, 2) }, (_, at) => ({
        id: `0000000${index}-0000-4000-8000-00000000000${at}`,
        name: random.chance(0.1) ? "The same" : `Collection ${index}${at}`,
        data_point_type_ids: random.some(types, 0).map(({ id }) => id),
        category_ids: random.some([1, 2, 3], 0),
      })),
    });
  }
  for (const ahj of ahjs)
    for (const type of types) changeAnswer(world, random, ahj.id, type.id, nowMs - 86_400_000);
  return world;
}

/** The counties that there are, in an atlas: a geoID of another begins with no county, and nobody has it. */
export const counties = new Set(readAtlas().counties.map(({ geoid }) => geoid));
const countiesOf = (fips: string) => [...counties].filter((geoid) => geoid.startsWith(fips));

function inventAhjs(random: Random): WorldAhj[] {
  const ahjs: WorldAhj[] = [];
  const count = random.whole(3, 24);
  for (let index = 0; index < count; index += 1) {
    const state = random.one(states);
    const kind = random.one(["county", "city", "township", "state", "utility"]);
    const county = random.one(countiesOf(state.fips));
    const part = String(random.whole(1, 98_999)).padStart(5, "0");
    const own: Record<string, string> = { county, city: state.fips + part, township: county + part };
    const shared = random.chance(0.1) ? ahjs.find(({ geoid }) => geoid !== null) : undefined;
    const geoid = kind === "utility" ? null : (own[kind] ?? state.fips);
    ahjs.push({
      id: random.whole(1, 9) * 100 + index,
      name: random.chance(0.2) ? "Washington" : `${random.one(places)} ${index}`,
      type: kind,
      state_code: shared?.state_code ?? state.code,
      geoid: shared?.geoid ?? geoid,
      state_name: state.name,
      county: kind === "state" ? null : "Some County",
      population: kind === "utility" ? null : random.whole(0, 90_000),
      lat: kind === "utility" ? null : random.whole(-900, 900) / 10,
      lon: kind === "utility" ? null : random.whole(-1800, 1800) / 10,
    });
  }
  return ahjs;
}

/** Gives a cell another answer, or none. */
export function changeAnswer(
  world: World,
  random: Random,
  ahjId: number,
  typeId: number,
  nowMs: number,
): void {
  const type = world.types.find(({ id }) => id === typeId);
  if (!type) return;
  if (random.chance(0.15)) return void world.answers.delete(cellKey(ahjId, typeId));
  const number = random.whole(1, 99);
  world.answers.set(cellKey(ahjId, typeId), {
    id: (world.changes += 1),
    published: inventPublished(random, type.unit_of_measure),
    reference: random.chance(0.7) ? `Code ${number}` : null,
    section: random.chance(0.7) ? `${number}-${random.whole(1, 12)}` : null,
    updatedAtMs: nowMs - (nowMs % 1000),
  });
}

export function typesOf(world: World, collection: WorldCollection): WorldType[] {
  const listed = (type: WorldType) => collection.data_point_type_ids.includes(type.id);
  const inCategory = (type: WorldType) =>
    type.category_ids.some((id) => collection.category_ids.includes(id));
  const hasBoth = collection.data_point_type_ids.length > 0 && collection.category_ids.length > 0;
  return world.types.filter((type) =>
    hasBoth && world.variation.filters === "both"
      ? listed(type) && inCategory(type)
      : listed(type) || inCategory(type),
  );
}
