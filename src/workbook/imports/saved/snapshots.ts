import * as z from "../../../zod";
import { inTurns, yieldToPage } from "../../../async/in-turns";
import type { CachedDocument, DocumentCache } from "../../../engine/cache/answer-cache";
import {
  type AnswerPart,
  fillParts,
  type FilledPart,
  openAnswerPart,
  type PartRow,
} from "../../../engine/cache/answer-part";
import { partsOf } from "../../../lists";
import type { Known } from "../../sheet/layout/answer-parts";

/** The published answers of an import's cells at its last run. */
export interface Snapshot {
  ahjIds(): Iterable<number>;
  /** The largest number of types that are known for one AHJ. */
  mostTypes: number;
  /** The `stateId` of the workbook's digests (`CellDigests`) that match this snapshot; undefined if the workbook keeps none. */
  stateId?: string | undefined;
  /** The types for which an answer of the AHJ is known. */
  typeIds(ahjId: number): ReadonlySet<number>;
  /** The answer: null if no value was recorded, undefined if nothing is known. */
  get(ahjId: number, typeId: number): Known | null | undefined;
}

/** A snapshot that is to be written. */
interface NewSnapshot extends Snapshot {
  /** A faster way than `get` if all answers are known: adds the answer to a part, and returns false if there was no value. */
  copy?: ((ahjId: number, typeId: number, into: AnswerPart) => boolean) | undefined;
}

/**
 * The document that says how many parts a snapshot has. Each part is a document of its own. All of them carry the id of their run, so that
 * parts of different runs are never mixed.
 */
const storedIndex = z.object({
  run: z.string(),
  parts: z.int().check(z.between(0)),
  stateId: z.optional(z.string()),
});
/** The rows of a part: an AHJ's id, its first slot, and the number of its answers. */
const storedRows = z.object({ run: z.string(), rows: z.array(z.tuple([z.int(), z.int(), z.int()])) });

/** The number of parts that are read together. */
const partsAtOnce = 8;

/**
 * The published answers of each import's last run, stored on this device, because a cell tells neither the text as published nor its
 * citation. If an import has no snapshot, a refresh compares with what the sheet shows. If a part can't be written, the whole snapshot is
 * unreadable, but nothing else is harmed.
 */
export function createSnapshots(documents: DocumentCache) {
  const nameOf = (importId: string) => `import ${importId}`;
  const partName = (importId: string, part: number) => `${nameOf(importId)} part ${part}`;

  async function readIndex(importId: string) {
    const name = nameOf(importId);
    return storedIndex.safeParse((await documents.read([name])).get(name)?.content).data;
  }

  return {
    /** The snapshot of an import; undefined if there is none or it can't be read. */
    async read(importId: string): Promise<Snapshot | undefined> {
      const index = await readIndex(importId);
      if (!index) return undefined;
      const parts: FilledPart[] = [];
      const names = Array.from({ length: index.parts }, (_, part) => partName(importId, part));
      for (const batch of partsOf(names, partsAtOnce)) {
        const found = await documents.read(batch);
        for (const name of batch) {
          const part = partOf(found.get(name), index.run);
          if (!part) return undefined;
          parts.push(part);
          await yieldToPage();
        }
      }
      return { ...snapshotOf(parts), stateId: index.stateId };
    },
    /**
     * Notes that this device's add-in has written cells since the run: the snapshot then belongs to the digests with the new `stateId`. Does
     * nothing if it did not belong to those with the old one.
     */
    async changeStateId(importId: string, stateId: { from: string; to: string }): Promise<void> {
      const name = nameOf(importId);
      const document = (await documents.read([name])).get(name);
      const index = storedIndex.safeParse(document?.content).data;
      if (!document || index?.stateId !== stateId.from) return;
      documents.write(name, { ...document, content: { ...index, stateId: stateId.to } });
    },
    /** Writes a snapshot. Resolves once its documents are handed to the cache, which stores them soon. */
    async write(importId: string, { ahjIds, mostTypes, typeIds, get, copy, stateId }: NewSnapshot) {
      const run = crypto.randomUUID();
      const fetchedAtMs = Date.now();
      const parts = await fillParts([...ahjIds()], mostTypes, (ahjId, part) => {
        for (const typeId of typeIds(ahjId)) {
          if (copy?.(ahjId, typeId, part)) continue;
          // If `copy` has added no value, there is none.
          const known = copy ? null : get(ahjId, typeId);
          if (known === undefined) continue;
          part.push(typeId, known ? { ...known, fetchedAtMs } : { absence: "no-value", fetchedAtMs });
        }
      });
      await inTurns(parts.entries(), ([number, { part, rows }]) => {
        const content = { run, rows: rows.map(({ ahj, start, count }) => [ahj, start, count]) };
        documents.write(partName(importId, number), { fetchedAtMs, content, columns: part.stored() });
      });
      documents.write(nameOf(importId), { fetchedAtMs, content: { run, parts: parts.length, stateId } });
    },
  };
}

/** The part with its rows; undefined if it is damaged or of another run. */
function partOf(document: CachedDocument | undefined, run: string): FilledPart | undefined {
  const stored = storedRows.safeParse(document?.content).data;
  const part = openAnswerPart(document?.columns);
  if (stored?.run !== run || !part) return undefined;
  const rows = stored.rows.map(([ahj, start, count]): PartRow => ({ ahj, start, count }));
  const isIn = ({ start, count }: PartRow) => start >= 0 && count >= 0 && start + count <= part.count();
  return rows.every(isIn) ? { part, rows } : undefined;
}

function snapshotOf(parts: readonly FilledPart[]): Snapshot {
  const places = new Map(parts.flatMap(({ part, rows }) => rows.map((row) => [row.ahj, { part, row }])));
  return {
    ahjIds: () => places.keys(),
    mostTypes: parts.reduce((most, { rows }) => Math.max(most, ...rows.map(({ count }) => count)), 0),
    typeIds(ahjId) {
      const place = places.get(ahjId);
      if (!place) return new Set();
      const { part, row } = place;
      return new Set(Array.from({ length: row.count }, (_, index) => part.typeAt(row.start + index)));
    },
    get(ahjId, typeId) {
      const place = places.get(ahjId);
      const slot = place ? place.part.find(typeId, place.row.start, place.row.count) : -1;
      if (!place || slot < 0) return undefined;
      const answer = place.part.at(slot);
      if ("absence" in answer) return null;
      const { value, reference, section, updatedAt } = answer;
      return { value, reference, section, updatedAt };
    },
  };
}
