/** What the workbench needs of an add-in's manifest.xml, with every resource id resolved. */
export interface Manifest {
  id: string;
  version: string;
  displayName: string;
  /** The page that the shared runtime loads. */
  page: string;
  /** The directory of the task pane's page: every address of the add-in begins with it. */
  base: string;
  functions: { metadata: string; namespace: string };
  groups: RibbonGroup[];
  /** What the menu of cells offers, each in a menu below it. */
  cellMenus: CellMenu[];
  /** Where the keys stand that call the add-in's functions; null where there are none. */
  shortcuts: string | null;
}

export interface RibbonGroup {
  label: string;
  buttons: RibbonButton[];
}

export interface Command {
  id: string;
  /** Null shows the pane. */
  functionName: string | null;
}

export interface CellMenu {
  label: string;
  items: (Command & { label: string })[];
}

export interface RibbonButton extends Command {
  label: string;
  tooltip: { title: string; description: string };
  /** The image of 32 pixels, which every button has. */
  icon: string;
}

const XSI = "http://www.w3.org/2001/XMLSchema-instance";

/** Reads an add-in only manifest (XML) of a task pane add-in for Excel. Throws when it is no such manifest. */
export function readManifest(xml: string): Manifest {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  const root = document.documentElement;
  if (root.localName !== "OfficeApp") throw new Error("manifest.xml is not an Office add-in's manifest.");

  const resources = new Map<string, string>();
  for (const resource of root.querySelectorAll("Resources [id]"))
    resources.set(resource.id, resource.getAttribute("DefaultValue") ?? "");
  const resource = (element: Element | null | undefined) =>
    resources.get(element?.getAttribute("resid") ?? "") ?? "";
  const value = (selector: string) => root.querySelector(selector)?.getAttribute("DefaultValue") ?? "";
  const type = (element: Element) => element.getAttributeNS(XSI, "type");

  const host = [...root.querySelectorAll("VersionOverrides Host")].find(
    (element) => type(element) === "Workbook",
  );
  const runtime = host?.querySelector("Runtimes > Runtime");
  const points = [...(host?.querySelectorAll("ExtensionPoint") ?? [])];
  const functions = points.find((point) => type(point) === "CustomFunctions");
  if (!runtime || !functions)
    throw new Error("The workbench does not model an add-in without a shared runtime and custom functions.");

  const command = (element: Element): Command => ({
    id: element.id,
    functionName: element.querySelector(":scope > Action > FunctionName")?.textContent?.trim() ?? null,
  });
  const button = (control: Element): RibbonButton => {
    if (type(control) !== "Button")
      throw new Error(`The workbench does not model the ribbon control ${control.id}, a ${type(control)}.`);
    return {
      ...command(control),
      label: resource(control.querySelector(":scope > Label")),
      tooltip: {
        title: resource(control.querySelector(":scope > Supertip > Title")),
        description: resource(control.querySelector(":scope > Supertip > Description")),
      },
      icon: resource(control.querySelector(":scope > Icon > [size='32']")),
    };
  };
  const group = (element: Element): RibbonGroup => ({
    label: resource(element.querySelector(":scope > Label")),
    buttons: [...element.querySelectorAll("Control")].map(button),
  });

  return {
    id: root.querySelector(":scope > Id")?.textContent?.trim() ?? "",
    version: root.querySelector(":scope > Version")?.textContent?.trim() ?? "",
    displayName: value(":scope > DisplayName"),
    page: resource(runtime),
    base: new URL(".", value("DefaultSettings > SourceLocation")).href,
    functions: {
      metadata: resource(functions.querySelector("Metadata > SourceLocation")),
      namespace: resource(functions.querySelector("Namespace")),
    },
    groups: points
      .filter((point) => type(point) === "PrimaryCommandSurface")
      .flatMap((point) => [...point.querySelectorAll("Group")].map(group)),
    cellMenus: points
      .filter((point) => type(point) === "ContextMenu")
      .flatMap((point) => [...point.querySelectorAll("OfficeMenu[id=ContextMenuCell] > Control")])
      .map((menu) => ({
        label: resource(menu.querySelector(":scope > Label")),
        items: [...menu.querySelectorAll("Item")].map((item) => ({
          ...command(item),
          label: resource(item.querySelector(":scope > Label")),
        })),
      })),
    shortcuts: root.querySelector(":scope > ExtendedOverrides")?.getAttribute("Url") ?? null,
  };
}
