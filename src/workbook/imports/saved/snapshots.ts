import * as z from "zod/mini";
import { inTurns } from "../../../engine/api/let-page-answer";
import type { DocumentCache } from "../../../engine/cache/answer-cache";
import type { Published } from "../../sheet/layout/table-plan";

z.config({ jitless: true });

/** What a cell was published as. */
export type Known = Omit<Published, "fetchedAtMs">;

/** What an import's cells were published as at its last run, by `answerKey`; null where there was no value. */
export type Snapshot = Map<string, Known | null>;

const textOrNull = z.nullable(z.string());
const storedCells = z.array(
  z.tuple([z.string(), z.nullable(z.tuple([z.string(), textOrNull, textOrNull, textOrNull]))]),
);
type StoredCell = z.infer<typeof storedCells>[number];

/** JSON texts of some cells each: a large import is put into words, and read, in several turns. */
const storedParts = z.array(z.string());
const cellsAPart = 5_000;

/**
 * The last run of each import, on this device: a cell alone does not tell the text it was published as, nor where it
 * is written. Who has none compares with what the sheet shows.
 */
export function createSnapshots(documents: DocumentCache) {
  const documentOf = (importId: string) => `import ${importId}`;
  return {
    /** Undefined where there is none, or one that can't be read. */
    async read(importId: string): Promise<Snapshot | undefined> {
      const name = documentOf(importId);
      const parts = storedParts.safeParse((await documents.read([name])).get(name)?.content);
      if (!parts.success) return undefined;
      const snapshot: Snapshot = new Map();
      let isReadable = true;
      await inTurns(
        parts.data,
        (part) => {
          const cells = storedCells.safeParse(parsedJson(part));
          isReadable &&= cells.success;
          for (const [key, published] of cells.data ?? []) snapshot.set(key, published && knownOf(published));
        },
        cellsAPart,
      );
      return isReadable ? snapshot : undefined;
    },
    /** Settles when it is on its way to disk. */
    async write(importId: string, cells: Iterable<[key: string, published: Known | null]>): Promise<void> {
      const entries = [...cells];
      const starts = Array.from(
        { length: Math.ceil(entries.length / cellsAPart) },
        (_, part) => part * cellsAPart,
      );
      const content: string[] = [];
      await inTurns(
        starts,
        (start) => content.push(JSON.stringify(entries.slice(start, start + cellsAPart).map(storedCell))),
        cellsAPart,
      );
      documents.write(documentOf(importId), { fetchedAtMs: Date.now(), content });
    },
  };
}

function storedCell([key, published]: [key: string, published: Known | null]): StoredCell {
  return [key, published && [published.value, published.reference, published.section, published.updatedAt]];
}

function knownOf([value, reference, section, updatedAt]: NonNullable<StoredCell[1]>): Known {
  return { value, reference, section, updatedAt };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
