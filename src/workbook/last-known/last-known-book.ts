import type { Workbook } from "../sheet/workbook";
import {
  mostCharacters,
  readable,
  lastKnownNamespace,
  type LastKnownValues,
  lastKnownXml,
} from "./last-known-values";

/** The last known answers that travel with the workbook. */
export interface LastKnown {
  /** The values; null if there are none that can be read. */
  values: LastKnownValues | null;
  /** The size of the values in the file. */
  characters: number;
  /** The number of parts that are damaged, too large, or of another version of the add-in. */
  unreadable: number;
}

type Parts = Pick<Workbook, "readParts" | "writePart" | "deletePart">;

export async function readLastKnown(workbook: Pick<Parts, "readParts">): Promise<LastKnown> {
  const parts = await workbook.readParts(lastKnownNamespace);
  const read = readable(parts);
  const [newest] = read;
  return {
    values: newest?.values ?? null,
    characters: newest?.xml.length ?? 0,
    unreadable: parts.length - read.length,
  };
}

/**
 * Writes these values into the workbook in place of the earlier ones; unreadable parts are left as they are. If the values take too much
 * space, nothing is written and the result says how many of the answers would fit; otherwise the result is null.
 */
export async function writeLastKnown(
  workbook: Parts,
  values: LastKnownValues,
): Promise<{ fit: number } | null> {
  const xml = lastKnownXml(values);
  if (xml.length > mostCharacters) {
    return { fit: Math.floor((values.answers.length * mostCharacters) / xml.length) };
  }
  const [first, ...others] = readable(await workbook.readParts(lastKnownNamespace));
  await workbook.writePart(first?.id ?? null, xml);
  for (const { id } of others) await workbook.deletePart(id);
  return null;
}

/** Removes all values that travel with the workbook, except parts that can't be read. */
export async function removeLastKnown(workbook: Parts): Promise<void> {
  for (const { id } of readable(await workbook.readParts(lastKnownNamespace))) await workbook.deletePart(id);
}
