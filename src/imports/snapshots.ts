import * as z from "zod/mini";
import type { DocumentCache } from "../cache/answer-cache";
import type { Published } from "../sheet/table-plan";

z.config({ jitless: true });

/** What a cell was published as. */
export type Known = Omit<Published, "fetchedAtMs">;

/** What an import's cells were published as at its last run; null where there was no value. */
export type Snapshot = Map<string, Known | null>;

export function cellKey(ahjId: number, typeId: number): string {
  return `${ahjId} ${typeId}`;
}

const textOrNull = z.nullable(z.string());
const stored = z.array(
  z.tuple([z.string(), z.nullable(z.tuple([z.string(), textOrNull, textOrNull, textOrNull]))]),
);

/**
 * The last run of each import, on this device: a cell alone does not tell the text it was published as, nor where it
 * is written. Who has none compares with what the sheet shows.
 */
export function createSnapshots(documents: DocumentCache) {
  const documentOf = (importId: string) => `import ${importId}`;
  return {
    async read(importId: string): Promise<Snapshot | undefined> {
      const name = documentOf(importId);
      const parsed = stored.safeParse((await documents.read([name])).get(name)?.content);
      if (!parsed.success) return undefined;
      return new Map(
        parsed.data.map(([key, published]) => {
          if (!published) return [key, null];
          const [value, reference, section, updatedAt] = published;
          return [key, { value, reference, section, updatedAt }];
        }),
      );
    },
    write(importId: string, snapshot: Snapshot): void {
      const content: z.infer<typeof stored> = [...snapshot].map(([key, published]) => [
        key,
        published && [published.value, published.reference, published.section, published.updatedAt],
      ]);
      documents.write(documentOf(importId), { fetchedAtMs: Date.now(), content });
    },
  };
}
