import * as z from "../../zod";
import { ahjOfRow, ahjRow, rowOfAhj } from "../../engine/api/ahj-row";
import type { Ahj, AhjDetail, DataPointType } from "../../engine/api/schemas";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";

/**
 * The last known answers to a workbook's formulas, which the author stores in it for colleagues without a key. They contain neither a key
 * nor the address of a service.
 */
export interface LastKnownValues {
  /** The time when the author stored the values. */
  atMs: number;
  /** The time when the oldest of the answers was fetched. */
  oldestMs: number;
  ahjs: Ahj[];
  details: AhjDetail[];
  types: Pick<DataPointType, "id" | "name" | "unit_of_measure">[];
  /** The names by which formulas call jurisdictions and types: geoIDs, and exact names of types. */
  ahjNames: [name: string, ahjId: number][];
  typeNames: [name: string, typeId: number][];
  answers: LastKnownAnswer[];
}

export interface LastKnownAnswer {
  ahjId: number;
  typeId: number;
  /** The published text; null if no value is recorded. */
  value: string | null;
  reference: string | null;
  section: string | null;
  /** The date of the last change in ISO 8601; null if it is not known. */
  updatedAt: string | null;
}

/** The namespace of the custom XML part that holds the values. */
export const lastKnownNamespace = "urn:regdata:values";

/** A larger part is neither written nor read, because everyone who opens the workbook downloads it. It holds some 10,000 answers. */
export const mostCharacters = 1_000_000;

const version = 1;
const element = "values";
const textOrNull = z.nullable(z.string());
const numberOrText = z.nullable(z.union([z.number(), z.string()]));
/** A time that a JavaScript Date can hold. */
const momentMs = z.number().check(z.between(0, 8.64e15));
const names = z.array(z.tuple([z.string(), z.int()]));
// Rows are stored as tuples in a fixed order, because the names of fields would be most of the text.
const stored = z.object({
  version: z.literal(version),
  atMs: momentMs,
  oldestMs: momentMs,
  ahjs: z.array(ahjRow),
  details: z.array(z.tuple([z.int(), textOrNull, textOrNull, numberOrText, numberOrText, numberOrText])),
  types: z.array(z.tuple([z.int(), z.string(), z.string()])),
  ahjNames: names,
  typeNames: names,
  answers: z.array(z.tuple([z.int(), z.int(), textOrNull, textOrNull, textOrNull, textOrNull])),
});

export function lastKnownXml({ ahjs, details, types, answers, ...values }: LastKnownValues): string {
  const content: z.infer<typeof stored> = {
    version,
    ...values,
    ahjs: ahjs.map(rowOfAhj),
    details: details.map((each) => [
      each.id,
      each.state_name,
      each.county,
      each.population,
      each.lat,
      each.lon,
    ]),
    types: types.map(({ id, name, unit_of_measure }) => [id, name, unit_of_measure]),
    answers: answers.map(({ ahjId, typeId, value, reference, section, updatedAt }) => [
      ...([ahjId, typeId, value, reference, section, updatedAt] as const),
    ]),
  };
  return jsonPart(element, lastKnownNamespace, content);
}

/** Reads a part. Null if it is damaged, too large, or of an unknown version; it is then left as it is. */
export function parseLastKnownXml(xml: string): LastKnownValues | null {
  if (xml.length > mostCharacters) return null;
  const parsed = stored.safeParse(readJsonPart(element, xml));
  if (!parsed.success) return null;
  const { atMs, oldestMs, ahjNames, typeNames } = parsed.data;
  const ahjs = parsed.data.ahjs.map(ahjOfRow);
  const byId = new Map(ahjs.map((ahj) => [ahj.id, ahj]));
  return {
    atMs,
    oldestMs,
    ahjs,
    ahjNames,
    typeNames,
    details: parsed.data.details.flatMap(([id, state_name, county, population, lat, lon]) => {
      const ahj = byId.get(id);
      return ahj ? [{ ...ahj, state_name, county, population, lat, lon }] : [];
    }),
    types: parsed.data.types.map(([id, name, unit_of_measure]) => ({ id, name, unit_of_measure })),
    answers: parsed.data.answers.map(([ahjId, typeId, value, reference, section, updatedAt]) => ({
      ahjId,
      typeId,
      value,
      reference,
      section,
      updatedAt,
    })),
  };
}

/** The parts that can be read, newest first. */
export function readable<Part extends { xml: string }>(
  parts: readonly Part[],
): (Part & { values: LastKnownValues })[] {
  return parts
    .flatMap((part) => {
      const values = parseLastKnownXml(part.xml);
      return values ? [{ ...part, values }] : [];
    })
    .sort((one, other) => other.values.atMs - one.values.atMs);
}
