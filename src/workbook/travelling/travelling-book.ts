import type { Workbook } from "../sheet/workbook";
import {
  mostCharacters,
  readable,
  travellingNamespace,
  type TravellingValues,
  travellingXml,
} from "./travelling-values";

/** What travels with the workbook. */
export interface Travelling {
  /** Null where nothing does that can be read. */
  values: TravellingValues | null;
  /** Its size in the file. */
  characters: number;
  /** Parts that are damaged, too large, or of another version of the add-in. */
  unreadable: number;
}

type Parts = Pick<Workbook, "readParts" | "writePart" | "deletePart">;

export async function readTravelling(workbook: Pick<Parts, "readParts">): Promise<Travelling> {
  const parts = await workbook.readParts(travellingNamespace);
  const read = readable(parts);
  const [newest] = read;
  return {
    values: newest?.values ?? null,
    characters: newest?.xml.length ?? 0,
    unreadable: parts.length - read.length,
  };
}

/**
 * Lets these values travel in place of those before; what can't be read is left as it is. Where they would take too much
 * room nothing is written: says how many of the answers fit, null where all do.
 */
export async function writeTravelling(
  workbook: Parts,
  values: TravellingValues,
): Promise<{ fit: number } | null> {
  const xml = travellingXml(values);
  if (xml.length > mostCharacters) {
    return { fit: Math.floor((values.answers.length * mostCharacters) / xml.length) };
  }
  const [first, ...others] = readable(await workbook.readParts(travellingNamespace));
  await workbook.writePart(first?.id ?? null, xml);
  for (const { id } of others) await workbook.deletePart(id);
  return null;
}

/** Nothing travels any more, but for what can't be read. */
export async function removeTravelling(workbook: Parts): Promise<void> {
  for (const { id } of readable(await workbook.readParts(travellingNamespace))) await workbook.deletePart(id);
}
