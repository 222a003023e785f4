import * as z from "zod/mini";
import { inTurns } from "../../../async/in-turns";
import type { CachedDocument, DocumentCache } from "../../../engine/cache/answer-cache";
import { partsOf } from "../../../lists";
import type { Published } from "../../sheet/layout/table-plan";

z.config({ jitless: true });

/** What a cell was published as. */
export type Known = Omit<Published, "fetchedAtMs">;

/** What an import's cells were published as at its last run, by `answerKey`; null where there was no value. */
export type Snapshot = Map<string, Known | null>;

/** Names the parts, each a document of its own. `run` tells them from those of another run. */
const storedIndex = z.object({ run: z.string(), parts: z.int().check(z.nonnegative()) });
/** Of each cell five places in `texts`: of its key, value, reference, section and date; -1 for null. */
const storedPart = z.object({ run: z.string(), texts: z.array(z.string()), places: z.array(z.int()) });
type StoredPart = z.infer<typeof storedPart>;

const placesACell = 5;
const cellsAPart = 5_000;
/** Parts that are read together. */
const partsAtOnce = 8;

/**
 * The last run of each import, on this device: a cell alone does not tell the text it was published as, nor where it
 * is written. Who has none compares with what the sheet shows. A part that can't be written costs the run, and nothing else.
 */
export function createSnapshots(documents: DocumentCache) {
  const nameOf = (importId: string) => `import ${importId}`;
  const partName = (importId: string, part: number) => `${nameOf(importId)} part ${part}`;

  async function readIndex(importId: string) {
    const name = nameOf(importId);
    return storedIndex.safeParse((await documents.read([name])).get(name)?.content).data;
  }

  return {
    /** Undefined where there is none, or one that can't be read. */
    async read(importId: string): Promise<Snapshot | undefined> {
      const index = await readIndex(importId);
      if (!index) return undefined;
      const snapshot: Snapshot = new Map();
      const names = Array.from({ length: index.parts }, (_, part) => partName(importId, part));
      for (const some of partsOf(names, partsAtOnce)) {
        const found = await documents.read(some);
        const parts = some.map((name) => partOf(found.get(name), index.run));
        if (parts.includes(undefined)) return undefined;
        await inTurns(parts, (part) => part && addCells(snapshot, part), cellsAPart);
      }
      return snapshot;
    },
    /** Settles when it is on its way to disk. */
    async write(importId: string, cells: Iterable<[key: string, published: Known | null]>): Promise<void> {
      const run = crypto.randomUUID();
      const parts = partsOf([...cells], cellsAPart);
      const fetchedAtMs = Date.now();
      await inTurns(
        [...parts.entries()],
        ([part, some]) =>
          documents.write(partName(importId, part), { fetchedAtMs, content: storedPartOf(some, run) }),
        cellsAPart,
      );
      documents.write(nameOf(importId), { fetchedAtMs, content: { run, parts: parts.length } });
    },
  };
}

function storedPartOf(cells: readonly [string, Known | null][], run: string): StoredPart {
  const texts: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (text: string | null): number => {
    if (text === null) return -1;
    let place = places.get(text);
    if (place === undefined) places.set(text, (place = texts.push(text) - 1));
    return place;
  };
  const stored: number[] = [];
  for (const [key, published] of cells) {
    const { value = null, reference = null, section = null, updatedAt = null } = published ?? {};
    stored.push(...[key, value, reference, section, updatedAt].map(placeOf));
  }
  return { run, texts, places: stored };
}

/** Undefined where it is of another run, or damaged. */
function partOf(document: CachedDocument | undefined, run: string): StoredPart | undefined {
  const part = storedPart.safeParse(document?.content).data;
  if (part?.run !== run || part.places.length % placesACell !== 0) return undefined;
  const isRight = (place: number, at: number) =>
    place < part.texts.length && place >= (at % placesACell === 0 ? 0 : -1);
  return part.places.every(isRight) ? part : undefined;
}

function addCells(snapshot: Snapshot, { texts, places }: StoredPart): void {
  for (let at = 0; at < places.length; at += placesACell) {
    const [key = "", value = null, reference = null, section = null, updatedAt = null] = places
      .slice(at, at + placesACell)
      .map((place) => texts[place]);
    snapshot.set(key, value === null ? null : { value, reference, section, updatedAt });
  }
}
