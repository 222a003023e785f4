import * as z from "zod/mini";
import { ahjOfRow, ahjRow, rowOfAhj } from "../../engine/api/ahj-row";
import type { Ahj, AhjDetail, DataPointType } from "../../engine/api/schemas";
import { jsonPart, readJsonPart } from "../sheet/parts/json-part";

z.config({ jitless: true });

/**
 * The last known answers to a workbook's formulas, which its author lets travel with it for those who have no key.
 * Neither a key nor a service's address is among them.
 */
export interface TravellingValues {
  /** When the author let them travel. */
  atMs: number;
  /** When the oldest of them was fetched. */
  oldestMs: number;
  ahjs: Ahj[];
  details: AhjDetail[];
  types: Pick<DataPointType, "id" | "name" | "unit_of_measure">[];
  /** What formulas call them: geoIDs, and exact names of types. */
  ahjNames: [name: string, ahjId: number][];
  typeNames: [name: string, typeId: number][];
  answers: TravellingAnswer[];
}

export interface TravellingAnswer {
  ahjId: number;
  typeId: number;
  /** As published; null where no value is recorded. */
  value: string | null;
  reference: string | null;
  section: string | null;
  /** ISO 8601, where it is known. */
  updatedAt: string | null;
}

/** Of the custom XML part that holds them. */
export const travellingNamespace = "urn:regdata:values";

/** A larger part is not written, and not read: whoever opens the workbook downloads it. Some 10,000 answers. */
export const mostCharacters = 1_000_000;

const version = 1;
const element = "values";
const textOrNull = z.nullable(z.string());
const numberOrNull = z.nullable(z.number());
/** A moment that a date can hold. */
const momentMs = z.number().check(z.minimum(0), z.maximum(8.64e15));
const names = z.array(z.tuple([z.string(), z.int()]));
// Fields in this order: names of fields would be most of the text.
const stored = z.object({
  version: z.literal(version),
  atMs: momentMs,
  oldestMs: momentMs,
  ahjs: z.array(ahjRow),
  details: z.array(z.tuple([z.int(), textOrNull, textOrNull, numberOrNull, numberOrNull, numberOrNull])),
  types: z.array(z.tuple([z.int(), z.string(), z.string()])),
  ahjNames: names,
  typeNames: names,
  answers: z.array(z.tuple([z.int(), z.int(), textOrNull, textOrNull, textOrNull, textOrNull])),
});

export function travellingXml({ ahjs, details, types, answers, ...values }: TravellingValues): string {
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
  return jsonPart(element, travellingNamespace, content);
}

/** Null where it is damaged, too large, or of a version that this one does not know: it is left as it is. */
export function parseTravellingXml(xml: string): TravellingValues | null {
  if (xml.length > mostCharacters) return null;
  const parsed = stored.safeParse(readJsonPart(element, xml));
  if (!parsed.success) return null;
  const { atMs, oldestMs, ahjNames, typeNames } = parsed.data;
  const ahjs = parsed.data.ahjs.map(ahjOfRow);
  const byId = new Map(ahjs.map((ahj) => [ahj.id, ahj]));
  return {
    ...{ atMs, oldestMs, ahjs, ahjNames, typeNames },
    details: parsed.data.details.flatMap(([id, state_name, county, population, lat, lon]) => {
      const ahj = byId.get(id);
      return ahj ? [{ ...ahj, state_name, county, population, lat, lon }] : [];
    }),
    types: parsed.data.types.map(([id, name, unit_of_measure]) => ({ id, name, unit_of_measure })),
    answers: parsed.data.answers.map(([ahjId, typeId, value, reference, section, updatedAt]) => ({
      ...{ ahjId, typeId, value, reference, section, updatedAt },
    })),
  };
}

/** Those of the parts that can be read, the newest first. */
export function readable<Part extends { xml: string }>(
  parts: readonly Part[],
): (Part & { values: TravellingValues })[] {
  return parts
    .flatMap((part) => {
      const values = parseTravellingXml(part.xml);
      return values ? [{ ...part, values }] : [];
    })
    .sort((one, other) => other.values.atMs - one.values.atMs);
}
