/**
 * The texts of the workbook's parts of a namespace, for formulas. It does not use `Workbook`, because that comes with the pane, which may
 * not be loaded yet.
 */
export function partTexts(namespace: string): Promise<string[]> {
  // Excel refuses calls while a cell is in edit mode; this option waits instead of failing.
  return Excel.run({ delayForCellEdit: true }, async (context) => {
    const parts = context.workbook.customXmlParts.getByNamespace(namespace).load("items/id");
    await context.sync();
    const texts = parts.items.map((part) => part.getXml());
    await context.sync();
    return texts.map(({ value }) => value);
  });
}
