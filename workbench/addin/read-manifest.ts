import { childOf, childrenOf, prefixedAttribute, xmlTree, type XmlElement } from "../../xlsx/xml/xml-tree";

/** The parts of an add-in's manifest.xml that the workbench needs, with every resource id resolved. */
export interface Manifest {
  id: string;
  version: string;
  displayName: string;
  /** The page that the pane shows first: that of the first button that shows one, or the only page if no button does. */
  pane: string;
  /** The one page for pane, commands and functions; null where each has a page of its own. */
  sharedRuntime: string | null;
  /** The page whose functions the ribbon's commands call, where the runtime is not shared; null where there is none. */
  commandsPage: string | null;
  /** Null for an add-in that has only a pane and commands. */
  functions: ManifestFunctions | null;
  groups: RibbonGroup[];
  /** The add-in's entries of the cell menu, each in a menu below it. */
  cellMenus: CellMenu[];
  /** Where the keys stand that call the add-in's functions; null where there are none. */
  shortcuts: string | null;
  /** The requirement sets that Excel must have, such as ExcelApi 1.9: an Excel without one does not offer the add-in. */
  requirements: { set: string; version: string }[];
  /** Sentences about parts of the manifest that the workbench does not support. */
  unsupported: string[];
}

interface ManifestFunctions {
  metadata: string;
  namespace: string;
  /** Loads them where the runtime is not shared. */
  page: string;
}

export interface RibbonGroup {
  label: string;
  controls: RibbonControl[];
}

export interface Command {
  id: string;
  /** Null shows the pane. */
  functionName: string | null;
  /** The page that the pane shows then; "" if a function is called. */
  page: string;
}

export interface CellMenu {
  label: string;
  items: (Command & { label: string })[];
}

export interface RibbonFace {
  id: string;
  label: string;
  tooltip: { title: string; description: string };
  /** The image of 32 pixels, which every button has; "" where an item of a menu has none. */
  icon: string;
  /** It can't be pressed until the add-in enables it. */
  isDisabled: boolean;
}
export type RibbonButton = RibbonFace & Command;
/** A menu has items instead of an action of its own. */
export type RibbonControl = RibbonButton | (RibbonFace & { items: RibbonButton[] });

/** Office's own limits are far below: labels of 125 characters, 6 buttons in a group. */
const MOST_CHARACTERS = 2 ** 20;

/** The given address; throws a sentence if the manifest has none in `element`. */
function present(address: string | undefined, element: string): string {
  if (!address) throw new Error(`manifest.xml has no address in ${element}.`);
  if (!URL.canParse(address))
    throw new Error(`manifest.xml has ${address} in ${element}, which is no address.`);
  return address;
}

/**
 * Reads an add-in only manifest (XML) of a task pane add-in for Excel. If it names several Office programs, Excel's part
 * counts. Throws a sentence when it is no such manifest.
 */
