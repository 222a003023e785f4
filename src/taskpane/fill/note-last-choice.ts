import type { LastChoice } from "../../settings/choices/last-choice";
import { entryOf, mostEntries } from "../../settings/choices/saved-territories";
import type { KeptItem } from "../../settings/kept-item";
import type { ImportOrder } from "./insert/import-control";

/** Notes what an import asked for, to be offered again. Of a list in the sheet, only its questions. */
export function noteLastChoice(
  lastChoice: KeptItem<LastChoice | null>,
  { question, beside }: Pick<ImportOrder, "question" | "beside">,
): void {
  const { ahjs } = question;
  const entries = beside || ahjs.length > mostEntries ? [] : ahjs.map(entryOf);
  const typeIds = question.kind === "matrix" ? question.types.map(({ id }) => id) : [];
  const next = (before: LastChoice | null) => ({
    entries: entries.length > 0 ? entries : (before?.entries ?? []),
    typeIds: typeIds.length > 0 ? typeIds : (before?.typeIds ?? []),
  });
  // What can't be kept is not offered again.
  lastChoice.change(next).catch(() => undefined);
}
