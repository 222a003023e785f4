interface Holder {
  release(): void;
  lose(): void;
}

interface Wanted {
  grant(): void;
}

type Callback = () => Promise<unknown>;

/** Web Locks as far as turns use them: exclusive locks in the order asked for, and `steal`. */
export function fakeLocks(): Pick<LockManager, "request"> & { held(name: string): boolean } {
  const holders = new Map<string, Holder>();
  const queues = new Map<string, Wanted[]>();

  function next(name: string) {
    holders.delete(name);
    queues.get(name)?.shift()?.grant();
  }

  function request(name: string, ...rest: [Callback] | [LockOptions, Callback]): Promise<unknown> {
    const [options, callback] = rest.length === 1 ? [{}, rest[0]] : rest;
    return new Promise((resolve, reject) => {
      const lose = () => reject(new DOMException("stolen", "AbortError"));
      const holder: Holder = { lose, release: () => holders.get(name) === holder && next(name) };
      const wanted: Wanted = {
        grant() {
          holders.set(name, holder);
          void Promise.resolve().then(callback).then(resolve, reject).finally(holder.release);
        },
      };
      if (options.steal) {
        holders.get(name)?.lose();
        return wanted.grant();
      }
      if (!holders.has(name)) return wanted.grant();
      const queue = queues.get(name) ?? [];
      queues.set(name, [...queue, wanted]);
    });
  }

  return {
    request: request as LockManager["request"],
    held: (name) => holders.has(name),
  };
}