export function readManifest(xml: string): Manifest {
  if (xml.length > MOST_CHARACTERS) throw new Error("manifest.xml is too large.");
  const root = xmlTree(xml, "manifest.xml");
  if (root.local !== "OfficeApp") throw new Error("manifest.xml is not an Office add-in's manifest.");
  if (typeOf(root) !== "TaskPaneApp")
    throw new Error(`The workbench supports task pane add-ins only; manifest.xml is a ${typeOf(root)}.`);
  const hosts = childrenOf(childOf(root, "Hosts"), "Host").map(({ attributes }) => attributes.Name);
  if (hosts.length > 0 && !hosts.includes("Workbook"))
    throw new Error(`manifest.xml is for ${hosts.join(", ")}, not for a Workbook.`);

  const unsupported: string[] = [];
  const overrides = childOf(root, "VersionOverrides");
  const resources = new Map(
    allIn(overrides)
      .filter(({ local }) => local === "Resources")
      .flatMap((element) => allIn(element))
      .map(({ attributes: { id = "", DefaultValue = "" } }) => [id, DefaultValue]),
  );
  const resource = (element: XmlElement | undefined) => resources.get(element?.attributes.resid ?? "") ?? "";
  const value = (element: XmlElement | undefined) => element?.attributes.DefaultValue ?? "";

  const sourceLocation = present(
    value(childOf(childOf(root, "DefaultSettings"), "SourceLocation")),
    "DefaultSettings/SourceLocation",
  );
  const host = childrenOf(childOf(overrides, "Hosts"), "Host").find((each) => typeOf(each) === "Workbook");
  const runtime = childOf(childOf(host, "Runtimes"), "Runtime");
  const sharedRuntime = runtime ? present(resource(runtime), "Runtime") : null;
  const formFactors = [childOf(host, "AllFormFactors"), childOf(host, "DesktopFormFactor")];
  const points = formFactors.flatMap((factor) => childrenOf(factor, "ExtensionPoint"));
  const functionFile = childOf(childOf(host, "DesktopFormFactor"), "FunctionFile");
  if (functionFile && resource(functionFile) === "")
    unsupported.push("The FunctionFile of manifest.xml is no address that its Resources have.");

  const command = (element: XmlElement): Command => {
    const { id = "" } = element.attributes;
    const action = childOf(element, "Action");
    const page = resource(childOf(action, "SourceLocation"));
    if (typeOf(action) === "ExecuteFunction")
      return { id, functionName: childOf(action, "FunctionName")?.text.trim() ?? "", page: "" };
    if (typeOf(action) !== "ShowTaskpane")
      unsupported.push(`The workbench does not support the action ${typeOf(action)} of ${id}.`);
    const shown = page === "" ? sourceLocation : present(page, `the action of ${id}`);
    if (sharedRuntime !== null && shown !== sharedRuntime)
      unsupported.push(
        `${id} shows another page than the shared runtime's, which the workbench does not support.`,
      );
    return { id, functionName: null, page: sharedRuntime ?? shown };
  };
  const face = (element: XmlElement): RibbonFace => {
    const tip = childOf(element, "Supertip");
    const images = childrenOf(childOf(element, "Icon"), "Image");
    return {
      id: element.attributes.id ?? "",
      label: resource(childOf(element, "Label")),
      tooltip: { title: resource(childOf(tip, "Title")), description: resource(childOf(tip, "Description")) },
      icon: resource(images.find(({ attributes: { size } }) => size === "32")),
      isDisabled: childOf(element, "Enabled")?.text.trim() === "false",
    };
  };
  const button = (element: XmlElement): RibbonButton => ({ ...face(element), ...command(element) });
  /** "The custom core groups and controls won't appear" where contextual tabs are supported (contextual-tabs.md). */
  const isShown = (element: XmlElement) => childOf(element, "OverriddenByRibbonApi")?.text.trim() !== "true";
  const itemsOf = (element: XmlElement) =>
    childrenOf(childOf(element, "Items"), "Item").filter(isShown).map(button);
  const controls = (element: XmlElement): RibbonControl[] => {
    if (typeOf(element) === "Button") return [button(element)];
    if (typeOf(element) === "Menu") return [{ ...face(element), items: itemsOf(element) }];
    const { id } = element.attributes;
    unsupported.push(`The workbench does not support the ribbon control ${id}, a ${typeOf(element)}.`);
    return [];
  };
  const group = (element: XmlElement): RibbonGroup => ({
    label: resource(childOf(element, "Label")),
    controls: childrenOf(element, "Control").filter(isShown).flatMap(controls),
  });
  const cellMenu = (menu: XmlElement): CellMenu[] => {
    if (menu.attributes.id !== "ContextMenuCell") {
      unsupported.push(`The workbench does not support the menu ${menu.attributes.id}.`);
      return [];
    }
    return childrenOf(menu, "Control").map((control) => ({
      label: resource(childOf(control, "Label")),
      items: typeOf(control) === "Menu" ? itemsOf(control) : [button(control)],
    }));
  };

  const ribbon: RibbonGroup[] = [];
  const cellMenus: CellMenu[] = [];
  let functions: ManifestFunctions | null = null;
  for (const point of points) {
    switch (typeOf(point)) {
      case "PrimaryCommandSurface":
        ribbon.push(
          ...allIn(point)
            .filter((element) => element.local === "Group" && isShown(element))
            .map(group),
        );
        break;
      case "ContextMenu":
        cellMenus.push(...childrenOf(point, "OfficeMenu").flatMap(cellMenu));
        break;
      case "CustomFunctions":
        functions = readFunctions(point);
        break;
      default:
        unsupported.push(`The workbench does not support the extension point ${typeOf(point)}.`);
    }
  }

  function readFunctions(point: XmlElement): ManifestFunctions {
    const address = (part: string) => resource(childOf(childOf(point, part), "SourceLocation"));
    const namespace = resource(childOf(point, "Namespace"));
    if (namespace === "") throw new Error("manifest.xml has custom functions without a Namespace.");
    return {
      metadata: present(address("Metadata"), "Metadata"),
      namespace,
      page: sharedRuntime ?? present(address("Page"), "Page"),
    };
  }

  const text = (local: string) => childOf(root, local)?.text.trim() ?? "";
  return {
    id: text("Id"),
    version: text("Version"),
    displayName: value(childOf(root, "DisplayName")),
    pane: sharedRuntime ?? firstPage(ribbon) ?? sourceLocation,
    sharedRuntime,
    commandsPage: resource(functionFile) || null,
    functions,
    groups: ribbon,
    cellMenus,
    shortcuts: childOf(root, "ExtendedOverrides")?.attributes.Url ?? null,
    requirements: requirementsOf([childOf(root, "Requirements"), childOf(overrides, "Requirements")]),
    unsupported,
  };
}

/** A ribbon's buttons, those in its menus too. */
export function buttonsOf(groups: readonly RibbonGroup[]): RibbonButton[] {
  return groups
    .flatMap(({ controls }) => controls)
    .flatMap((control) => ("items" in control ? control.items : control));
}

function firstPage(groups: readonly RibbonGroup[]): string | undefined {
  return buttonsOf(groups).find(({ functionName }) => functionName === null)?.page;
}

function requirementsOf(elements: (XmlElement | undefined)[]): Manifest["requirements"] {
  return elements.flatMap((element) => {
    const sets = childOf(element, "Sets");
    return childrenOf(sets, "Set").map(({ attributes: { Name = "", MinVersion } }) => ({
      set: Name,
      version: MinVersion ?? sets?.attributes.DefaultMinVersion ?? "1.1",
    }));
  });
}

const typeOf = (element: XmlElement | undefined) =>
  element ? (prefixedAttribute(element, "type") ?? "") : "";

/** Everything below an element, in the manifest's order. */
function allIn(element: XmlElement | undefined): XmlElement[] {
  return element?.children.flatMap((child) => [child, ...allIn(child)]) ?? [];
}
