import { finishInTurns } from "../../../async/in-turns";
import { Failure } from "../../../errors";
import { leavesBlank } from "../../../engine/absence";
import type { FoundAnswer } from "../../../engine/lookup/answers/kept-answers";
import type { Lookup } from "../../../engine/lookup/lookup";
import type { ExchangeOptions } from "../../../engine/transport/exchange";
import type { Known, PublishedAnswer } from "../../sheet/layout/answer-parts";
import { isNothing } from "../../sheet/tables/table-changes";
import type { CellUpdate } from "../../sheet/tables/table-edit";
import type { SavedImport } from "../saved/saved-import";
import { createSnapshots } from "../saved/snapshots";
import { isSame, shows, type ValueChange } from "./compare-answers";
import { listHeadersOf } from "../saved/ahj-headers";
import { listEntries, rowsOfOthers } from "./list-entry";
import { finishRefresh, onlyType, planRefresh, prepareCell } from "./plan-refresh";
import type { RefreshDependencies, RefreshOptions } from "./refresh";
import { refreshUnderWay } from "./refresh-under-way";

/** The ids of an AHJ and a type, which identify an answer. */
export interface AnswerIds {
  ahjId: number;
  typeId: number;
}

/**
 * The result of asking for an answer again. `before` and `after` are null if no value is recorded; `before` is undefined if it was not
 * known.
 */
export interface AnswerChange extends Pick<ValueChange, "after" | "shownAfter"> {
  before: Known | null | undefined;
  /** Other texts in the answer's cells that were replaced and may have been typed by somebody. */
  replaced?: readonly string[];
}

/**
 * Asks the service for one answer, even if one is held; it costs one request. `before` is the answer that was known. The new answer has the
 * date of its last change if `before` has one or `needsDate` is true. Fails with the reason why there is no answer. If the request limit is
 * used up, it fails instead of waiting.
 */
export async function askOneAnew(
  { ahjId, typeId }: AnswerIds,
  before: FoundAnswer | Failure | null,
  { answers }: Pick<Lookup, "answers">,
  { signal, needsDate = false }: Pick<ExchangeOptions, "signal"> & { needsDate?: boolean } = {},
): Promise<PublishedAnswer | null> {
  const wanted = new Map([[ahjId, new Set([typeId])]]);
  const wasDated = !(before instanceof Failure) && before !== null && before.cell.updatedAt !== null;
  const isDated = wasDated || needsDate;
  const nowMs = Date.now();
  const read = await answers.read(isDated ? { values: new Map(), dated: wanted } : { values: wanted }, {
    signal,
    urgent: true,
    sinceMs: nowMs,
    giveUpAtMs: nowMs,
  });
  const answer = read.of(ahjId, typeId);
  if (!(answer instanceof Failure)) return answer.cell;
  if (leavesBlank(answer.kind)) return null;
  throw answer;
}

/** The change from the known answer to the new one. */
export function changeOf(before: FoundAnswer | Failure | null, after: Known | null): AnswerChange {
  if (before === null) return { before: undefined, after };
  if (!(before instanceof Failure)) return { before: before.cell, after };
  return { before: leavesBlank(before.kind) ? null : undefined, after };
}

/** True if the answer is known to be the same as before. */
export function isUnchanged({ before, after }: AnswerChange): boolean {
  return before !== undefined && isSame(before, after);
}

/** One answer of an import, and the answer that is known of it; null if none is. */
export interface AnswerToRefresh {
  asked: AnswerIds;
  before: FoundAnswer | Failure | null;
}

/**
 * Asks again for one answer of an import, and writes it into the cells that show another one, wherever their rows stand now. Fails with a
 * Failure, and the sheet is then as it was.
 */
export async function refreshCell(
  saved: SavedImport,
  { asked, before }: AnswerToRefresh,
  { tables, lookup, documents, book }: Omit<RefreshDependencies, "client" | "credentials">,
  { note, ...options }: Pick<RefreshOptions, "signal" | "note"> = {},
): Promise<AnswerChange> {
  await tables.mayWrite(saved.tableId);
  const after = await askOneAnew(asked, before, lookup, {
    ...options,
    needsDate: saved.form.hasDates ?? false,
  });
  const part = onlyType(saved, asked.typeId);
  const headers = part.columns.map(({ header }) => header);
  const table = await tables.read(saved.tableId, [...headers, ...listHeadersOf(saved)], true);
  const snapshots = createSnapshots(documents);
  const last = await snapshots.read(saved.id);
  const digests = await book.digests(saved.id);
  const isLatest = last?.stateId === digests.stateId;
  const prepared = prepareCell({ saved, table, last, digests }, asked);
  const others = await rowsOfOthers(await listEntries(saved, table), prepared.rows, lookup.directory);
  const plan = await finishInTurns(planRefresh(prepared, { outcomeOf: () => after, others, rowless: [] }));
  const edit = async () => {
    let notesLeft = 0;
    const outcome = await tables.edit(saved.tableId, plan.edit, {
      ...options,
      mustBeWhole: true,
      onNotesLeft: (notes) => (notesLeft = notes),
    });
    return { snapshot: finishRefresh(plan, { ...outcome, notesLeft }, Date.now()).snapshot };
  };
  if (!isNothing(plan.edit)) await note?.begin(refreshUnderWay(saved));
  const { snapshot } = await book.during(saved.id, { kept: digests, written: plan.digests }, edit);
  await note?.end();
  if (last) {
    const stateId = isLatest ? digests.stateId || undefined : last.stateId;
    await snapshots.write(saved.id, { ...snapshot, stateId });
  }
  const values = part.columns.filter(({ content }) => content.of === "answer" && content.part === "value");
  const isValue = ({ header }: CellUpdate) => values.some((column) => column.header === header);
  const typedOver = plan.edit.updates.find((update) => isValue(update) && !shows(update.cell, update.shown));
  const change = changeOf(before, after);
  // If the answer is unchanged, the change is from the text that somebody typed over it.
  const isMended = typedOver !== undefined && isUnchanged(change);
  const mended = [...plan.report.changes, ...plan.report.unsure].find(
    ({ place }) => place.row === typedOver?.row && place.header === typedOver.header,
  );
  const told = isMended && mended ? { before: mended.before, after, shownAfter: mended.shownAfter } : change;
  const known = last?.get(asked.ahjId, asked.typeId);
  const typed = plan.report.unsure.flatMap(({ before: shown }) =>
    shown && known !== undefined && shown !== known && shown.value !== told.before?.value
      ? [shown.value]
      : [],
  );
  return { ...told, replaced: [...typed, ...plan.report.replaced.map(({ text }) => text)] };
}
