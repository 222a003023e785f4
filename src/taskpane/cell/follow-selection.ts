import { asFailure, type Failure } from "../../errors";
import type { Workbook } from "../../workbook/sheet/workbook";

/**
 * Reads the selection, now and whenever it changes, and tells the latest result. It reads one selection at a time, so users who move
 * through cells with the arrow keys need not wait for each. Returns a function that stops it.
 */
export function followSelection<Selected>(
  workbook: Pick<Workbook, "onSelection">,
  read: () => Promise<Selected>,
  tell: (selected: Selected | Failure) => void,
): () => void {
  let isOver = false;
  let isReading = false;
  let isOutdated = false;
  let stop: (() => void) | undefined;

  async function look() {
    isOutdated = isReading;
    if (isOver || isReading) return;
    isReading = true;
    const selected = await read().catch(asFailure);
    isReading = false;
    if (isOver) return;
    if (isOutdated) void look();
    else tell(selected);
  }

  void look();
  workbook
    .onSelection(() => void look())
    .then(
      (unsubscribe) => {
        stop = unsubscribe;
        if (isOver) unsubscribe();
        // Cells may have been selected between the first look and the registration.
        else void look();
      },
      (thrown: unknown) => {
        if (!isOver) tell(asFailure(thrown));
      },
    );
  return () => {
    isOver = true;
    stop?.();
  };
}
