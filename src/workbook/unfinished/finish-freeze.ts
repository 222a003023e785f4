import { freezeFormulas, type Frozen } from "../cell-formulas/freeze";
import { forgetWhere, listFrozen } from "../cell-formulas/frozen-formulas";
import { findHomes } from "../cell-formulas/frozen-places";
import { cellKey, type FindOptions } from "../sheet/cells/formula-search";
import type { Workbook } from "../sheet/workbook";
import type { UnfinishedBook } from "../work-note/unfinished-book";
import type { UnfinishedWork } from "../work-note/unfinished-work";

/**
 * Freezes the formulas of an interrupted freeze that still stand in their cells, and makes sure that the workbook keeps each of them only
 * once. It may be interrupted and repeated.
 */
export async function finishFreeze(
  book: Pick<UnfinishedBook, "during">,
  { frozenAtMs }: Pick<UnfinishedWork & { kind: "freeze" }, "frozenAtMs">,
  workbook: Parameters<typeof freezeFormulas>[1] & Pick<Workbook, "findFormulas" | "readParts" | "scopeNow">,
  options: Parameters<typeof freezeFormulas>[2] & FindOptions,
): Promise<Frozen> {
  const { namespace } = options;
  const { sheets } = await workbook.scopeNow("workbook");
  const begun = (await listFrozen(workbook, namespace)).parts.filter(({ atMs }) => atMs === frozenAtMs);
  const keyOf = (
    sheetId: string,
    { row, column, formula }: { row: number; column: number; formula: string },
  ) => `${cellKey(sheetId, row, column)} ${formula}`;
  const { homes } = await findHomes(
    begun.flatMap(({ formulas }) => formulas),
    sheets,
    workbook,
  );
  const kept = homes.flatMap(({ kept: frozen, here }) =>
    here ? [{ frozen, key: keyOf(here.sheetId, here) }] : [],
  );
  const wanted = new Set(kept.map(({ key }) => key));
  const cells = (await workbook.findFormulas("workbook", options)).filter((cell) =>
    wanted.has(keyOf(cell.sheetId, cell)),
  );
  const done = await book.during((note) => freezeFormulas(cells, workbook, { ...options, note }));
  const again = new Set(done.formulas.map((frozen) => keyOf(frozen.sheetId, frozen)));
  const doubles = new Set(kept.flatMap(({ frozen, key }) => (again.has(key) ? [frozen] : [])));
  await forgetWhere(begun, (formula) => doubles.has(formula), workbook);
  return done;
}
