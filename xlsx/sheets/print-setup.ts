import { childOf, isOn, prefixOf, type XmlEdits, type XmlElement } from "../xml/xml-tree";
import { xmlAttributes, xmlContent } from "../xml/xml-text";
import { setElement } from "./sheet-frame";

/** How a sheet is printed; null where the file leaves it to Excel. */
export interface PrintSetup {
  orientation: "portrait" | "landscape" | null;
  /** On how many pages the sheet is fitted; 0 is as many as it takes. */
  fitToPages: { across: number; down: number } | null;
  /** With Excel's codes: `&L`, `&C` and `&R` begin its parts, `&P` is the page. */
  footer: string | null;
  /** The same above. */
  header: string | null;
}

/** Source: ECMA-376 Part 1, 18.3.1.63 (pageSetup), 18.3.1.65 (pageSetUpPr), 18.3.1.46 (headerFooter). */
export function printSetup(root: XmlElement): PrintSetup {
  const { orientation, fitToWidth = "1", fitToHeight = "1" } = childOf(root, "pageSetup")?.attributes ?? {};
  const isFitted = isOn(childOf(childOf(root, "sheetPr"), "pageSetUpPr")?.attributes["fitToPage"]);
  const pages = { across: Number(fitToWidth), down: Number(fitToHeight) };
  return {
    orientation: orientation === "portrait" || orientation === "landscape" ? orientation : null,
    fitToPages: isFitted && Number.isInteger(pages.across) && Number.isInteger(pages.down) ? pages : null,
    footer: childOf(childOf(root, "headerFooter"), "oddFooter")?.text ?? null,
    header: childOf(childOf(root, "headerFooter"), "oddHeader")?.text ?? null,
  };
}

/** Sets what is not null, and leaves all else of the sheet's print settings as it is. */
export function setPrintSetup(
  root: XmlElement,
  edits: XmlEdits,
  { orientation, fitToPages, footer, header }: PrintSetup,
): void {
  const prefix = prefixOf(root);
  const now = {
    ...(orientation && { orientation }),
    ...(fitToPages && { fitToWidth: fitToPages.across, fitToHeight: fitToPages.down }),
  };
  const setup = childOf(root, "pageSetup");
  if (setup) edits.setAttributes(setup, now);
  else if (orientation || fitToPages)
    setElement(root, edits, "pageSetup", `<${prefix}pageSetup${xmlAttributes(now)}/>`);
  if (fitToPages) {
    const properties = childOf(root, "sheetPr");
    const fitted = childOf(properties, "pageSetUpPr");
    const element = `<${prefix}pageSetUpPr fitToPage="1"/>`;
    if (fitted) edits.setAttributes(fitted, { fitToPage: 1 });
    else if (properties) edits.append(properties, element);
    else setElement(root, edits, "sheetPr", `<${prefix}sheetPr>${element}</${prefix}sheetPr>`);
  }
  if (footer === null && header === null) return;
  const all = childOf(root, "headerFooter");
  const element = (local: string, text: string) =>
    `<${prefix}${local}>${xmlContent(text)}</${prefix}${local}>`;
  if (!all) {
    const parts = [
      header === null ? "" : element("oddHeader", header),
      footer === null ? "" : element("oddFooter", footer),
    ];
    setElement(
      root,
      edits,
      "headerFooter",
      `<${prefix}headerFooter>${parts.join("")}</${prefix}headerFooter>`,
    );
    return;
  }
  const [oldHeader, oldFooter] = [childOf(all, "oddHeader"), childOf(all, "oddFooter")];
  const others = all.children.filter((child) => child !== oldHeader && child !== oldFooter);
  const [next] = others;
  // The header of the odd pages comes first, their footer second.
  const put = (old: XmlElement | undefined, before: XmlElement | undefined, xml: string) => {
    if (old) edits.replace(old, xml);
    else if (before) edits.insertBefore(before, xml);
    else edits.append(all, xml);
  };
  if (header !== null) put(oldHeader, oldFooter ?? next, element("oddHeader", header));
  if (footer !== null) put(oldFooter, next, element("oddFooter", footer));
}
