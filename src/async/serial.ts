/** Runs tasks one after the other, in the order in which they were handed in. A failed task does not stop the next. */
export function createSerial(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
