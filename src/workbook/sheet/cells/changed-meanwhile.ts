import type { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import { excelFailure } from "../excel-failure";

/** The most cells that a sentence names. */
const mostNamed = 5;
/** The most texts that a sentence names. It is a large number because the texts are named nowhere else. */
const mostTexts = 50;
const mostCharacters = 200;

/** The addresses for a sentence: the first few, and the number of the others. */
export function named(addresses: readonly string[]): string {
  const more = addresses.length - mostNamed;
  return more > 0 ? `${addresses.slice(0, mostNamed).join(", ")} and ${more} more` : addresses.join(", ");
}

/** A sentence that says that cells with somebody else's texts were left. Without addresses, it says only that there are some. */
export function leftAsTheyAre(addresses: readonly string[]): string {
  const where = addresses.length > 0 ? `: ${named(addresses)}` : "";
  return `Somebody has changed cells meanwhile, and they were left as they are${where}.`;
}

/** A sentence about cells that a calculation may have changed as well as somebody. */
export function changedMeanwhile(addresses: readonly string[]): string {
  return `These cells were calculated again or changed meanwhile: ${named(addresses)}.`;
}

/** The failure, with a detail that also names the cells that were left because somebody has changed them meanwhile. */
export function withCellsLeft(thrown: unknown, addresses: readonly string[]): Failure {
  return withDetail(thrown, leftAsTheyAre(addresses));
}

/** A sentence that says that texts were overwritten, because their cells are not found anymore. */
export function textsLost(texts: readonly unknown[]): string {
  const shown = texts.slice(0, mostTexts).map((text) => `“${plain(text)}”`);
  const more = texts.length > mostTexts ? ` and ${texts.length - mostTexts} more` : "";
  return `Cells were changed or moved meanwhile. These texts were overwritten and could not be put back: ${shown.join(", ")}${more}.`;
}

/** A text without characters that could hide or reorder the text around it. */
function plain(text: unknown): string {
  return String(text)
    .slice(0, mostCharacters)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** The failure, with a detail that also names somebody else's texts that were overwritten and could not be put back, if any. */
export function withTextsLost(thrown: unknown, texts: readonly unknown[]): unknown {
  return texts.length > 0 ? withDetail(thrown, textsLost(texts)) : thrown;
}

/** The failure, with one more sentence in its detail. */
export function withDetail(thrown: unknown, sentence: string): Failure {
  const { kind, detail, nextStep, isPartlyWritten } = excelFailure(thrown);
  return new SheetFailure(kind, {
    detail: [detail, sentence].filter(Boolean).join(" "),
    nextStep,
    isPartlyWritten,
    cause: thrown,
  });
}
