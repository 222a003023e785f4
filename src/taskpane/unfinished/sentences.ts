import { clockTime } from "../../errors";
import type { TakenBack } from "../../workbook/unfinished/take-back";
import type { Unfinished } from "../../workbook/work-note/unfinished-work";
import { beginning, plural, shownName } from "../ui/labels";

const mostNameCharacters = 60;
const mostAddresses = 5;

/** An import's name in quotation marks. It is text from the workbook. */
const quoted = (name: string) => `“${shownName(beginning(name, mostNameCharacters))}”`;

/** Says which work did not end. */
export function whatWasInterrupted({ work, atMs }: Pick<Unfinished, "work" | "atMs">): string {
  const when = `began at ${clockTime(atMs)} and was interrupted.`;
  switch (work.kind) {
    case "refresh":
      return `A refresh of the import ${quoted(work.name)} ${when}`;
    case "change":
      return `A change of the import ${quoted(work.name)} ${when}`;
    case "import":
      return work.importId === ""
        ? `Writing the sheet ${quoted(work.name)} ${when}`
        : `The import ${quoted(work.name)} ${when}`;
    case "freeze":
      return `Freezing ${plural(work.formulas, "formula")} ${when}`;
    case "unfreeze":
      return `Unfreezing ${plural(work.formulas, "formula")} ${when}`;
  }
}

/** Says in which state the work may have left the workbook. */
export function whatItLeft({ work }: Pick<Unfinished, "work">): string {
  const cells =
    work.kind === "freeze" || work.kind === "unfreeze"
      ? "Some formulas may be frozen and others not."
      : "Some cells may be written and others not.";
  return `${cells} If you share this workbook, a colleague may be doing it right now.`;
}

/** Says what the buttons do. */
export function whatCanBeDone(
  { work }: Pick<Unfinished, "work">,
  { canTakeBack, isConnected }: { canTakeBack: boolean; isConnected: boolean },
): string {
  if (work.kind === "import") {
    if (canTakeBack)
      return "Take back removes what was written and brings back what was there; rows that somebody has changed since stay. Then you can import again.";
    const [{ copyName = null } = {}] = work.tables;
    return copyName === null
      ? "Look at the sheet, then import again."
      : "The hidden sheet has a copy of the cells as they were. Look at both, then import again.";
  }
  return isConnected ? "" : "Connect to finish it.";
}

/** Says how taking an import back went. */
export function howItWasTakenBack({ kept, withoutCopy }: TakenBack): string {
  const left = kept.slice(0, mostAddresses).join(", ");
  const more = kept.length > mostAddresses ? ` and ${kept.length - mostAddresses} more` : "";
  return [
    withoutCopy.length > 0
      ? "Nothing was taken back: the copy of the cells as they were is gone, so the import was written to its end."
      : "What was written was taken back.",
    kept.length > 0
      ? `Somebody has changed ${plural(kept.length, "row")}, which stayed as they are: ${left}${more}.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}
