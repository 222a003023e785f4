import type { DocumentCache } from "../../../engine/cache/answer-cache";
import { finishInTurns } from "../../../async/in-turns";
import {
  type CellDigests,
  createDigests,
  digestOf,
  digestsOfColumn,
  printOfAhj,
  shownBy,
  storeDigests,
} from "./cell-digests";
import type { ImportBook } from "./import-book";
import { mostDecided, type SavedImport } from "./saved-import";
import { createSnapshots } from "./snapshots";
import type { ImportOrder, PlannedImport } from "../run/import-types";
import { headersBeside } from "../run/list-rows";

/** Has the workbook remember an import, and this device the published texts of its cells. */
export async function rememberImport(
  { question, form, sheetName, beside, replaces }: ImportOrder,
  planned: PlannedImport,
  { tableId, importId }: { tableId: string; importId: string },
  {
    book,
    service,
    documents,
  }: {
    book: Pick<ImportBook, "write" | "update">;
    service: string;
    documents: DocumentCache;
  },
): Promise<void> {
  const { table, answers, report } = planned;
  const former = replaces?.kept.saved;
  const digests = await finishInTurns(digestsOf(planned));
  const saved: SavedImport = {
    id: importId,
    name: former?.name ?? sheetName,
    tableId,
    service,
    collection:
      question.kind === "collection" ? { id: question.collection.id, name: question.collection.name } : null,
    find: question.find,
    form,
    columns: table.columns,
    listHeader: beside?.header.text,
    ...(beside?.decided && { decided: beside.decided.slice(0, mostDecided) }),
    ...(beside?.list.together && { listBeside: headersBeside(beside.list, beside.header) }),
    types: answers.types.map(({ id, name, unit_of_measure }) => ({ id, name, unit_of_measure })),
    lastRun: {
      atMs: Date.now(),
      asOfMs: await finishInTurns(oldestAnswer(planned)),
      rows: table.rows.length,
      values: report.values,
      notRefreshed: 0,
    },
    digests: storeDigests(digests),
  };
  const isKept = former !== undefined && (await book.update(saved.id, saved));
  // The import is written anew if it was forgotten meanwhile, because its table is in the sheet.
  if (!isKept) await book.write(saved);
  const typeIds = new Set(answers.types.map(({ id }) => id));
  await createSnapshots(documents).write(saved.id, {
    ahjIds: () => answers.ahjs.map(({ id }) => id),
    mostTypes: typeIds.size,
    typeIds: () => typeIds,
    get: (ahjId, typeId) => answers.of(ahjId, typeId) ?? null,
    copy: answers.copy,
    stateId: digests.stateId,
  });
}

/** The time when the service gave the oldest answer of a long table, which gets rows for later ones. Pauses now and then. */
function* oldestAnswer({ rows, answers }: PlannedImport): Generator<void, number | undefined> {
  let oldestMs = Infinity;
  for (const [down, about] of rows.entries()) {
    if (down % cellsAtOnce === 0) yield;
    const answer = about?.type && answers.of(about.ahj.id, about.type.id);
    if (answer) oldestMs = Math.min(oldestMs, answer.fetchedAtMs);
  }
  return Number.isFinite(oldestMs) ? oldestMs : undefined;
}

/** The cells between two pauses, since reading the clock takes as long as a digest. */
const cellsAtOnce = 64;

/**
 * The digests of a table as it was written, column by column, because room goes to the first columns: those of answers. Pauses now and then.
 */
function* digestsOf({ table, rows }: PlannedImport): Generator<void, CellDigests> {
  const digests = createDigests(crypto.randomUUID());
  const prints = rows.map((about) => (about ? printOfAhj(about.ahj.id) : 0));
  const ofAnswers = table.columns.flatMap(({ content }, across) =>
    content.of === "answer"
      ? [{ across, part: content.part, typeId: content.typeId ?? ("of-row" as const) }]
      : [],
  );
  const ofAhjs = table.columns.flatMap(({ content }, across) =>
    content.of === "ahj" && content.field !== "id" ? [{ across, part: content.field, typeId: null }] : [],
  );
  for (const { across, part, typeId: ofAll } of [...ofAnswers, ...ofAhjs]) {
    const ofColumn = ofAll === "of-row" ? undefined : digestsOfColumn(ofAll, part);
    for (const [down, about] of rows.entries()) {
      if (down % cellsAtOnce === 0) yield;
      const cell = table.rows[down]?.[across];
      const typeId = ofAll === "of-row" ? about?.type?.id : ofAll;
      if (!cell || !about || typeId === undefined) continue;
      const key = { ahjId: about.ahj.id, typeId, part };
      if (!digests.hasRoomFor(key)) continue;
      const shown = shownBy(cell);
      const digest = ofColumn ? ofColumn(prints[down] ?? 0, shown) : digestOf(key, shown);
      digests.set(key, digest, digest);
    }
  }
  return digests;
}
