import { vi } from "vitest";

const realImmediate = setImmediate;
const RealDate = Date;

interface Task {
  atMs: number;
  place: number;
  work: () => void;
}

/** Time as a seed wants it: nothing happens but what `pass` lets happen, in an order that does not depend on the machine. */
export interface Clock {
  nowMs(): number;
  /** Begins anew, with nothing to be done. */
  reset(nowMs: number): void;
  /** Goes on, from one timer to the next, until `isOver` or for so long. */
  pass(ms: number, isOver?: () => boolean): Promise<void>;
}

/** Takes the place of the timers and of `Date`, until `vi.unstubAllGlobals`. */
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

  /** Whatever promises still do follows before a turn of Node's own. */
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
