import type { WorkbookPackage } from "../package/workbook-package";
import type { XmlElement } from "../xml/xml-tree";
import type { TableFile } from "./table-file";

/** A sheet of the workbook, by its name and its part. */
interface NamedSheet {
  name: string;
  part: string;
}

/** Who uses the columns of a table by their names: slicers, and pivot tables that are made from the table, each as a user finds it. */
export function usersOfColumns(
  workbookPackage: WorkbookPackage,
  workbookPart: string,
  sheets: readonly NamedSheet[],
  { id, displayName, columnNames, part }: TableFile,
): Map<string, string> {
  const users = new Map<string, string>();
  const partsOf = (kind: string, source: string) =>
    workbookPackage
      .related(source, kind)
      .map((related) => related.part)
      .filter((related) => workbookPackage.has(related));
  const elementsOf = (of: string) => all(workbookPackage.tree(of));
  const onSheets = (kind: string) =>
    sheets.flatMap(({ name, part: sheet }) =>
      partsOf(kind, sheet).flatMap((on) => elementsOf(on).map((element) => ({ ...element, part: on, name }))),
    );
  /** The user of a kind that a sheet shows, by the name that Excel shows; a workbook may keep the data of one that it shows no more. */
  const shown = (kind: string, found: { called?: string | undefined; name: string } | undefined) =>
    found?.called ? `the ${kind} “${found.called}” on the sheet “${found.name}”` : `a ${kind}`;
  const isSource = ({ local, attributes }: XmlElement) =>
    local === "worksheetSource" && attributes["name"]?.toLowerCase() === displayName.toLowerCase();
  for (const cache of partsOf("pivotCacheDefinition", workbookPart)) {
    const inCache = elementsOf(cache);
    if (!inCache.some(isSource)) continue;
    const pivot = onSheets("pivotTable").find(
      (one) =>
        one.local === "pivotTableDefinition" && partsOf("pivotCacheDefinition", one.part).includes(cache),
    );
    for (const { local, attributes } of inCache)
      if (local === "cacheField" && attributes["name"] !== undefined)
        users.set(
          attributes["name"],
          shown("pivot table", pivot && { called: pivot.attributes["name"], name: pivot.name }),
        );
  }
  // A slicer of a table names the number of its column.
  const ids = new Map(
    elementsOf(part)
      .filter(({ local }) => local === "tableColumn")
      .map(({ attributes }, index) => [attributes["id"], columnNames[index] ?? ""]),
  );
  for (const cache of partsOf("slicerCache", workbookPart)) {
    const inCache = elementsOf(cache);
    const cacheName = inCache[0]?.attributes["name"];
    const slicer = onSheets("slicer").find(
      ({ local, attributes }) => local === "slicer" && attributes["cache"] === cacheName,
    );
    const called = slicer?.attributes["caption"] ?? slicer?.attributes["name"];
    for (const { local, attributes } of inCache)
      if (local === "tableSlicerCache" && Number(attributes["tableId"]) === id) {
        const name = ids.get(attributes["column"] ?? "");
        if (name !== undefined) users.set(name, shown("slicer", slicer && { called, name: slicer.name }));
      }
  }
  return users;
}

function all(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(all)];
}
