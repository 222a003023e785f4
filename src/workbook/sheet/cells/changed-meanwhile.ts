import { Failure } from "../../../errors";
import { excelFailure } from "../excel-failure";

/** Cells that a sentence names. */
const mostNamed = 5;

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

/** The failure, with one more sentence. */
export function withDetail(thrown: unknown, sentence: string): Failure {
  const { kind, detail, isPartlyWritten } = excelFailure(thrown);
  return new Failure(kind, {
    detail: [detail, sentence].filter(Boolean).join(" "),
    ...{ isPartlyWritten, cause: thrown },
  });
}
