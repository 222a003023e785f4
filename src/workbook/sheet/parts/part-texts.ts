/**
 * The texts of the workbook's parts of a namespace, for formulas: the pane, with the whole door to Excel, may not be
 * there yet.
 */
export function partTexts(namespace: string): Promise<string[]> {
  // Excel takes no call while a cell is being edited; this waits for its end instead of failing.
  return Excel.run({ delayForCellEdit: true }, async (context) => {
    const parts = context.workbook.customXmlParts.getByNamespace(namespace).load("items/id");
    await context.sync();
    const texts = parts.items.map((part) => part.getXml());
    await context.sync();
    return texts.map(({ value }) => value);
  });
}
