import { vi } from "vitest";
import type { CachedDocument, DocumentCache } from "../../../src/engine/cache/answer-cache";

/** The documents of one device, as successive sessions find them, beginning with these. */
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
    // Stores a copy, as a disk does: later changes of the object do not reach it.
    write: vi.fn((name: string, document: CachedDocument) => void kept.set(name, structuredClone(document))),
  } satisfies DocumentCache & { kept: unknown };
}
