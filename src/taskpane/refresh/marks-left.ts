import { SheetFailure } from "../../sheet-failure";
import { plural } from "../ui/labels";

/** The mark of a cell that is not found stays as a plain fill, so the user is told. */
export function mustHaveFoundAll(left: number): void {
  if (left === 0) return;
  throw new SheetFailure("cells-not-found", {
    detail: `${plural(left, "cell")} may still be highlighted. Remove the fill by hand.`,
  });
}
