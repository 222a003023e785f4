import type * as z from "zod/mini";
import { letPageAnswer } from "../../async/in-turns";
import { envelope, type Warning } from "./schemas";

/** A good status with a bad answer: the service says why, or it is none of the interface's. */
export type Refusal = { refused: string } | { unexpected: unknown };

/** Takes the text of an answer out of its envelope and checks it, in turns. Never fails. */
export async function readAnswer<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
): Promise<{ data: z.output<Schema>; warnings: Warning[] } | Refusal> {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    // The parser's own words quote the answer, which may hold the key.
    return { unexpected: undefined };
  }
  await letPageAnswer();
  const wrapped = envelope.safeParse(sent);
  if (!wrapped.success) return { unexpected: wrapped.error };
  if (wrapped.data.response_type === "error") return { refused: wrapped.data.description };
  const data = schema.safeParse(wrapped.data.data);
  if (!data.success) return { unexpected: data.error };
  await letPageAnswer();
  return { data: data.data, warnings: wrapped.data.warnings };
}
