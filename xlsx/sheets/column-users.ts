import type { WorkbookPackage } from "../package/workbook-package";
import type { XmlElement } from "../xml/xml-tree";
import type { TableFile } from "./table-file";

/** Who uses the columns of a table by their names: slicers, and pivot tables that are made from the table. */
export function usersOfColumns(
  workbookPackage: WorkbookPackage,
  workbookPart: string,
  { id, displayName, columnNames, part }: TableFile,
): Map<string, string> {
  const users = new Map<string, string>();
  const elements = (kind: string, source: string) =>
    workbookPackage
      .related(source, kind)
      .filter((related) => workbookPackage.has(related.part))
      .flatMap((related) => all(workbookPackage.tree(related.part)));
  const isSource = ({ local, attributes }: XmlElement) =>
    local === "worksheetSource" && attributes["name"]?.toLowerCase() === displayName.toLowerCase();
  for (const related of workbookPackage.related(workbookPart, "pivotCacheDefinition")) {
    if (!workbookPackage.has(related.part)) continue;
    const inCache = all(workbookPackage.tree(related.part));
    if (!inCache.some(isSource)) continue;
    for (const { local, attributes } of inCache)
      if (local === "cacheField" && attributes["name"] !== undefined)
        users.set(attributes["name"], "a pivot table");
  }
  // A slicer of a table names the number of its column.
  const ids = new Map(
    all(workbookPackage.tree(part))
      .filter(({ local }) => local === "tableColumn")
      .map(({ attributes }, index) => [attributes["id"], columnNames[index] ?? ""]),
  );
  for (const { local, attributes } of elements("slicerCache", workbookPart))
    if (local === "tableSlicerCache" && Number(attributes["tableId"]) === id) {
      const name = ids.get(attributes["column"] ?? "");
      if (name !== undefined) users.set(name, "a slicer");
    }
  return users;
}

function all(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(all)];
}
