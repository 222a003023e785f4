import type { Workbook } from "../workbook";
import { jsonPart, readJsonPart } from "./json-part";

/** One JSON object that the workbook keeps for whoever opens it, read and written as an item of a storage. */
export interface PartStorage {
  /** Null where the workbook has none, or none that can be read. */
  getItem(): Promise<string | null>;
  setItem(name: string, json: string): Promise<void>;
}

/** Keeps it in a custom XML part of this namespace. Of several that colleagues wrote at once, the first counts. Fails where Excel does. */
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
