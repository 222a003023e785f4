import { vi } from "vitest";
import type { CachedDocument, DocumentCache } from "../../../src/engine/cache/answer-cache";

/** The documents of one device, as sessions after one another find them, beginning with these. */
export function device(contents: Record<string, unknown> = {}, fetchedAtMs = Date.now()) {
  const kept = new Map<string, CachedDocument>();
  for (const [name, content] of Object.entries(contents)) kept.set(name, { fetchedAtMs, content });
  return {
    kept,
    read: vi.fn((names: Iterable<string>) => {
      const found = [...names].flatMap((name) => {
        const document = kept.get(name);
        return document ? [[name, document] as const] : [];
      });
      return Promise.resolve(new Map(found));
    }),
    // As a disk has it: what is changed later is not what was written.
    write: vi.fn((name: string, document: CachedDocument) => void kept.set(name, structuredClone(document))),
  } satisfies DocumentCache & { kept: unknown };
}
