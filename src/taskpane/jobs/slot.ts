import { createStore } from "zustand/vanilla";
import { createGate, type Gate } from "../../async/gate";
import { onAbort } from "../../async/on-abort";
import { asFailure, Failure } from "../../errors";
import type { Job, JobNews, JobOrder, Jobs, Readable } from "./jobs";
import { createPace, type Pace } from "./time-left";

/** The state of a screen's job: of the one that runs, or of the last one. `order` is what the user wanted of it. */
export type SlotState<Order, Result, Question = never, Answer = never> =
  | { status: "idle" }
  | { status: "running"; order: Order; job: Job }
  /** The job waits until the user has answered. */
  | { status: "asking"; order: Order; question: Question; answer(answer: Answer): void }
  | { status: "done"; order: Order; result: Result }
  | { status: "failed"; order: Order | undefined; failure: Failure };

/** The means of a job to tell its state, and to learn that it is cancelled or paused. */
export interface JobTools<Question = never, Answer = never> {
  signal: AbortSignal;
  /** Returns the job as it is shown then. It has no effect once the job has ended. */
  tell(news: Pick<JobNews, "step" | "progress" | "waitingUntilMs">): Job;
  /** Awaited between two steps of work that can be paused. Fails with cancelled. */
  gate(): Promise<void>;
  /** Asks the user. Fails with cancelled if the job is cancelled before the answer. */
  ask(question: Question): Promise<Answer>;
}

type Work<Result, Question, Answer> = (tools: JobTools<Question, Answer>) => Promise<Result>;

/** A place for one job at a time, with its progress, its question and its outcome. */
export interface Slot<Order, Result, Question = never, Answer = never> extends Readable<
  SlotState<Order, Result, Question, Answer>
> {
  isRunning(): boolean;
  /**
   * Does the work as a job, and resolves with its outcome once that is shown. It does nothing while the slot's last job runs, so a button
   * that is pressed twice acts once. If another job excludes this one, its outcome is the failure that says so.
   */
  run(
    order: Order,
    job: JobOrder,
    work: Work<Result, Question, Answer>,
  ): Promise<SlotState<Order, Result, Question, Answer>>;
  /** As `run`, but gives up the slot's running job first: the user wants something else. For jobs that only read. */
  restart(
    order: Order,
    job: JobOrder,
    work: Work<Result, Question, Answer>,
  ): Promise<SlotState<Order, Result, Question, Answer>>;
  /** Cancels the job. Its failure is shown. */
  cancel(): void;
  /**
   * Cancels the job and shows nothing of it any more, such as when its screen is left. Its work fails with cancelled at the next `gate`, and
   * must look at the signal before it changes anything.
   */
  giveUp(): void;
  /** Stops a job at its next gate until it goes on; what it has asked for still arrives. */
  pause(): void;
  goOn(): void;
  /** Shows a failure in place of the last outcome, such as one of going to a cell of it. Does nothing while a job runs. */
  fail(thrown: unknown, order?: Order): void;
  /** Shows no outcome any more. */
  dismiss(): void;
}

/** The means to control a job that runs. */
interface Running {
  controller: AbortController;
  gate: Gate;
  pace: Pace;
  tell(news: JobNews): Job;
}

/**
 * Creates a slot for the jobs of a screen.
 *
 * @example
 * const slot = createSlot<Template, Inserted>(app.jobs);
 * await slot.run(template, { kind: "cells", title: "A template is being inserted." }, () => insert(template));
 */
export function createSlot<Order, Result, Question = never, Answer = never>(
  jobs: Jobs,
): Slot<Order, Result, Question, Answer> {
  type State = SlotState<Order, Result, Question, Answer>;
  const store = createStore<State>(() => ({ status: "idle" }));
  const show = (state: State) => store.setState(state, true);
  let running: Running | undefined;

  function toolsFor(
    order: Order,
    { controller: { signal }, gate, pace, tell }: Running,
    tellJobs: (news: JobNews) => Job,
  ): JobTools<Question, Answer> {
    return {
      signal,
      gate: () => gate.pass(signal),
      tell: (news) => tell({ ...news, leftMs: pace.note(news.progress) }),
      ask: (question) =>
        new Promise((resolve, reject) => {
          const release = onAbort(signal, () => reject(new Failure("cancelled")));
          tellJobs({ isAsking: true });
          if (running?.controller.signal !== signal) return;
          show({
            ...{ status: "asking", order, question },
            answer(answer) {
              release();
              tell({ isAsking: false });
              resolve(answer);
            },
          });
        }),
    };
  }

  async function start(order: Order, job: JobOrder, work: Work<Result, Question, Answer>): Promise<State> {
    const tools = { controller: new AbortController(), gate: createGate(), pace: createPace() };
    const isShown = () => running?.controller === tools.controller;
    let hasBegun = false;
    const outcome = await jobs
      .run(job, (tellJobs) => {
        const tell = (news: JobNews) => {
          const told = tellJobs(news);
          // News that come late, from work that goes on after its end, must not hide the outcome.
          if (isShown()) show({ status: "running", order, job: told });
          return told;
        };
        hasBegun = true;
        running = { ...tools, tell };
        tell({});
        return work(toolsFor(order, running, tellJobs));
      })
      .then(
        (result): State => ({ status: "done", order, result }),
        (thrown: unknown): State => ({ status: "failed", order, failure: asFailure(thrown) }),
      );
    // Nothing of a job that was given up may be taken, even if it has succeeded.
    if (hasBegun && !isShown()) return { status: "failed", order, failure: new Failure("cancelled") };
    if (running && !hasBegun) return outcome;
    running = undefined;
    show(outcome);
    return outcome;
  }

  function giveUp() {
    if (!running) return;
    running.controller.abort();
    running = undefined;
    show({ status: "idle" });
  }

  return {
    ...store,
    isRunning: () => running !== undefined,
    run: async (order, job, work) => (running ? store.getState() : start(order, job, work)),
    restart(order, job, work) {
      giveUp();
      return start(order, job, work);
    },
    cancel: () => running?.controller.abort(),
    giveUp,
    pause() {
      if (!running) return;
      const { gate, pace, tell } = running;
      gate.close();
      tell({ leftMs: pace.note(), isPaused: true });
      pace.pause();
    },
    goOn() {
      if (!running) return;
      const { gate, pace, tell } = running;
      gate.open();
      tell({ leftMs: pace.note(), isPaused: false });
      pace.goOn();
    },
    fail(thrown, order) {
      const last = store.getState();
      const ofLast = "order" in last ? last.order : undefined;
      if (!running) show({ status: "failed", order: order ?? ofLast, failure: asFailure(thrown) });
    },
    dismiss() {
      if (!running) show({ status: "idle" });
    },
  };
}
