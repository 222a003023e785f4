import { SaxesParser } from "saxes";

/**
 * The children of a worksheet in the order that the schema demands. Source: ECMA-376 Part 1, 18.3.1.99, and CT_Worksheet of its schema
 * sml.xsd; those of Transitional and Strict are the same.
 */
const worksheetChildren = (
  "sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState " +
  "dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup " +
  "headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF " +
  "picture oleObjects controls webPublishItems tableParts extLst"
).split(" ");

/** The attributes without a namespace that elements may have. Source: CT_Row, CT_Cell and CT_CellFormula of sml.xsd. */
const attributesOf: Record<string, ReadonlySet<string>> = {
  row: words("r spans s customFormat ht hidden customHeight outlineLevel collapsed thickTop thickBot ph"),
  c: words("r s t cm vm ph"),
  f: words("t aca ref dt2D dtr del1 del2 r1 r2 ca si bx"),
};
/** The children of a cell in their order, each at most once. Source: CT_Cell of sml.xsd. */
const cellChildren = ["f", "v", "is", "extLst"];
/** Source: ST_CellType of sml.xsd. */
const cellTypes = words("b d n e s str inlineStr");
/** Lists that say how many children they have. Source: CT_MergeCells, CT_DataValidations, CT_TableParts of sml.xsd. */
const counted = words("mergeCells dataValidations tableParts");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: string[];
}

/** The first rule of the schema that a sheet's part breaks, as a sentence; null if it breaks none. It demands that each row and cell has a place. */
export function brokenRule(xml: string): string | null {
  const found: string[] = [];
  const open: Open[] = [];
  const shared = new Map<string, boolean>();
  let [lastRow, lastColumn] = [0, 0];
  const parser = new SaxesParser({ xmlns: false });
  parser.on("opentag", ({ name: whole, attributes }) => {
    const name = whole.replace(/^.*:/, "");
    const parent = open.at(-1);
    parent?.children.push(name);
    open.push({ name, attributes: attributes as Record<string, string>, children: [] });
    for (const attribute of Object.keys(attributes))
      if (attributesOf[name]?.has(attribute) === false && !/^xml|:/.test(attribute))
        found.push(`${name} has the attribute ${attribute}`);
    const { r = "", t = "n", si, ref } = attributes as Record<string, string>;
    if (name === "row") {
      if (!/^[1-9]\d*$/.test(r) || Number(r) <= lastRow) found.push(`row ${r} stands behind row ${lastRow}`);
      [lastRow, lastColumn] = [Number(r), 0];
    } else if (name === "c" && parent?.name === "row") {
      const [, letters = "", digits] = /^([A-Z]{1,3})(\d+)$/.exec(r) ?? [];
      const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
      if (Number(digits) !== lastRow) found.push(`cell ${r} stands in row ${lastRow}`);
      if (column <= lastColumn) found.push(`cell ${r} stands behind a later one`);
      if (!cellTypes.has(t)) found.push(`cell ${r} is of the type ${t}`);
      lastColumn = column;
    } else if (name === "f" && parent?.name === "c" && t === "shared") {
      if (si === undefined) found.push("a shared formula has no index");
      else shared.set(si, (shared.get(si) ?? false) || ref !== undefined);
    } else if (
      name === "f" &&
      parent?.name === "c" &&
      t === "array" &&
      !/^[A-Z]+\d+(:[A-Z]+\d+)?$/.test(ref ?? "")
    ) {
      found.push(`an array formula has the area ${ref}`);
    }
  });
  parser.on("closetag", () => {
    const { name, attributes, children } = open.pop()!;
    if (name === "worksheet") checkOrder(name, children, worksheetChildren, ["conditionalFormatting"]);
    if (name === "c" && open.at(-1)?.name === "row")
      checkOrder(`cell ${attributes["r"]}`, children, cellChildren, []);
    if (counted.has(name) && "count" in attributes && Number(attributes["count"]) !== children.length)
      found.push(`${name} has ${children.length} children and not ${attributes["count"]}`);
    if (counted.has(name) && children.length === 0) found.push(`${name} is empty`);
  });
  const checkOrder = (
    of: string,
    children: readonly string[],
    order: readonly string[],
    many: readonly string[],
  ) => {
    let last = -1;
    for (const child of children) {
      const place = order.indexOf(child);
      if (place < 0) found.push(`${of} has a child ${child}`);
      else if (place < last || (place === last && !many.includes(child)))
        found.push(`${of} has ${child} out of order`);
      last = place;
    }
  };
  parser.on("error", (error) => void found.push(error.message));
  parser.write(xml).close();
  for (const [si, hasFirst] of shared)
    if (!hasFirst) found.push(`no cell has the text of the shared formula ${si}`);
  return found[0] ?? null;
}
