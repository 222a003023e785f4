/** The sample organizations: the AHJs that each one's key may see, its rate limits, and its saved collections. */
import type { Collection } from "../../src/engine/api/schemas";
import { types } from "../answers/sample-catalogue";
import { demoCounty, type AhjRecord, type Geography } from "./geography";
import type { RateLimits } from "../http/key-limit";
import { uuidOf } from "../seeded";
import { timestamp } from "../timestamp";
import { typeMaskOf, type TypeMask } from "../answers/type-mask";

export interface Organization {
  key: string;
  /** A UUID. */
  id: string;
  limits: RateLimits;
  /** The AHJs of the subscription, by ascending id. */
  entitled: readonly AhjRecord[];
  isEntitled(record: AhjRecord): boolean;
  collections: readonly SavedCollection[];
}

export interface SavedCollection {
  definition: Collection;
  /** The types in the collection: the listed types, and the types of listed categories. */
  types: TypeMask;
}

const ample: RateLimits = { minute: 1_000_000, hour: 60_000_000, day: 1_440_000_000 };

const westernStates = new Set(["CA", "OR", "WA", "NV", "AZ"]);

interface Subscription {
  key: string;
  limits: RateLimits;
  includes: (record: AhjRecord) => boolean;
}

/** `oneCounty` is the geoID of the smallest subscription's county; without one, this subscription has no AHJs. */
const subscriptions = (oneCounty: string | null | undefined): readonly Subscription[] => [
  { key: "demo-national", limits: ample, includes: () => true },
  { key: "demo-west", limits: ample, includes: ({ ahj }) => westernStates.has(ahj.state_code) },
  {
    key: "demo-county",
    limits: ample,
    includes: ({ countyGeoid }) => !!oneCounty && countyGeoid === oneCounty,
  },
  { key: "demo-none", limits: ample, includes: () => false },
  { key: "demo-limited", limits: { minute: 30, hour: 600, day: 5_000 }, includes: () => true },
];

const savedDefinitions: readonly Pick<
  Collection,
  "name" | "description" | "data_point_type_ids" | "category_ids"
>[] = [
  {
    name: "Residential solar",
    description: "The 53 types recommended for residential solar.",
    data_point_type_ids: types.filter((entry) => entry.residentialSolar).map(({ type }) => type.id),
    category_ids: [],
  },
  {
    name: "Zoning",
    description: "Everything in the three zoning categories.",
    data_point_type_ids: [],
    category_ids: [9, 10, 11],
  },
  {
    name: "Permit fees and review times",
    description: "All permit fees, and the times of review from other categories.",
    data_point_type_ids: [1030, 1031, 1045, 1116, 1167],
    category_ids: [3],
  },
  {
    name: "New collection",
    description: "",
    data_point_type_ids: [],
    category_ids: [],
  },
  {
    name: "Toitures \"été\", façades\net clôtures;\r\ncoûts, délais: 'à vérifier' – 100 %",
    description: 'Line one, with "quotes"\nLine two, naïve café',
    data_point_type_ids: [1045, 1089, 1105],
    category_ids: [22],
  },
];

const day = 86_400_000;

function savedCollections(organizationKey: string, organizationId: string): SavedCollection[] {
  return savedDefinitions.map((saved, at) => {
    const created = Date.UTC(2025, 4, 6, 14, 30) + at * 31 * day;
    return {
      definition: {
        id: uuidOf(`collection ${at} of ${organizationKey}`),
        organization_id: organizationId,
        ...saved,
        created_at: timestamp(created),
        updated_at: timestamp(created + at * 3 * day),
      },
      types: typeMaskOf(
        ({ type }) =>
          saved.data_point_type_ids.includes(type.id) ||
          type.category_ids.some((id) => saved.category_ids.includes(id)),
      ),
    };
  });
}

export function createOrganizations({ records, byGeoid }: Geography): Organization[] {
  const county = byGeoid.get(demoCounty) ?? records.find(({ level }) => level === "county");
  return subscriptions(county?.ahj.geoid).map(({ key, limits, includes }) => {
    const id = uuidOf(`organization ${key}`);
    return {
      key,
      id,
      limits,
      entitled: records.filter(includes),
      isEntitled: includes,
      collections: savedCollections(key, id),
    };
  });
}
