import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { Failure } from "../../errors";
import type { Pressed } from "../commands";
import type { TabName } from "../PaneTabs";

/**
 * The effect of a job on the workbook. "reads" changes nothing, "cells" writes cells, such as a new import or a freeze, "imports" changes
 * imports that are there, and "workbook" goes through the whole workbook, such as a check before it is shared.
 */
export type JobKind = "reads" | "cells" | "imports" | "workbook";

/** The running jobs that keep a job of each kind from beginning. */
const excludedBy: Record<JobKind, readonly JobKind[]> = {
  reads: [],
  cells: ["workbook"],
  imports: ["imports", "workbook"],
  workbook: ["cells", "imports", "workbook"],
};

export interface JobOrder {
  kind: JobKind;
  /** A sentence for other tabs, which says that the job runs. */
  title: string;
  /** The tab that shows the job; undefined if it is so short that no tab needs to. */
  tab?: TabName;
}

export interface JobProgress {
  /** The part of the work that this progress is of. Its time left counts from its own beginning. */
  phase?: string | undefined;
  done: number;
  total: number;
}

/** A running job, as it is shown. */
export interface Job extends JobOrder {
  /** The words for its present step. */
  step: string | undefined;
  progress: JobProgress | undefined;
  /** The time that is left for the phase of its progress; null while it can't be told. */
  leftMs: number | null;
  isPaused: boolean;
  /** The time until which it waits for the request limit; undefined if it does not wait. */
  waitingUntilMs: number | undefined;
  /** True while it waits for the user's answer to a question. */
  isAsking: boolean;
}

/** The news that a job tells of itself while it runs. */
export type JobNews = Partial<Omit<Job, keyof JobOrder>>;

/** A store that others only read. */
export type Readable<State> = Pick<StoreApi<State>, "getState" | "getInitialState" | "subscribe">;

/** The jobs of the pane, whichever screen started them. */
export interface Jobs {
  /** The running jobs, in the order in which they began. */
  running: Readable<readonly Job[]>;
  /** True while a job of this kind can't begin, because of another that runs. */
  isExcluded(kind: JobKind): boolean;
  /**
   * Lists the work as a running job until it ends. Fails at once with cancelled if it can't begin now; the failure says what runs.
   *
   * @example
   * await jobs.run({ kind: "cells", title: "A template is being inserted." }, () => placeTemplate(workbook, plan));
   */
  run<Result>(order: JobOrder, work: (tell: (news: JobNews) => Job) => Promise<Result>): Promise<Result>;
  /**
   * True if what the ribbon's command starts could not begin when it was pressed. A screen that is still loading must not start later what
   * another screen has refused.
   */
  isPutOff(pressed: Pressed): boolean;
}

export function createJobs(): Jobs {
  const running = createStore<readonly Job[]>(() => []);
  const excluding = (kind: JobKind) =>
    running.getState().find((each) => excludedBy[kind].includes(each.kind));
  /** The presses that were looked at, and whether they were refused. */
  const putOff = new WeakMap<Pressed, boolean>();
  return {
    running,
    isExcluded: (kind) => excluding(kind) !== undefined,
    async run(order, work) {
      const other = excluding(order.kind);
      if (other)
        throw new Failure("cancelled", { detail: other.title, nextStep: "Try again when that is done." });
      let job: Job = {
        ...order,
        ...{ step: undefined, progress: undefined, leftMs: null, waitingUntilMs: undefined },
        ...{ isPaused: false, isAsking: false },
      };
      running.setState([...running.getState(), job], true);
      const replace = (next: readonly Job[]) =>
        running.setState(
          running.getState().flatMap((each) => (each === job ? next : [each])),
          true,
        );
      try {
        return await work((news) => {
          const next = { ...job, ...news };
          replace([next]);
          return (job = next);
        });
      } finally {
        replace([]);
      }
    },
    isPutOff(pressed) {
      const kind = pressed.name === "refreshAll" ? "imports" : "cells";
      const isRefused = putOff.get(pressed) ?? excluding(kind) !== undefined;
      putOff.set(pressed, isRefused);
      return isRefused;
    },
  };
}

/** `isExcluded`, for buttons. */
export function useIsExcluded({ running, isExcluded }: Jobs, kind: JobKind): boolean {
  return useStore(running, () => isExcluded(kind));
}

/** True while a job of this kind runs, or any that changes the workbook if no kind is given, whichever screen started it. */
export function useIsRunning({ running }: Jobs, kind?: JobKind): boolean {
  return useStore(running, (jobs) =>
    jobs.some((each) => (kind === undefined ? each.kind !== "reads" : each.kind === kind)),
  );
}

/** The running job that this screen does not show. One that waits for an answer comes first. */
export function useUnderWay({ running }: Jobs, screen: string): Job | undefined {
  return useStore(running, (jobs) => {
    const others = jobs.filter((job) => job.tab !== undefined && job.tab !== screen);
    return others.find(({ isAsking }) => isAsking) ?? others[0];
  });
}
