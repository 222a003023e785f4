/**
 * For work that may begin again before it has ended, such as a reading at each change. The function that it gives is called at each
 * beginning; what that returns tells, at the end, whether this run is the one that began last. An earlier run may end after a later one.
 */
export function createLatest(): () => () => boolean {
  let latest = 0;
  return () => {
    latest += 1;
    const run = latest;
    return () => run === latest;
  };
}
