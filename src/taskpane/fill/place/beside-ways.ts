import type { ListOrder } from "../../../workbook/imports/run/import-types";
import { cellAddress } from "../../../workbook/sheet/layout/cell-address";
import type { BesideOffer, BesidePlace } from "../../../workbook/sheet/lists/beside-list";
import { plural } from "../../ui/labels";

/** A way to place columns beside a list, as the user is asked about it. */
export interface WayWords {
  offer: BesideOffer;
  label: string;
  /** Says what the way does, or why it can't be done. */
  words: string;
  isPossible: boolean;
}

/** The ways to place the columns, those without loss first. */
export function waysOf(
  { right, filled, others }: BesidePlace,
  { list, header }: Pick<ListOrder, "list" | "header">,
): WayWords[] {
  if (!others) return [];
  const above = cellAddress(list.address, 0, 0);
  const isMoved = header.from === "inserted";
  const headerWords = isMoved
    ? ` A header is inserted above ${above}: the cells below move down one row.`
    : "";
  const { inserted, behind, after } = others;
  const [, column = ""] = /([A-Z]+)\d+(?::[^!]*)?$/.exec(inserted.address) ?? [];
  const places = plural(inserted.contents.columns, "column");
  return [
    way(inserted, {
      label: "Insert new columns",
      words: `Moves column ${column} and everything after it ${places} to the right. Nothing is lost.${headerWords}`,
    }),
    way(behind, {
      label: `Put them after column ${after}`,
      words: `Fills ${behind.address}. Nothing is ${isMoved ? "" : "moved or "}lost.${headerWords}${apartWords(inserted, behind)}`,
    }),
    way(right, { label: "Overwrite", words: `What ${filled ?? right.address} holds is lost.${headerWords}` }),
  ];
}

function way(offer: BesideOffer, { label, words }: Pick<WayWords, "label" | "words">): WayWords {
  const isPossible = offer.refusal === null;
  return { offer, label, isPossible, words: isPossible ? words : `Not possible here. ${offer.refusal}` };
}

/** A warning that sorting the list does not move the columns, if the other way would keep the rows together. */
function apartWords(inserted: BesideOffer, behind: BesideOffer): string {
  return inserted.isInOneTable && !behind.isInOneTable
    ? " They are a table of their own: sorting your list does not move them."
    : "";
}
