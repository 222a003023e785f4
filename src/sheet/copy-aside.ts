/**
 * Copies a range, as it is, to the same place on a hidden sheet. Reading it into memory would lose apostrophes and
 * formats, and break the size limit of an answer.
 */
export async function copyAside(context: Excel.RequestContext, target: Excel.Range) {
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
export async function letGo(
  context: Excel.RequestContext,
  { sheet }: { sheet: Excel.Worksheet },
): Promise<void> {
  const take = () => {
    sheet.delete();
    return context.sync();
  };
  // What Excel refuses once, such as for too many requests, it mostly does the next time.
  await take()
    .catch(take)
    .catch(() => undefined);
}
