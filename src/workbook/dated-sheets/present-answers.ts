import { inTurns } from "../../async/in-turns";
import { Failure, type FailureKind } from "../../errors";
import type { Lookup } from "../../engine/lookup/lookup";
import { doesShow } from "../imports/refresh/compare-answers";
import { placeName } from "../imports/refresh/place-name";
import { whoseCell } from "../imports/refresh/whose-cell";
import type { ImportBook, KeptImport } from "../imports/saved/import-book";
import { type AnswerPlace, answerPlaces, importRows, type ShownCell } from "../imports/saved/import-rows";
import type { SavedImport } from "../imports/saved/saved-import";
import { type KeptSourcesDependencies, readKeptSources } from "../imports/sources/kept-sources";
import { isNoValue } from "../sheet/layout/no-value";
import type { TableColumns } from "../sheet/tables/bound-table";
import type { ImportTables } from "../sheet/tables/table-changes";
import type { Scalar } from "../sheet/values/cell-value";
import { shownInCell } from "../sheet/values/shown-number";
import { type DatedAnswer, standings } from "./dated-answer";

/** The answers that a workbook's imports show at one time. */
export interface ShownAnswers {
  answers: DatedAnswer[];
  /** The number of the service's values whose citation is not known. The service may have given a value without one: that is known. */
  uncited: number;
  /** The imports that could not be read, and the reasons as parts of a sentence. */
  unread: { name: string; reason: string }[];
}

export interface PresentDependencies {
  tables: Pick<ImportTables, "read">;
  book: Pick<ImportBook, "digests">;
  /** The device's knowledge of the service with the base address `service`; null without a connection. */
  known:
    | (Omit<KeptSourcesDependencies, "lookup"> & {
        lookup: Pick<Lookup, "answers"> & { directory: Pick<Lookup["directory"], "byId" | "recall"> };
        service: string;
      })
    | null;
}

export interface PresentOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of imports that were read. */
  onRead?: ((imports: number) => void) | undefined;
}

/** The failures that keep one import from being read. */
const unreadable: Partial<Record<FailureKind, string>> = {
  "table-gone": "its columns of ids, such as AHJ ID, were deleted or renamed",
  "no-headers": "the header row of its table is turned off",
};

/**
 * The answers that the imports' cells show now, also those that somebody has typed over. The service is asked nothing: citations are those
 * that this device holds for exactly the value that a cell shows, or else those in the table. Fails with the workbook's kinds and cancelled.
 */
export async function readPresentAnswers(
  imports: readonly KeptImport[],
  dependencies: PresentDependencies,
  { signal, onRead }: PresentOptions = {},
): Promise<ShownAnswers> {
  const shown: ShownAnswers = { answers: [], uncited: 0, unread: [] };
  for (const [at, { saved, place }] of imports.entries()) {
    onRead?.(at);
    if (signal?.aborted) throw new Failure("cancelled");
    if (!place) continue;
    try {
      const { answers, uncited } = await answersOf(saved, dependencies, signal);
      for (const answer of answers) shown.answers.push(answer);
      shown.uncited += uncited;
    } catch (thrown) {
      const reason = thrown instanceof Failure ? unreadable[thrown.kind] : undefined;
      if (reason === undefined) throw thrown;
      shown.unread.push({ name: saved.name, reason });
    }
  }
  onRead?.(imports.length);
  return shown;
}

async function answersOf(
  saved: SavedImport,
  { tables, book, known }: PresentDependencies,
  signal: AbortSignal | undefined,
): Promise<Pick<ShownAnswers, "answers" | "uncited">> {
  const ofService = known?.service === saved.service ? known : null;
  // A list may name its places in other words than the service.
  if (saved.listHeader) await ofService?.lookup.directory.recall();
  const headers = saved.columns.map(({ header }) => header);
  const table = await tables.read(saved.tableId, [...headers, saved.listHeader ?? ""], true);
  const places: (AnswerPlace & { shown: ShownCell })[] = [];
  await inTurns(answerPlaces(saved, table, importRows(saved, table)), (place) => {
    const { part, shown } = place;
    if (part === "value" && shown) places.push({ ...place, shown });
  });
  const digests = await book.digests(saved.id);
  const sources = ofService && (await readKeptSources(saved.id, places, ofService, { signal }));
  const citedBeside = citationsBeside(saved, table);
  const { name: importName, form, lastRun } = saved;
  const asOfImportMs = lastRun.asOfMs ?? lastRun.atMs;
  const answers: DatedAnswer[] = [];
  let uncited = 0;
  await inTurns(places, (place) => {
    const { ahj, type, part, shown } = place;
    const isBlank = isNoValue(shown.value, part, form);
    const isFormula = shown.formula !== undefined;
    const kept = isBlank || isFormula ? undefined : sources?.answerAt(place);
    const witnesses = { digests, last: sources?.last };
    const whose = kept ? "service" : whoseCell(place, witnesses, (answer) => doesShow(answer, place, form));
    const isEdited = whose === "somebody";
    // The citation beside a value that somebody has typed is that of another one.
    const cited = isBlank || isEdited ? undefined : (kept ?? citedBeside(place));
    if (!cited && !isBlank && !isEdited) uncited += 1;
    answers.push({
      importName,
      ahjId: ahj.id,
      jurisdiction: placeName(ofService?.lookup.directory.byId(ahj.id) ?? ahj),
      typeId: type.id,
      question: type.name,
      unit: type.unit_of_measure,
      value: isBlank ? "" : (shown.value as Scalar),
      numberFormat: shown.numberFormat,
      standing: isEdited ? standings.edited : isBlank ? standings.none : standings.asGiven,
      reference: cited?.reference ?? null,
      section: cited?.section ?? null,
      updatedAt: cited?.updatedAt ?? null,
      asOfMs: isEdited ? null : (kept?.fetchedAtMs ?? asOfImportMs),
    });
  });
  return { answers, uncited };
}

const partsBeside = ["reference", "section", "updatedAt"] as const;

/** Returns a function that gives the citation in the table's own columns beside a value; undefined where there are none. */
function citationsBeside({ columns }: Pick<SavedImport, "columns">, table: TableColumns) {
  const typeIdOf = new Map<string, number | null>();
  const headerOf = new Map<string, string>();
  for (const { header, content } of columns) {
    if (content.of !== "answer") continue;
    typeIdOf.set(header, content.typeId);
    headerOf.set(`${content.part} ${content.typeId}`, header);
  }
  return ({ place }: AnswerPlace): Pick<DatedAnswer, (typeof partsBeside)[number]> | undefined => {
    const columnOf = (part: (typeof partsBeside)[number]) =>
      table.columns.get(headerOf.get(`${part} ${typeIdOf.get(place.header)}`) ?? "");
    if (!columnOf("reference") && !columnOf("section")) return undefined;
    const [reference = null, section = null, updatedAt = null] = partsBeside.map((part) => {
      const column = columnOf(part);
      const value = column?.values[place.row] ?? "";
      if (value === "") return null;
      return shownInCell(value, column?.numberFormats[place.row] ?? "General");
    });
    return { reference, section, updatedAt };
  };
}
