import { plural } from "../../ui/labels";
import type { OpeningNews } from "./look-at-opening";

/** Tells in a sentence which changes were found when the workbook was opened. */
export function openingSentence({
  looked,
  changed,
  changes,
  skipped,
  unanswered,
  failure,
}: OpeningNews): string {
  const found =
    changes > 0
      ? `${plural(changes, "value")} in ${plural(changed, "import")} changed since the last refresh. Refresh to bring ${changes === 1 ? "it" : "them"} into the sheet.`
      : looked > 0
        ? `Nothing has changed in ${plural(looked, "import")} since the last refresh.`
        : "";
  const notLooked =
    skipped > 0
      ? `${plural(skipped, "import")} not checked: too large, or from another service. Refresh ${skipped === 1 ? "it" : "them"} under In this workbook.`
      : "";
  const notSaid =
    unanswered > 0
      ? `Nothing was confirmed for ${plural(unanswered, "import")}: the service gave no answer.`
      : "";
  const failed = failure ? `Not everything could be checked. ${failure.message}` : "";
  return [found, notLooked, notSaid, failed].filter((sentence) => sentence !== "").join(" ");
}
