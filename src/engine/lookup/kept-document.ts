import type * as z from "zod/mini";
import type { DocumentCache } from "../cache/answer-cache";

export interface KeptDocument<Content> {
  content: Content;
  fetchedAtMs: number;
}

/** Those of the documents that are there and have the shape; others count as not there. */
export async function readDocuments<Schema extends z.ZodMiniType>(
  documents: DocumentCache,
  names: readonly string[],
  schema: Schema,
): Promise<Map<string, KeptDocument<z.output<Schema>>>> {
  const kept = new Map<string, KeptDocument<z.output<Schema>>>();
  for (const [name, { content, fetchedAtMs }] of await documents.read(names)) {
    const parsed = schema.safeParse(content);
    if (parsed.success) kept.set(name, { content: parsed.data, fetchedAtMs });
  }
  return kept;
}

/** One document, if it is there and has the shape. */
export async function readDocument<Schema extends z.ZodMiniType>(
  documents: DocumentCache,
  name: string,
  schema: Schema,
): Promise<KeptDocument<z.output<Schema>> | undefined> {
  return (await readDocuments(documents, [name], schema)).get(name);
}
