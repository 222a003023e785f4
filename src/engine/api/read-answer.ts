import type * as z from "../../zod";
import { yieldToPage } from "../../async/in-turns";
import { envelope, type Warning } from "./schemas";

/** An answer that has a success status but no data: the service's reason, or the answer does not fit the interface. */
export type Refusal = { refused: string } | { unexpected: unknown; detail?: string };

/** The sentence about an answer to another request. */
export const mixedUp = "It is about something else than what was asked for.";

/**
 * Takes an answer's data out of its envelope and checks its form, and that it is about what was asked for, with pauses so that the page can
 * respond. Never fails.
 */
export async function readEnvelope<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  isAsked: (data: z.output<Schema>, warnings: Warning[]) => boolean | undefined,
): Promise<{ data: z.output<Schema>; warnings: Warning[] } | Refusal> {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    // The parser's message quotes the answer, which may hold the key.
    return { unexpected: undefined };
  }
  await yieldToPage();
  const wrapped = envelope.safeParse(sent);
  if (!wrapped.success) return { unexpected: wrapped.error };
  if (wrapped.data.response_type === "error") return { refused: wrapped.data.description };
  const data = schema.safeParse(wrapped.data.data);
  if (!data.success) return { unexpected: data.error };
  await yieldToPage();
  const { warnings } = wrapped.data;
  if (isAsked(data.data, warnings) === false) return { unexpected: undefined, detail: mixedUp };
  return { data: data.data, warnings };
}
