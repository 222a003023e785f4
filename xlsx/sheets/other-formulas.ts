import type { XmlElement } from "../xml/xml-tree";

/** A formula that stands in no cell, as the file stores it, without "=". */
export interface OtherFormula {
  of: "conditional format" | "data validation" | "calculated column";
  /** The area of a rule, or the name of a column. */
  where: string;
  text: string;
}

/** The formulas of a sheet's rules, those of newer kinds included. */
export function ruleFormulas(root: XmlElement): OtherFormula[] {
  const found: OtherFormula[] = [];
  const visit = (element: XmlElement, of: OtherFormula["of"] | null, where: string) => {
    for (const child of element.children) {
      if (child.local === "conditionalFormatting" || child.local === "dataValidation") {
        const area =
          child.attributes["sqref"] ?? child.children.find(({ local }) => local === "sqref")?.text ?? "";
        visit(child, child.local === "dataValidation" ? "data validation" : "conditional format", area);
      } else if (of && /^(?:formula[12]?|f)$/.test(child.local) && child.children.length === 0)
        found.push({ of, where, text: child.text });
      else visit(child, of, where);
    }
  };
  visit(root, null, "");
  return found;
}

/** The formulas by which a table fills its columns. */
export function columnFormulas(table: XmlElement): OtherFormula[] {
  const found: OtherFormula[] = [];
  const visit = (element: XmlElement, where: string) => {
    for (const child of element.children) {
      if (child.local === "calculatedColumnFormula")
        found.push({ of: "calculated column", where, text: child.text });
      visit(child, child.local === "tableColumn" ? (child.attributes["name"] ?? "") : where);
    }
  };
  visit(table, "");
  return found;
}
