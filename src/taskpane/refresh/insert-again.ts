import type { Session } from "../../app";
import { Failure } from "../../errors";
import { createImportBook } from "../../workbook/imports/saved/import-book";
import type { SavedImport } from "../../workbook/imports/saved/saved-import";
import type { PaneApp } from "../pane-app";
import type { WantedImport } from "../fill/draft/draft-control";

/**
 * The data to insert again for an import whose table is gone: its questions, and the jurisdictions that the digests of its cells name.
 * Fails with nothing-found if the workbook knows none of them.
 */
export async function wantedAgain(
  saved: SavedImport,
  { workbook }: Pick<PaneApp, "workbook">,
  { lookup }: Pick<Session, "lookup">,
): Promise<WantedImport> {
  const [digests, types] = await Promise.all([
    createImportBook(workbook).digests(saved.id),
    lookup.catalogue.types(),
  ]);
  const entries = digests.ahjIds().map((id) => `ahj:${id}`);
  if (entries.length === 0) {
    throw new Failure("nothing-found", {
      detail: "The workbook no longer knows which jurisdictions this import had.",
      nextStep: "Choose them under Get data.",
    });
  }
  const byId = new Map(types.map((type) => [type.id, type]));
  return {
    types: saved.types.flatMap(({ id }) => byId.get(id) ?? []),
    again: { name: saved.name, entries },
  };
}
