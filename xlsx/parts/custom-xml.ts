import { XML_DECLARATION, type WorkbookPackage } from "../package/workbook-package";
import { broken } from "../workbook-file-error";
import { readXml } from "../xml/xml-events";
import { prefixOf, xmlTree } from "../xml/xml-tree";
import { xmlAttribute } from "../xml/xml-text";

/** A custom XML part: data of an add-in that travels with the workbook. */
export interface CustomXmlPart {
  /** The namespace of its root; "" for none. */
  namespace: string;
  xml: string;
  /** Its GUID in braces, by which Excel knows it; "" if the file gives none. */
  id: string;
  part: string;
}

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/customXml";
const PROPERTIES_TYPE = "application/vnd.openxmlformats-officedocument.customXmlProperties+xml";

/** The workbook's custom XML parts. A part that is no XML is left out. */
export function customXmlParts(workbookPackage: WorkbookPackage, workbookPart: string): CustomXmlPart[] {
  return workbookPackage.related(workbookPart, "customXml").flatMap(({ part }) => {
    if (!workbookPackage.has(part)) return [];
    try {
      const xml = workbookPackage.text(part);
      return [{ namespace: rootNamespace(xml, part), xml, id: idOf(workbookPackage, part), part }];
    } catch {
      // An add-in's data that can't be read is no reason to refuse the workbook: it stays in the file as it is.
      return [];
    }
  });
}

function idOf(workbookPackage: WorkbookPackage, part: string): string {
  const [properties] = workbookPackage.related(part, "customXmlProps");
  if (!properties || !workbookPackage.has(properties.part)) return "";
  const attributes = workbookPackage.tree(properties.part).attributes;
  const [, id = ""] = Object.entries(attributes).find(([name]) => /(?:^|:)itemID$/.test(name)) ?? [];
  return id;
}

/** The namespace of the root element, "" if it has none. Throws a WorkbookFileError if the text is not well-formed. */
export function rootNamespace(xml: string, part: string): string {
  let namespace: string | undefined;
  readXml(xml, part, {
    open(name, attributes) {
      const prefix = prefixOf({ name }).slice(0, -1);
      namespace ??= attributes[prefix === "" ? "xmlns" : `xmlns:${prefix}`] ?? "";
    },
    close() {},
    text() {},
  });
  if (namespace === undefined) throw broken(`${part} is empty`);
  return namespace;
}

/** Adds a part, which has to be well-formed XML, and gives its id. Throws a WorkbookFileError if it is not. */
export function addCustomXml(
  workbookPackage: WorkbookPackage,
  workbookPart: string,
  xml: string,
  id = `{${crypto.randomUUID().toUpperCase()}}`,
): string {
  const namespace = rootNamespace(xml, "the custom XML part");
  const name = workbookPackage.freeName("customXml/item#.xml");
  workbookPackage.add({
    ...{ name, text: xml, contentType: "application/xml" },
    ...{ source: workbookPart, type: `${RELATIONSHIPS}/customXml` },
  });
  const schemas = namespace === "" ? "" : `<ds:schemaRef ds:uri="${xmlAttribute(namespace)}"/>`;
  workbookPackage.add({
    name: workbookPackage.freeName("customXml/itemProps#.xml"),
    text:
      `${XML_DECLARATION}<ds:datastoreItem ds:itemID="${xmlAttribute(id)}" xmlns:ds="${PROPERTIES}">` +
      `<ds:schemaRefs>${schemas}</ds:schemaRefs></ds:datastoreItem>`,
    contentType: PROPERTIES_TYPE,
    source: name,
    type: `${RELATIONSHIPS}/customXmlProps`,
  });
  return id;
}

export function replaceCustomXml(
  workbookPackage: WorkbookPackage,
  { part }: CustomXmlPart,
  xml: string,
): void {
  xmlTree(xml, part);
  workbookPackage.write(part, xml);
}

export function removeCustomXml(
  workbookPackage: WorkbookPackage,
  workbookPart: string,
  { part }: CustomXmlPart,
): void {
  workbookPackage.unrelate(workbookPart, (each) => each.part === part);
  workbookPackage.remove(part);
}
