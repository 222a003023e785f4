import { Failure } from "../../../errors";
import { excelFailure } from "../excel-failure";

/** Cells that a sentence names. */
const mostNamed = 5;
/** Texts that a sentence names: nothing else tells of them. */
const mostTexts = 50;
const mostCharacters = 200;

/** Addresses as a sentence names them: the first few, and how many more. */
export function named(addresses: readonly string[]): string {
  const more = addresses.length - mostNamed;
  return more > 0 ? `${addresses.slice(0, mostNamed).join(", ")} and ${more} more` : addresses.join(", ");
}

/** Says of cells with texts of somebody else that they were left; without addresses, only that there are some. */
export function leftAsTheyAre(addresses: readonly string[]): string {
  const where = addresses.length > 0 ? `: ${named(addresses)}` : "";
  return `Somebody has changed cells meanwhile, and they were left as they are${where}.`;
}

/** The failure, whose detail also names the cells that were left because somebody has changed them meanwhile. */
export function withCellsLeft(thrown: unknown, addresses: readonly string[]): Failure {
  return withDetail(thrown, leftAsTheyAre(addresses));
}

/** Says of texts that they were overwritten, and that their cells are not found any more. */
export function textsLost(texts: readonly unknown[]): string {
  const shown = texts.slice(0, mostTexts).map((text) => `“${plain(text)}”`);
  const more = texts.length > mostTexts ? ` and ${texts.length - mostTexts} more` : "";
  return `Cells were changed or moved meanwhile. These texts were overwritten and could not be put back: ${shown.join(", ")}${more}.`;
}

/** None of its marks can turn or hide what stands around it. */
function plain(text: unknown): string {
  return String(text)
    .slice(0, mostCharacters)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** The failure, whose detail also names texts of somebody else that were overwritten and could not be put back, if any. */
export function withTextsLost(thrown: unknown, texts: readonly unknown[]): unknown {
  return texts.length > 0 ? withDetail(thrown, textsLost(texts)) : thrown;
}

/** The failure, with one more sentence. */
export function withDetail(thrown: unknown, sentence: string): Failure {
  const { kind, detail, nextStep, isPartlyWritten } = excelFailure(thrown);
  return new Failure(kind, {
    detail: [detail, sentence].filter(Boolean).join(" "),
    ...{ nextStep, isPartlyWritten, cause: thrown },
  });
}
