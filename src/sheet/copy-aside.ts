import { Failure } from "../errors";

/** A copy of what stood somewhere, on a hidden sheet. */
export interface Backup {
  sheet: Excel.Worksheet;
  range: Excel.Range;
}

/**
 * Copies a range, as it is, to the same place on a hidden sheet. Reading it into memory would lose apostrophes and
 * formats, and break the size limit of an answer.
 */
export async function copyAside(context: Excel.RequestContext, target: Excel.Range): Promise<Backup> {
  target.load("rowIndex,columnIndex,rowCount,columnCount");
  const sheet = context.workbook.worksheets.add();
  sheet.visibility = "VeryHidden";
  await context.sync();
  const range = sheet.getRangeByIndexes(
    target.rowIndex,
    target.columnIndex,
    target.rowCount,
    target.columnCount,
  );
  range.copyFrom(target, "All");
  try {
    await context.sync();
  } catch (thrown) {
    await letGo(context, { sheet });
    throw thrown;
  }
  return { sheet, range };
}

/** Takes the hidden sheet away. Should it stay, all else is as it should be: that is no failure. */
export async function letGo(context: Excel.RequestContext, { sheet }: Pick<Backup, "sheet">): Promise<void> {
  const take = () => {
    sheet.delete();
    return context.sync();
  };
  // What Excel refuses once, such as for too many requests, it mostly does the next time.
  await take()
    .catch(take)
    .catch(() => undefined);
}

/**
 * Undoes what was done, and lets go of the copy. Where Excel refuses that, and cells of the user's are in the copy, it
 * stays and is shown. Fails with sheet-refused, which says where.
 */
export async function takeBack(
  context: Excel.RequestContext,
  undo: () => Promise<void>,
  backup: Backup | undefined,
): Promise<void> {
  try {
    await undo();
  } catch (cause) {
    const detail = `What had been written could not be taken back.${await whereKept(context, backup)}`;
    throw new Failure("sheet-refused", { detail, cause });
  }
  if (backup) await letGo(context, backup);
}

async function whereKept(context: Excel.RequestContext, backup: Backup | undefined): Promise<string> {
  if (!backup) return "";
  const { sheet } = backup;
  try {
    const used = sheet.getUsedRangeOrNullObject(true).load("address");
    sheet.load("name");
    await context.sync();
    if (used.isNullObject) {
      await letGo(context, backup);
      return "";
    }
    sheet.visibility = "Visible";
    await context.sync();
    return ` The cells as they were stand on the sheet “${sheet.name}”.`;
  } catch {
    return "";
  }
}
