import { vi } from "vitest";

const realImmediate = setImmediate;
const RealDate = Date;

interface Task {
  atMs: number;
  place: number;
  work: () => void;
}

/** A fake clock: nothing happens except in `pass`, and in an order that does not depend on the machine. */
export interface Clock {
  nowMs(): number;
  /** Starts again at this time, without any timers. */
  reset(nowMs: number): void;
  /** Goes on from one timer to the next until `isOver`, or for this long. */
  pass(ms: number, isOver?: () => boolean): Promise<void>;
}

/** Replaces the timers and `Date`, until `vi.unstubAllGlobals`. */
export function installClock(): Clock {
  let nowMs = 0;
  let places = 0;
  let tasks: Task[] = [];
  const byId = new Map<number, Task>();

  const later = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const place = (places += 1);
    const task = { atMs: nowMs + Math.max(0, Number(ms) || 0), place, work: () => work(...args) };
    const before = tasks.findLastIndex((other) => other.atMs <= task.atMs);
    tasks.splice(before + 1, 0, task);
    byId.set(place, task);
    return place;
  };
  const forget = (id: number | undefined) => {
    const task = byId.get(id ?? 0);
    if (!task) return;
    byId.delete(task.place);
    tasks.splice(tasks.indexOf(task), 1);
  };

  class SimulatedDate extends RealDate {
    constructor(...given: []) {
      if (given.length === 0) super(nowMs);
      else super(...given);
    }
    static override now = () => nowMs;
  }
  vi.stubGlobal("Date", SimulatedDate);
  vi.stubGlobal("setTimeout", later);
  vi.stubGlobal("clearTimeout", forget);
  vi.stubGlobal("setImmediate", (work: () => void) => later(work, 0));
  vi.stubGlobal("clearImmediate", forget);

  /** Yields to Node's event loop: everything that promises still have to do runs first. */
  const turn = () => new Promise<void>((resolve) => realImmediate(resolve));

  return {
    nowMs: () => nowMs,
    reset(startMs) {
      nowMs = startMs;
      places = 0;
      tasks = [];
      byId.clear();
    },
    async pass(ms, isOver = () => false) {
      const untilMs = nowMs + ms;
      await turn();
      while (!isOver()) {
        const [next] = tasks;
        if (!next || next.atMs > untilMs) {
          nowMs = untilMs;
          return;
        }
        tasks.shift();
        byId.delete(next.place);
        nowMs = Math.max(nowMs, next.atMs);
        next.work();
        await turn();
      }
    },
  };
}
