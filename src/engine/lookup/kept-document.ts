import type * as z from "../../zod";
import type { DocumentCache } from "../cache/answer-cache";

export interface KeptDocument<Content> {
  content: Content;
  fetchedAtMs: number;
}

/** Reads the documents that exist and have the schema's shape. Others count as missing. */
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

/** Reads one document; undefined if it is missing or has another shape. */
export async function readDocument<Schema extends z.ZodMiniType>(
  documents: DocumentCache,
  name: string,
  schema: Schema,
): Promise<KeptDocument<z.output<Schema>> | undefined> {
  return (await readDocuments(documents, [name], schema)).get(name);
}
