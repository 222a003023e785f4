import type { Workbook } from "../workbook";
import { jsonPart, readJsonPart } from "./json-part";

/** A JSON object that the workbook keeps for everyone who opens it, with the methods of a storage. */
export interface PartStorage {
  /** The object as JSON; null if the workbook has none that can be read. */
  getItem(): Promise<string | null>;
  setItem(name: string, json: string): Promise<void>;
}

/**
 * A storage that keeps its object in a custom XML part of this namespace. If colleagues have written several parts at once, the first
 * counts. Fails if Excel does.
 */
export function createPartStorage(
  workbook: Pick<Workbook, "readParts" | "writePart">,
  namespace: string,
): PartStorage {
  return {
    async getItem() {
      const [part] = await workbook.readParts(namespace);
      const content = part && readJsonPart("kept", part.xml);
      return content === undefined ? null : JSON.stringify(content);
    },
    async setItem(_, json) {
      const [part] = await workbook.readParts(namespace);
      const xml = jsonPart("kept", namespace, JSON.parse(json) as object);
      await workbook.writePart(part?.id ?? null, xml);
    },
  };
}
