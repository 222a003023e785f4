/** The catalogue: data point types, categories and units of measure. It is the same for every key. */
import * as z from "zod/mini";
import type { Category, DataPointType } from "../../src/engine/api/schemas";
import { numeric, readTable } from "../tsv";

/** The four types of AHJ (docs/interface.md, "AHJ"). */
export const levels = ["state", "county", "city", "utility"] as const;
export type Level = (typeof levels)[number];

/** The form of the values that a unit measures. */
export type UnitKind = "money" | "number" | "duration" | "boolean" | "text" | "date" | "url";

export interface UnitOfMeasure {
  id: number;
  name: string;
}

export interface CatalogueType {
  /** The type's place in the catalogue, by ascending id; also its bit in a type mask. */
  index: number;
  type: DataPointType;
  unitKind: UnitKind;
  /** The most local level at which rules on this question are made. */
  origin: Level;
  /** True if the type is on the curated list for residential solar (53 types). */
  residentialSolar: boolean;
}

const unitRow = z.object({
  id: numeric,
  name: z.string(),
  kind: z.enum(["money", "number", "duration", "boolean", "text", "date", "url"]),
});

const typeRow = z.object({
  id: numeric,
  name: z.string(),
  description: z.string(),
  unit_of_measure: z.string(),
  category_ids: z.string(),
  residential_solar: z.enum(["0", "1"]),
  ladder_origin: z.enum(levels),
});

const unitRows = readTable("units", unitRow);
const kindOfUnit = new Map(unitRows.map((unit) => [unit.name, unit.kind]));

export const units: readonly UnitOfMeasure[] = unitRows.map(({ id, name }) => ({ id, name }));

export const categories: readonly Category[] = readTable(
  "categories",
  z.object({ id: numeric, name: z.string() }),
);

export const types: readonly CatalogueType[] = readTable("types", typeRow)
  .sort((one, other) => one.id - other.id)
  .map((row, index) => {
    const unitKind = kindOfUnit.get(row.unit_of_measure);
    if (unitKind === undefined) throw new Error(`type ${row.id} has an unknown unit: ${row.unit_of_measure}`);
    return {
      index,
      type: {
        id: row.id,
        name: row.name,
        description: row.description,
        unit_of_measure: row.unit_of_measure,
        category_ids: row.category_ids.split(",").map(Number),
      },
      unitKind,
      origin: row.ladder_origin,
      residentialSolar: row.residential_solar === "1",
    };
  });

export const typesById: ReadonlyMap<number, CatalogueType> = new Map(
  types.map((entry) => [entry.type.id, entry]),
);
