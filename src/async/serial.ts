/** Runs work one piece after the other, in the order in which it was handed in; a failure does not stop what follows. */
export function createSerial(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
