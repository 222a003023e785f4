/** Between two turns of long work: the page answers its user, where the browser has a way (scheduler.yield). */
export async function letPageAnswer(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  await scheduler?.yield?.();
}

/** Cells that one turn of long work may take: ten to fifty milliseconds, by what is done with them. */
const cellsATurn = 4_000;

/** Does something with each item, in turns between which the page answers; an item may stand for several cells. */
export async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
  cellsEach = 1,
): Promise<void> {
  let cells = 0;
  for (const item of items) {
    work(item);
    cells += cellsEach;
    if (cells < cellsATurn) continue;
    cells = 0;
    await letPageAnswer();
  }
}
