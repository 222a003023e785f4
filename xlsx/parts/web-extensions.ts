import { XML_DECLARATION, type WorkbookPackage } from "../package/workbook-package";
import { childOf, childrenOf, prefixOf, type XmlEdits, type XmlElement } from "../xml/xml-tree";
import { xmlAttributes, xmlContent } from "../xml/xml-text";

/** Where an add-in comes from. */
export interface ExtensionReference {
  /** The add-in's id: of a manifest, or of the store. */
  id: string;
  version: string;
  store: string;
  storeType: string;
}

/** An add-in that a workbook knows. */
export interface WebExtension {
  part: string;
  /** The GUID of this part, in braces. */
  id: string;
  reference: ExtensionReference;
  /** The add-in's settings (`Office.context.document.settings`): JSON texts by name. */
  properties: Record<string, string>;
  /** The stored names of its custom functions that the workbook calls, such as _xldudf_CONTOSO_ADD. */
  customFunctionIds: string[];
}

const EXTENSION = "http://schemas.microsoft.com/office/webextensions/webextension/2010/11";
const TASKPANES = "http://schemas.microsoft.com/office/webextensions/taskpanes/2010/11";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main";
const TASKPANES_RELATIONSHIP = "http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes";
const EXTENSION_RELATIONSHIP = "http://schemas.microsoft.com/office/2011/relationships/webextension";
const TASKPANES_TYPE = "application/vnd.ms-office.webextensiontaskpanes+xml";
const EXTENSION_TYPE = "application/vnd.ms-office.webextension+xml";
/** The extension that lists custom functions. */
const FUNCTION_LIST = "{7C84B067-C214-45C3-A712-C9D94CD141B2}";

/** The add-ins with a task pane that a workbook knows. */
export function webExtensions(workbookPackage: WorkbookPackage): WebExtension[] {
  return workbookPackage
    .related("", "webextensiontaskpanes")
    .filter(({ part }) => workbookPackage.has(part))
    .flatMap(({ part: panes }) => workbookPackage.related(panes, "webextension"))
    .filter(({ part }) => workbookPackage.has(part))
    .map(({ part }) => {
      const root = workbookPackage.tree(part);
      const {
        id = "",
        version = "",
        store = "",
        storeType = "",
      } = childOf(root, "reference")?.attributes ?? {};
      const properties: Record<string, string> = Object.create(null);
      for (const { attributes } of childrenOf(childOf(root, "properties"), "property")) {
        properties[attributes["name"] ?? ""] = attributes["value"] ?? "";
      }
      return {
        ...{
          part,
          id: root.attributes["id"] ?? "",
          reference: { id, version, store, storeType },
          properties,
        },
        customFunctionIds: childrenOf(functionList(root), "customFunctionIds").map(({ text }) => text),
      };
    });
}

function functionExtension(root: XmlElement): XmlElement | undefined {
  return childrenOf(childOf(root, "extLst"), "ext").find(
    ({ attributes }) => attributes["uri"]?.toUpperCase() === FUNCTION_LIST,
  );
}

function functionList(root: XmlElement): XmlElement | undefined {
  return childOf(functionExtension(root), "customFunctionIdList");
}

/** Replaces all settings of an add-in. */
export function setExtensionProperties(
  workbookPackage: WorkbookPackage,
  part: string,
  properties: Record<string, string>,
): void {
  workbookPackage.edit(part, (root, edits) => {
    const xml = propertiesXml(prefixOf(root), properties);
    const element = childOf(root, "properties");
    if (element) edits.replace(element, xml);
    else insertBefore(root, edits, ["bindings", "snapshot", "extLst"], xml);
  });
}

