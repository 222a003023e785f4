import { SheetFailure } from "../../../src/sheet-failure";
import { beforeEach, describe, expect, it } from "vitest";
import { Failure } from "../../../src/errors";
import { createJobs, type Job, type JobKind, type Jobs } from "../../../src/taskpane/jobs/jobs";
import { createSlot, type JobTools, type Slot } from "../../../src/taskpane/jobs/slot";

let jobs: Jobs;
let slot: Slot<string, number, string, boolean>;

beforeEach(() => {
  jobs = createJobs();
  slot = createSlot(jobs);
});

/** Starts a job that ends when the test says so. */
function start(order: string, kind: JobKind = "cells", at: typeof slot = slot) {
  let tools!: JobTools<string, boolean>;
  let resolve!: (result: number) => void;
  let reject!: (thrown: unknown) => void;
  let hasBegun = false;
  const ended = at.run(order, { kind, title: `${order} is running.` }, (given) => {
    tools = given;
    hasBegun = true;
    return new Promise<number>((...settle) => ([resolve, reject] = settle));
  });
  return {
    ...{ ended, hasBegun },
    tools,
    succeed: (result: number) => (resolve(result), ended),
    fail: (thrown: unknown) => (reject(thrown), ended),
  };
}

const titles = () => jobs.running.getState().map(({ title }: Job) => title);

describe("a job", () => {
  it("is shown as running with its progress, then with its result and what was ordered", async () => {
    const { tools, succeed } = start("freeze");
    expect(slot.getState()).toMatchObject({
      status: "running",
      order: "freeze",
      job: { progress: undefined },
    });
    tools.tell({ progress: { done: 1, total: 3 } });
    tools.tell({ waitingUntilMs: 5 });
    expect(slot.getState()).toMatchObject({ job: { progress: { done: 1, total: 3 }, waitingUntilMs: 5 } });
    expect(jobs.running.getState()).toMatchObject([{ title: "freeze is running.", waitingUntilMs: 5 }]);
    await succeed(3);
    expect(slot.getState()).toEqual({ status: "done", order: "freeze", result: 3 });
    expect(titles()).toEqual([]);
  });

  it("that fails is shown with its failure, and the next one may begin", async () => {
    await start("freeze").fail(new SheetFailure("sheet-refused"));
    expect(slot.getState()).toMatchObject({
      ...{ status: "failed", order: "freeze" },
      failure: { kind: "sheet-refused" },
    });
    await start("refresh").succeed(1);
    expect(slot.getState()).toMatchObject({ status: "done", order: "refresh" });
    expect(titles()).toEqual([]);
  });

  it("that has ended tells no more, though its work goes on", async () => {
    const { tools, succeed } = start("freeze");
    await succeed(3);
    tools.tell({ progress: { done: 1, total: 3 } });
    expect(slot.getState()).toEqual({ status: "done", order: "freeze", result: 3 });
    expect(titles()).toEqual([]);
  });

  it("does not begin while the last one of its slot runs", async () => {
    const first = start("freeze");
    const second = start("freeze again");
    await second.ended;
    expect(second.hasBegun).toBe(false);
    await first.succeed(1);
    expect(slot.getState()).toMatchObject({ order: "freeze" });
  });

  it("learns that it is cancelled, and what runs next is not", async () => {
    const { tools, fail } = start("freeze");
    slot.cancel();
    expect(tools.signal.aborted).toBe(true);
    await fail(new Failure("cancelled"));
    slot.cancel();
    expect(start("refresh").tools.signal.aborted).toBe(false);
  });

  it("that asks waits for the answer, and other screens can tell", async () => {
    const { tools, succeed } = start("refresh");
    const answered = tools.ask("Lose values?");
    const asking = slot.getState();
    expect(asking).toMatchObject({ status: "asking", order: "refresh", question: "Lose values?" });
    expect(jobs.running.getState()).toMatchObject([{ isAsking: true }]);
    if (asking.status === "asking") asking.answer(true);
    expect(await answered).toBe(true);
    expect(slot.getState().status).toBe("running");
    expect(jobs.running.getState()).toMatchObject([{ isAsking: false }]);
    await succeed(1);
  });

  it("that is cancelled while it asks gets no answer", async () => {
    const { tools, fail } = start("refresh");
    const answered = tools.ask("Lose values?").catch((thrown: unknown) => thrown);
    slot.cancel();
    expect(await answered).toMatchObject({ kind: "cancelled" });
    await fail(await answered);
    expect(slot.getState()).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
    expect(titles()).toEqual([]);
  });
});

describe("jobs of several screens", () => {
  const excluded: Record<JobKind, JobKind[]> = {
    reads: [],
    cells: ["workbook"],
    imports: ["imports", "workbook"],
    workbook: ["cells", "imports", "workbook"],
  };
  const kinds = Object.keys(excluded) as JobKind[];

  it.each(kinds)("begin beside one of kind %s only if that leaves alone what they need", async (kind) => {
    const running = start("first", kind);
    for (const other of kinds) {
      const isExcluded = excluded[other].includes(kind);
      expect(jobs.isExcluded(other), other).toBe(isExcluded);
      const at = createSlot<string, number, string, boolean>(jobs);
      const second = start("second", other, at);
      expect(second.hasBegun, other).toBe(!isExcluded);
      if (second.hasBegun) await second.succeed(1);
      await second.ended;
      const failure = { kind: "cancelled", detail: "first is running." };
      expect(at.getState(), other).toMatchObject(
        isExcluded ? { status: "failed", failure } : { status: "done" },
      );
    }
    await running.succeed(1);
    expect(kinds.some(jobs.isExcluded)).toBe(false);
  });
});

describe("a job that the user replaces by another, or leaves", () => {
  it("is cancelled, and neither its news nor its result are shown any more", async () => {
    const first = start("AZ");
    const second = start("NV", "reads", { ...slot, run: slot.restart });
    expect(first.tools.signal.aborted).toBe(true);
    first.tools.tell({ step: "late" });
    expect(await first.succeed(1)).toMatchObject({ status: "failed", failure: { kind: "cancelled" } });
    expect(slot.getState()).toMatchObject({ status: "running", order: "NV", job: { step: undefined } });
    expect(await second.succeed(2)).toEqual({ status: "done", order: "NV", result: 2 });
    expect(slot.getState()).toEqual({ status: "done", order: "NV", result: 2 });
  });

  it("asks nothing any more, and shows no outcome", async () => {
    const { tools, fail } = start("AZ");
    slot.giveUp();
    expect(slot.getState()).toEqual({ status: "idle" });
    const answer = tools.ask("Replace it?");
    await expect(answer).rejects.toMatchObject({ kind: "cancelled" });
    expect(slot.getState()).toEqual({ status: "idle" });
    await fail(new Failure("cancelled"));
    expect(slot.getState()).toEqual({ status: "idle" });
    expect(titles()).toEqual([]);
  });

  it("makes room for the next one at once", async () => {
    const { succeed } = start("AZ", "reads");
    slot.giveUp();
    const next = start("NV", "reads");
    await succeed(1);
    expect(slot.getState()).toMatchObject({ status: "running", order: "NV" });
    await next.succeed(2);
    expect(slot.getState()).toMatchObject({ status: "done", result: 2 });
  });
});
