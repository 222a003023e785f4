import type { UserStorage } from "../../settings/connection";
import { createLastChoice, type LastChoice } from "../../settings/choices/last-choice";
import { entryOf, mostEntries } from "../../settings/choices/saved-territories";
import type { InsertOrder } from "./insert/import-control";

/**
 * Stores an import's jurisdictions and questions, to offer them again. An import beside a list stores only its questions. Fails if the
 * storage does.
 */
export function noteLastChoice(
  storage: UserStorage,
  { question, beside }: Pick<InsertOrder, "question" | "beside">,
): Promise<void> {
  const { ahjs } = question;
  const entries = beside || ahjs.length > mostEntries ? [] : ahjs.map(entryOf);
  const typeIds = question.kind === "matrix" ? question.types.map(({ id }) => id) : [];
  const next = (before: LastChoice | null) => ({
    entries: entries.length > 0 ? entries : (before?.entries ?? []),
    typeIds: typeIds.length > 0 ? typeIds : (before?.typeIds ?? []),
  });
  return createLastChoice(storage).change(next);
}
