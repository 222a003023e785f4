import { prefixedAttribute, type XmlElement } from "../xml/xml-tree";

/** `xr:uid` is here; older readers have to be told that they may ignore it. */
const REVISION = "http://schemas.microsoft.com/office/spreadsheetml/2014/revision";
const COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006";

/** The id of a worksheet or table by which Excel's API finds it; undefined if the file gives none. */
export function revisionId(root: XmlElement): string | undefined {
  return prefixedAttribute(root, "uid");
}

/** The id that Excel gives to a sheet without one, by its place in the workbook. */
export function usualSheetId(index: number): string {
  return `{00000000-0001-0000-${littleEndian(index, 2)}-000000000000}`;
}

/** The id that Excel gives to a table without one, by its place among the workbook's tables. */
export function usualTableId(index: number): string {
  return `{00000000-000C-0000-FFFF-FFFF${littleEndian(index, 4)}}`;
}

function littleEndian(value: number, bytes: number): string {
  return Array.from({ length: bytes }, (_, place) =>
    ((value >> (8 * place)) & 0xff).toString(16).toUpperCase().padStart(2, "0"),
  ).join("");
}

/**
 * The attributes by which a root element, which has `attributes` now, gets an id. Throws a RangeError for what is no GUID in
 * braces.
 */
export function revisionAttributes(
  attributes: Readonly<Record<string, string>>,
  uid: string,
): Record<string, string> {
  if (!/^\{[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}\}$/i.test(uid))
    throw new RangeError(`${uid} is no GUID in braces.`);
  const revision = prefixFor(attributes, REVISION, "xr");
  const compatibility = prefixFor(attributes, COMPATIBILITY, "mc");
  const ignorable = (attributes[`${compatibility}:Ignorable`] ?? "").split(/\s+/).filter(Boolean);
  return {
    [`xmlns:${compatibility}`]: COMPATIBILITY,
    [`${compatibility}:Ignorable`]: [...new Set([...ignorable, revision])].join(" "),
    [`xmlns:${revision}`]: REVISION,
    [`${revision}:uid`]: uid,
  };
}

function prefixFor(attributes: Readonly<Record<string, string>>, namespace: string, usual: string): string {
  const [name] =
    Object.entries(attributes).find(([key, value]) => key.startsWith("xmlns:") && value === namespace) ?? [];
  return name?.slice("xmlns:".length) ?? usual;
}
