import { twice } from "../../../async/twice";
import type { Failure } from "../../../errors";
import { SheetFailure } from "../../../sheet-failure";
import { withCellsLeft, withDetail, withTextsLost } from "../cells/changed-meanwhile";
import { cellAddress } from "../layout/cell-address";
import { isInBlocks, type WrittenBlock } from "../swap/blocks";
import { type BlocksBack, isFilled, takeBackBlocks } from "../swap/take-back-blocks";
import { deleteAddedSheet, type FilledCell } from "../swap/inserted-cells";
import { takeBack } from "./copy-aside";
import { cellsAtOnce, type Prepared } from "./target-place";

const notFound =
  "Some of what had been written could not be found again, because cells were moved or cleared meanwhile.";

/**
 * Undoes the writing of a table, whose blocks are `written`. Cells that somebody has changed meanwhile keep their texts. Returns the
 * failure, which names them, and says where the copy stands if Excel refuses the undo.
 */
export async function takeBackTable(
  context: Excel.RequestContext,
  prepared: Prepared,
  written: readonly WrittenBlock[],
  thrown: unknown,
): Promise<unknown> {
  const left = new Set<string>();
  const textsLost = new Set<unknown>();
  let areSomeMissing = false;
  /** Addresses on an added sheet that stays. */
  let onSheet: string[] = [];
  const overwritten = written.flatMap((block) => block.overwritten).filter(({ held }) => isFilled(held));
  const hasOthers = () => left.size > 0 || overwritten.length > 0;
  async function takeBlocks(step: Parameters<typeof takeBackBlocks>[3]): Promise<BlocksBack> {
    const back = await takeBackBlocks(context, prepared, written, step);
    for (const { address } of back.left) left.add(address);
    for (const text of back.textsLost) textsLost.add(text);
    areSomeMissing ||= back.areSomeMissing;
    return back;
  }
  async function undoWrites() {
    await twice(async () => prepared.undoTable?.());
    for (const step of ["wide", "narrow"] as const) {
      const { refusal, areSomeLeft } = await takeBlocks(step);
      if (refusal ?? areSomeLeft) throw refusal ?? new SheetFailure("sheet-refused");
      if (step === "wide") tell(await twice(async () => prepared.undoShape?.(hasOthers())));
    }
  }
  async function undo() {
    if (!(await isSheetGone())) {
      if (written.length > 0) await undoWrites();
      const isGone = await isSheetGone();
      areSomeMissing &&= !isGone;
    }
    tell(await twice(async () => prepared.undoPlace?.(hasOthers())));
  }
  /** Deletes the added sheet, if there is one and it holds nothing but the table. */
  async function isSheetGone(): Promise<boolean> {
    const { addedSheet } = prepared;
    if (!addedSheet) return false;
    const isOurs = (cell: FilledCell) => isInBlocks(written, cell);
    onSheet = await twice(() => deleteAddedSheet(context, addedSheet, isOurs, cellsAtOnce));
    return onSheet.length === 0;
  }
  const tell = (addresses: readonly string[] = []) => addresses.forEach((address) => left.add(address));
  // Overwritten texts are put back first, in case Excel refuses the other steps.
  await takeBlocks("typed").catch(() => undefined);
  let failure = thrown;
  await takeBack(context, undo, () => prepared.backup).catch((refusal: Failure) => {
    failure = refusal;
    areSomeMissing = false;
  });
  const address = overwritten.length > 0 || areSomeMissing ? await addressOf(context, prepared) : undefined;
  if (address !== undefined) tell(overwritten.map(({ row, column }) => cellAddress(address, row, column)));
  tell(onSheet);
  if (hasOthers()) failure = withCellsLeft(failure, [...left]);
  if (areSomeMissing)
    failure = withDetail(failure, address === undefined ? notFound : `${notFound} Look around ${address}.`);
  return withTextsLost(failure, [...textsLost]);
}

/** The address of a place; its last known one if the place is gone, and undefined if none is known. */
async function addressOf(context: Excel.RequestContext, { target }: Prepared): Promise<string | undefined> {
  const range = target.load("address");
  await context.sync().catch(() => undefined);
  try {
    return range.address;
  } catch {
    return undefined;
  }
}
