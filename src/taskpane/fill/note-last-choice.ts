import type { UserStorage } from "../../settings/connection";
import { createLastChoice, type LastChoice } from "../../settings/choices/last-choice";
import { entryOf, mostEntries } from "../../settings/choices/saved-territories";
import type { ImportOrder } from "./insert/import-control";

/** Notes what an import asked for, to be offered again. Of a list in the sheet, only its questions. Fails where the storage does. */
export function noteLastChoice(
  storage: UserStorage,
  { question, beside }: Pick<ImportOrder, "question" | "beside">,
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
