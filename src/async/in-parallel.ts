/**
 * Does work for each item, at most `most` at once. An item is taken when its turn comes, so the items may depend on the work done so far.
 * After a failure no other item is begun.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let hasFailed = false;
  async function takeTurns(): Promise<void> {
    while (!hasFailed) {
      const { done, value } = left.next();
      if (done) return;
      try {
        await work(value);
      } catch (thrown) {
        hasFailed = true;
        throw thrown;
      }
    }
  }
  await Promise.all(Array.from({ length: most }, takeTurns));
}
