import { blankStyles } from "../../xlsx/styles/cell-styles";
import { childOf, childrenOf, type XmlElement, xmlTree } from "../../xlsx/xml/xml-tree";

const blank = xmlTree(blankStyles, "styles.xml");

/** The formats of cells in a styles part, each written out with all that its ids stand for, so that it can be compared whatever the ids are. */
export function formatsOf(stylesXml: string): string[] {
  const root = xmlTree(stylesXml, "styles.xml");
  // A part's missing entries are as in a new workbook.
  const list = (name: string) => {
    const own = childOf(root, name)?.children ?? [];
    return [...own, ...(childOf(blank, name)?.children.slice(own.length) ?? [])];
  };
  const numberFormats = new Map(
    childrenOf(childOf(root, "numFmts"), "numFmt").map(({ attributes }) => [
      attributes["numFmtId"],
      attributes["formatCode"],
    ]),
  );
  const written = ["fonts", "fills", "borders"].map((name) => list(name).map(whole));
  // An index that leads nowhere counts as that of the first entry, which is a plain cell's.
  const at = (entries: readonly string[] | undefined, index: string | undefined) =>
    entries?.[Number(index ?? 0)] ?? entries?.[0];
  const resolved = ({ attributes, children }: XmlElement) => {
    const { numFmtId, fontId, fillId, borderId, xfId: _, ...others } = attributes;
    const [fonts, fills, borders] = written;
    return JSON.stringify([
      numberFormats.get(numFmtId) ?? numFmtId,
      ...[at(fonts, fontId), at(fills, fillId), at(borders, borderId)],
      ...[Object.entries(others).sort(), children.map(whole)],
    ]);
  };
  const styles = list("cellStyleXfs").map(resolved);
  return list("cellXfs").map((xf) => `${resolved(xf)} of ${styles[Number(xf.attributes["xfId"])] ?? ""}`);
}

function whole({ name, attributes, children }: XmlElement): string {
  return JSON.stringify([name, attributes, children.map(whole)]);
}
