import type { WorkbookPackage } from "../package/workbook-package";
import { childOf, prefixedAttribute, type XmlElement } from "../xml/xml-tree";

/** A formula that stands in no cell, as the file stores it, without "=". */
export interface OtherFormula {
  of: "name" | "conditional format" | "data validation" | "calculated column" | "chart";
  /** The area of a rule, or what a name, a column or a chart is called. */
  where: string;
  text: string;
}

type ColumnFormula = OtherFormula & { element: XmlElement };

/** The formulas of a sheet's rules, those of newer kinds included. */
export function ruleFormulas(root: XmlElement): OtherFormula[] {
  const found: OtherFormula[] = [];
  const visit = (element: XmlElement, of: OtherFormula["of"] | null, where: string) => {
    for (const child of element.children) {
      if (child.local === "conditionalFormatting" || child.local === "dataValidation") {
        const area = child.attributes["sqref"] ?? childOf(child, "sqref")?.text ?? "";
        visit(child, child.local === "dataValidation" ? "data validation" : "conditional format", area);
      } else if (of && /^(?:formula[12]?|f)$/.test(child.local) && child.children.length === 0)
        found.push({ of, where, text: child.text });
      else visit(child, of, where);
    }
  };
  visit(root, null, "");
  return found;
}

/** The formulas by which a table fills its columns, each with its element. */
export function columnFormulas(table: XmlElement): ColumnFormula[] {
  return withParents(table).flatMap(([element, parent]): ColumnFormula[] => {
    if (element.local !== "calculatedColumnFormula") return [];
    return [
      { of: "calculated column", where: parent?.attributes["name"] ?? "", text: element.text, element },
    ];
  });
}

/** The formulas by which the charts of a sheet find what they draw. */
export function chartFormulas(workbookPackage: WorkbookPackage, sheetPart: string): OtherFormula[] {
  const partsOf = (source: string, kind: string) =>
    workbookPackage.related(source, kind).filter(({ part }) => workbookPackage.has(part));
  return partsOf(sheetPart, "drawing").flatMap((drawing) => {
    const names = new Map<string | undefined, string>();
    let name = "";
    for (const [element] of withParents(workbookPackage.tree(drawing.part))) {
      if (element.local === "cNvPr") name = element.attributes["name"] ?? "";
      else if (element.local === "chart") names.set(prefixedAttribute(element, "id"), name);
    }
    return partsOf(drawing.part, "chart").flatMap(({ id, part }) =>
      withParents(workbookPackage.tree(part)).flatMap(([{ local, text }]) =>
        local === "f" ? { of: "chart" as const, where: names.get(id) ?? "", text } : [],
      ),
    );
  });
}

function withParents(
  element: XmlElement,
  parent?: XmlElement,
): [element: XmlElement, parent: XmlElement | undefined][] {
  return [[element, parent], ...element.children.flatMap((child) => withParents(child, element))];
}