/** Replaces the list of an add-in's custom functions. Excel calls a custom function by this list: see the design's unproven points. */
export function setExtensionFunctions(
  workbookPackage: WorkbookPackage,
  part: string,
  ids: readonly string[],
): void {
  workbookPackage.edit(part, (root, edits) => {
    const prefix = prefixOf(root);
    const inner = ids
      .map((id) => `<${prefix}customFunctionIds>${xmlContent(id)}</${prefix}customFunctionIds>`)
      .join("");
    const list = functionList(root);
    const extension = functionExtension(root);
    const all = childOf(root, "extLst");
    const listXml = `<${prefix}customFunctionIdList>${inner}</${prefix}customFunctionIdList>`;
    const extensionXml = `<a:ext xmlns:a="${DRAWING}" uri="${FUNCTION_LIST}">${listXml}</a:ext>`;
    if (list) edits.setInner(list, inner);
    else if (ids.length === 0) return;
    else if (extension) edits.append(extension, listXml);
    else if (all) edits.append(all, extensionXml);
    else edits.append(root, `<${prefix}extLst>${extensionXml}</${prefix}extLst>`);
  });
}

function insertBefore(root: XmlElement, edits: XmlEdits, later: string[], xml: string): void {
  const next = root.children.find(({ local }) => later.includes(local));
  if (next) edits.insertBefore(next, xml);
  else edits.append(root, xml);
}

function propertiesXml(prefix: string, properties: Record<string, string>): string {
  const all = Object.entries(properties).map(
    ([name, value]) => `<${prefix}property${xmlAttributes({ name, value })}/>`,
  );
  return all.length === 0
    ? `<${prefix}properties/>`
    : `<${prefix}properties>${all.join("")}</${prefix}properties>`;
}

export interface NewExtension {
  reference: ExtensionReference;
  properties?: Record<string, string>;
  customFunctionIds?: readonly string[];
  /** A GUID in braces; made up if left out. */
  id?: string;
}

/** Adds an add-in with its task pane, which stays shut until somebody opens it; gives its part. */
export function addWebExtension(workbookPackage: WorkbookPackage, extension: NewExtension): string {
  const {
    reference,
    properties = {},
    customFunctionIds = [],
    id = `{${crypto.randomUUID().toUpperCase()}}`,
  } = extension;
  const name = workbookPackage.freeName("xl/webextensions/webextension#.xml");
  const panes = taskPanesPart(workbookPackage);
  const { id: addInId, version, store, storeType } = reference;
  const relationship = workbookPackage.add({
    name,
    text:
      `${XML_DECLARATION}<we:webextension${xmlAttributes({ "xmlns:we": EXTENSION, id })}>` +
      `<we:reference${xmlAttributes({ id: addInId, version, store, storeType })}/><we:alternateReferences/>` +
      `${propertiesXml("we:", properties)}<we:bindings/><we:snapshot xmlns:r="${RELATIONSHIPS}"/></we:webextension>`,
    contentType: EXTENSION_TYPE,
    source: panes,
    type: EXTENSION_RELATIONSHIP,
  });
  workbookPackage.edit(panes, (root, edits) => {
    const prefix = prefixOf(root);
    // Excel writes width 0 for a pane that was never open; 350 is its usual width.
    const attributes = xmlAttributes({
      dockstate: "right",
      visibility: 0,
      width: 350,
      row: root.children.length,
    });
    const target = `<${prefix}webextensionref xmlns:r="${RELATIONSHIPS}" r:id="${relationship}"/>`;
    edits.append(root, `<${prefix}taskpane${attributes}>${target}</${prefix}taskpane>`);
  });
  if (customFunctionIds.length > 0) setExtensionFunctions(workbookPackage, name, customFunctionIds);
  return name;
}

function taskPanesPart(workbookPackage: WorkbookPackage): string {
  const known = workbookPackage
    .related("", "webextensiontaskpanes")
    .find(({ part }) => workbookPackage.has(part));
  if (known) return known.part;
  const name = "xl/webextensions/taskpanes.xml";
  workbookPackage.add({
    ...{ name, text: `${XML_DECLARATION}<wetp:taskpanes xmlns:wetp="${TASKPANES}"></wetp:taskpanes>` },
    ...{ contentType: TASKPANES_TYPE, source: "", type: TASKPANES_RELATIONSHIP },
  });
  return name;
}
