/** A custom XML part, which no cell shows. */
export interface SavedPart {
  id: string;
  xml: string;
}

/**
 * The custom XML parts of a namespace, which are stored in the workbook (ExcelApi 1.5). A part that Excel refuses to return, for example
 * for its size, has an empty text; the others are still read.
 */
export async function readParts(context: Excel.RequestContext, namespace: string): Promise<SavedPart[]> {
  const parts = context.workbook.customXmlParts.getByNamespace(namespace);
  parts.load("items/id");
  await context.sync();
  const { items } = parts;
  return textsOf(context, items).catch(async (thrown: unknown) => {
    const each: SavedPart[] = [];
    let refused = 0;
    for (const part of items) {
      const alone = await textsOf(context, [part]).catch(() => ((refused += 1), [{ id: part.id, xml: "" }]));
      each.push(...alone);
    }
    // If Excel refuses every part, the reason is not the size of one of them.
    if (refused === items.length) throw thrown;
    return each;
  });
}

/** The text of the part with this id; null if it is gone. */
export async function readPart(context: Excel.RequestContext, id: string): Promise<string | null> {
  const part = context.workbook.customXmlParts.getItemOrNullObject(id).load("id");
  await context.sync();
  if (part.isNullObject) return null;
  return (await textsOf(context, [part]))[0]?.xml ?? null;
}

async function textsOf(
  context: Excel.RequestContext,
  parts: readonly Excel.CustomXmlPart[],
): Promise<SavedPart[]> {
  const texts = parts.map((part) => part.getXml());
  await context.sync();
  return parts.map(({ id }, index) => ({ id, xml: texts[index]?.value ?? "" }));
}

/** Writes a part in place of the one with this id, or as a new part if that is gone. Returns the part's id. */
export async function writePart(
  context: Excel.RequestContext,
  id: string | null,
  xml: string,
): Promise<string> {
  const parts = context.workbook.customXmlParts;
  const before = id === null ? null : parts.getItemOrNullObject(id);
  before?.load("id");
  await context.sync();
  const part = before && !before.isNullObject ? before : parts.add(xml);
  if (part === before) part.setXml(xml);
  part.load("id");
  await context.sync();
  return part.id;
}

export async function deletePart(context: Excel.RequestContext, id: string): Promise<void> {
  const part = context.workbook.customXmlParts.getItemOrNullObject(id);
  part.load("id");
  await context.sync();
  if (part.isNullObject) return;
  part.delete();
  await context.sync();
}
