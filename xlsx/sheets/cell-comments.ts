import type { WorkbookPackage } from "../package/workbook-package";
import { rectOf } from "../cells/cell-reference";
import type { XmlElement } from "../xml/xml-tree";

/** A note, or one message of a thread of comments. Rows and columns count from zero. */
export interface CellComment {
  row: number;
  column: number;
  text: string;
  part: string;
}

/** The notes and comments of a sheet, by its part. */
export function cellComments(workbookPackage: WorkbookPackage, sheetPart: string): CellComment[] {
  return ["comments", "threadedComment"]
    .flatMap((kind) => workbookPackage.related(sheetPart, kind))
    .filter(({ part }) => workbookPackage.has(part))
    .flatMap(({ part }) =>
      commentElements(workbookPackage.tree(part)).flatMap((element) => {
        const place = rectOf(element.attributes["ref"] ?? "");
        return place ? [{ row: place.row, column: place.column, text: textIn(element), part }] : [];
      }),
    );
}

function commentElements(element: XmlElement): XmlElement[] {
  if (element.local === "comment" || element.local === "threadedComment") return [element];
  return element.children.flatMap(commentElements);
}

/** The runs of a text, joined. */
function textIn({ local, text, children }: XmlElement): string {
  const own = local === "t" || local === "text" ? text : "";
  return own + children.map(textIn).join("");
}
