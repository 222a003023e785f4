import { describe, expect, it } from "vitest";
import type { Ahj } from "../../../src/engine/api/schemas";
import { Failure } from "../../../src/errors";
import { inTime } from "../../excel/in-time";
import { pass, playExcel } from "../../functions/excel";
import { gate, inState, type OpenedFind, openFind, storage } from "./opened-find";

playExcel();

const dayMs = 86_400_000;

/** Jurisdictions that the session's directory has not read. */
async function someOf(find: OpenedFind, stateCode: string, count: number): Promise<Ahj[]> {
  const { data } = await inTime(
    find.session.client.listAhjs({ state_code: stateCode, page: 1, page_size: count }),
  );
  find.excel.requests.length = 0;
  return data.items;
}

describe("the estimate of a find's requests", () => {
  it("is dropped if the scope has changed meanwhile, even if it ends last", async () => {
    const held = gate();
    const find = await openFind({}, ({ lookup, limit }) => ({
      limit,
      lookup: {
        ...lookup,
        directory: {
          ...lookup.directory,
          async list(states, options) {
            if (states === "NV") await held.opened;
            return lookup.directory.list(states, options);
          },
        },
      },
    }));
    await inTime(find.session.lookup.directory.list(["NV", "DE"]));
    find.control.lookWithin(inState("NV"));
    find.write(storage.fee, "at-most", "300");
    await pass(1_000);
    find.control.lookWithin(inState("DE"));
    await find.estimated();
    const sent = find.excel.requests.length;
    held.open();
    await pass(1_000);
    find.control.run();
    await find.until(() => find.state().result);
    expect(new Set(find.state().result?.ahjs.map(({ state_code }) => state_code))).toEqual(new Set(["DE"]));
    expect(find.excel.requests.slice(sent)).toEqual(["POST /v1/reports/matrix"]);
  });

  /** A find whose first estimate ends, or fails, when the test lets it. */
  async function withHeldEstimate(failure?: Failure) {
    const held = gate();
    let estimates = 0;
    const find = await openFind({}, ({ lookup, limit }) => ({
      limit,
      lookup: {
        ...lookup,
        async requestsFor(work) {
          estimates += 1;
          if (estimates > 1) return lookup.requestsFor(work);
          await held.opened;
          if (failure) throw failure;
          return lookup.requestsFor(work);
        },
      },
    }));
    find.control.lookWithin({ kind: "chosen", ahjs: await someOf(find, "NV", 20) });
    find.write(storage.fee, "at-most", "300");
    await pass(1_000);
    expect(find.state().need).toBeNull();
    return { ...find, release: held.open };
  }

  it("is dropped if the conditions have changed meanwhile, even if it ends last", async () => {
    const { control, write, estimated, told, state, release } = await withHeldEstimate();
    control.addCondition();
    write(storage.permit, "is-yes");
    expect(await estimated()).toEqual({ questions: 2, answers: 1 });
    const later = await told(async () => {
      release();
      await pass(1_000);
    });
    expect(later).toEqual([]);
    expect(state().need).toEqual({ questions: 2, answers: 1 });
  });

  it("is not shown beside the work that it was for", async () => {
    const { control, told, until, state, release } = await withHeldEstimate();
    const states = await told(async () => {
      control.run();
      release();
      await until(() => state().result);
    });
    expect(states.filter(({ need }) => need)).toEqual([]);
  });

  it("that fails says why", async () => {
    const find = await openFind({}, ({ lookup, limit }) => ({
      limit,
      lookup: { ...lookup, requestsFor: () => Promise.reject(new Failure("unexpected-answer")) },
    }));
    find.control.lookWithin({ kind: "chosen", ahjs: await someOf(find, "NV", 20) });
    find.write(storage.fee, "at-most", "300");
    await pass(1_000);
    expect(find.state()).toMatchObject({ failure: { kind: "unexpected-answer" }, need: null, work: null });
  });

  it("that fails after a change says nothing", async () => {
    const find = await withHeldEstimate(new Failure("unexpected-answer"));
    find.write(storage.fee, "at-most", "200");
    await find.estimated();
    find.release();
    await pass(1_000);
    expect(find.state()).toMatchObject({ failure: undefined, need: { questions: 1 } });
  });

  it("goes with the only question", async () => {
    const { control, write, state, estimated } = await openFind();
    control.lookWithin(inState("NV"));
    write(storage.fee, "at-most", "300");
    await estimated();
    control.removeCondition(state().drafts[0]!.id);
    expect(state().need).toBeNull();
    await pass(1_000);
    expect(state().need).toBeNull();
  });

  it("does not come once the screen is left", async () => {
    const { control, write, told } = await openFind();
    write(storage.fee, "at-most", "300");
    const states = await told(async () => {
      control.end();
      await pass(1_000);
    });
    expect(states).toEqual([]);
    write(storage.fee, "at-most", "200");
    expect(
      await told(async () => {
        await pass(1_000);
      }),
    ).toEqual([]);
  });
});

describe("a find among a state's jurisdictions that were listed on an earlier day", () => {
  async function oneDayLater() {
    const find = await openFind();
    const { ahjs } = await inTime(find.session.lookup.directory.list("NV"));
    await pass(dayMs + 1_000);
    find.excel.requests.length = 0;
    return { ...find, ahjs };
  }

  it("lists them again, even if some of them have come with other answers today", async () => {
    const { control, session, write, estimated, ahjs } = await oneDayLater();
    session.lookup.directory.learn(ahjs.slice(0, 3));
    control.lookWithin(inState("NV"));
    write(storage.fee, "at-most", "300");
    expect(await estimated()).toEqual({ questions: 1, answers: null });
  });

  it("does not list them again if they are chosen one by one", async () => {
    const { control, write, estimated, ahjs, excel, until, state } = await oneDayLater();
    control.lookWithin({ kind: "chosen", ahjs });
    write(storage.fee, "at-most", "300");
    expect(await estimated()).toEqual({ questions: 1, answers: 1 });
    control.run();
    await until(() => state().result);
    expect(excel.requests).toEqual(["POST /v1/reports/matrix"]);
  });
});

describe("a find among chosen jurisdictions", () => {
  it("becomes an import that looks among the same jurisdictions again", async () => {
    const find = await openFind();
    const ahjs = await someOf(find, "NV", 12);
    find.control.lookWithin({ kind: "chosen", ahjs });
    find.write(storage.fee, "has-value");
    await find.run();
    expect(find.control.take(false)?.find?.within).toEqual({
      kind: "chosen",
      ahjIds: ahjs.map(({ id }) => id),
    });
  });

  it("has no result while none is chosen", async () => {
    const { control, write, excel, state } = await openFind();
    control.lookWithin({ kind: "chosen", ahjs: [] });
    write(storage.fee, "has-value");
    await pass(2_000);
    expect(state()).toMatchObject({ result: null, among: 0 });
    expect(control.take(true)).toBeNull();
    expect(excel.requests).toEqual([]);
  });

  it("counts those of the last choice only, if that is changed as soon as the find begins", async () => {
    const find = await openFind();
    const ahjs = await someOf(find, "NV", 12);
    find.write(storage.fee, "has-value");
    find.control.lookWithin({ kind: "chosen", ahjs });
    find.control.run();
    find.control.lookWithin({ kind: "chosen", ahjs: ahjs.slice(0, 5) });
    await find.run();
    expect(find.state()).toMatchObject({ among: 5, failure: undefined });
    expect(find.state().result?.ahjs).toHaveLength(5);
  });
});
