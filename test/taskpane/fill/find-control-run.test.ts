import { describe, expect, it } from "vitest";
import type { Job } from "../../../src/taskpane/jobs/jobs";
import { rateHeaders } from "../../../src/engine/transport/rate-headers";
import { inTime } from "../../excel/in-time";
import { answering, outage, pass, playExcel } from "../../functions/excel";
import { gate, inState, type OpenedFind, openFind, storage } from "./opened-find";

playExcel();

const dayMs = 86_400_000;
const matrix = "POST /v1/reports/matrix";
const isMatrix = (request: Request) => request.url.includes("/reports/matrix");

/** A find among Nevada's jurisdictions, with its estimate. */
async function inNevada(
  options: Parameters<typeof openFind>[0] = {},
  change?: Parameters<typeof openFind>[1],
) {
  const find = await openFind(options, change);
  find.control.lookWithin(inState("NV"));
  find.write(storage.fee, "has-value");
  await find.estimated();
  return find;
}

/** Starts the find and gives the work that it shows until it ends. */
async function workOf({ control, told, until, state }: OpenedFind): Promise<Job[]> {
  const states = await told(async () => {
    control.run();
    await until(() => !state().work);
  });
  return states.flatMap(({ work }) => work ?? []);
}

const ofAnswers = ({ progress }: Job) => progress?.phase === "answers";

/** A refusal because the limit is used up for half a minute. */
const refused = () =>
  Response.json(
    { error: { code: "RATE_LIMIT_EXCEEDED", message: "Too many requests." } },
    { status: 429, headers: { [rateHeaders.retryAfter]: "30" } },
  );

describe("a find that runs", () => {
  it("shows how many jurisdictions are listed, then how many answers have come", async () => {
    const find = await openFind({ key: "demo-west" });
    find.writeAll([
      [storage.fee, "has-value"],
      [storage.permit, "has-value"],
    ]);
    await find.estimated();
    const work = await workOf(find);
    const among = find.state().among!;
    const began = work.find(({ step }) => step !== undefined)!;
    expect(began).toMatchObject({ step: "Reading the list of jurisdictions", progress: undefined });
    expect(work.map(({ progress }) => progress)).toContainEqual({
      phase: "jurisdictions",
      done: 500,
      total: among,
    });
    const answers = work.filter(ofAnswers);
    expect(answers[0]?.progress).toEqual({ phase: "answers", done: 0, total: 2 * among });
    expect(answers.at(-1)?.progress).toMatchObject({ done: 2 * among, total: 2 * among });
    expect(answers.at(-1)?.step).toBe(
      `Fetched ${(2 * among).toLocaleString()} of ${(2 * among).toLocaleString()} answers.`,
    );
    expect(work.findIndex(ofAnswers)).toBe(work.length - answers.length);
  });

  it("says until when it waits for the limit, while it lists jurisdictions and while it asks for answers", async () => {
    const refusedOnce = new Set<string>();
    const find = await inNevada({
      intercept: (request) => {
        const kind = isMatrix(request) ? "answers" : "jurisdictions";
        if (request.url.includes("data-point-types") || refusedOnce.has(kind)) return undefined;
        if (kind === "jurisdictions" && !request.url.includes("/v1/ahjs")) return undefined;
        refusedOnce.add(kind);
        return refused();
      },
    });
    const startedAtMs = Date.now();
    const work = await workOf(find);
    const waits = work.filter(({ waitingUntilMs }) => waitingUntilMs !== undefined);
    expect(new Set(waits.map(ofAnswers))).toEqual(new Set([false, true]));
    for (const { waitingUntilMs } of waits) expect(waitingUntilMs).toBeGreaterThan(startedAtMs + 25_000);
    expect(work.at(-1)).toMatchObject({ progress: { phase: "answers" }, waitingUntilMs: undefined });
    expect(find.state()).toMatchObject({ failure: undefined, work: null });
  });

  it("lists the jurisdictions once, however many questions follow", async () => {
    const find = await inNevada();
    await find.run();
    find.control.addCondition();
    find.write(storage.permit, "is-yes");
    await find.estimated();
    const work = await workOf(find);
    expect(work.map(({ step }) => step ?? "").filter((step) => !step.startsWith("Fetched"))).toEqual([""]);
  });

  it("asks everything once if the button is pressed twice", async () => {
    const { control, excel, until, state } = await inNevada();
    control.run();
    control.run();
    await until(() => state().result);
    expect(excel.requests.filter((request) => request === matrix)).toHaveLength(1);
  });

  it("shows its jurisdictions by state and name, in whatever order the states were chosen and the service lists them", async () => {
    const { control, write, run, state } = await openFind({ quirks: ["other-order"] });
    control.lookWithin(inState("NV", "DE"));
    write(storage.fee, "has-value");
    await run();
    const shown = state().result!.ahjs.map(({ state_code, name }) => `${state_code} ${name}`);
    expect(shown[0]).toMatch(/^DE /);
    expect(shown.at(-1)).toMatch(/^NV /);
    expect(shown).toEqual([...shown].sort(new Intl.Collator("en").compare));
  });

  it("shows all jurisdictions of the subscription by state and name", async () => {
    const { write, run, state } = await openFind({ key: "demo-county", quirks: ["other-order"] });
    write(storage.fee, "has-value");
    await run();
    const shown = state().result!.ahjs.map(({ name }) => name);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual([...shown].sort(new Intl.Collator("en").compare));
  });

  it("says how many jurisdictions the service counts and does not list, in all states together", async () => {
    const { control, write, run, state } = await openFind({
      intercept: answering(/GET \/v1\/ahjs$/, (data) => {
        data.pagination.total += data.items[0].state_code === "DE" ? 2 : 3;
      }),
    });
    control.lookWithin(inState("DE", "NV"));
    write(storage.fee, "has-value");
    await run();
    expect(state().missing).toBe(5);
    control.lookWithin(inState("CA"));
    expect(state().missing).toBe(0);
  });
});

describe("a find that reads stored answers by itself", () => {
  it("gives way at once when the user presses Find", async () => {
    const held = gate();
    let readings = 0;
    const find = await openFind({}, ({ lookup, limit }) => ({
      limit,
      lookup: {
        ...lookup,
        answers: {
          ...lookup.answers,
          async read(work, options) {
            readings += 1;
            if (options?.keptOnly) await held.opened;
            return lookup.answers.read(work, options);
          },
        },
      },
    }));
    const { ahjs } = await inTime(find.session.lookup.directory.list("NV"));
    const work = { questions: ahjs.map(({ id }) => ({ ahj: id, type: storage.fee })) };
    await inTime(find.session.lookup.ask(work));
    find.control.lookWithin({ kind: "chosen", ahjs });
    find.write(storage.fee, "has-value");
    await find.until(() => readings === 1);
    find.control.run();
    await find.until(() => find.state().result);
    expect(readings).toBe(2);
    held.open();
    await pass(1_000);
    expect(find.state()).toMatchObject({ work: null, failure: undefined, among: ahjs.length });
  });
});

describe("a find whose answers take more requests than are left", () => {
  it("lists the jurisdictions, says how many requests the answers take, and asks for them only when told again", async () => {
    const { control, excel, until, state } = await inNevada({}, ({ lookup, limit }) => ({
      lookup,
      limit: () => ({ ...limit(), left: 0 }),
    }));
    control.run();
    await until(() => !state().work && state().need);
    expect(state()).toMatchObject({ need: { questions: 1, answers: 1 }, among: 134, result: null });
    await pass(2_000);
    expect(excel.requests.filter((request) => request === matrix)).toEqual([]);
    control.run();
    await until(() => state().result);
    expect(excel.requests.filter((request) => request === matrix)).toHaveLength(1);
  });

  it("goes on at once if as many are left as it takes", async () => {
    const { excel, run, counts } = await inNevada({}, ({ lookup, limit }) => ({
      lookup,
      limit: () => ({ ...limit(), left: 1 }),
    }));
    await run();
    expect(counts()).toBeDefined();
    expect(excel.requests.filter((request) => request === matrix)).toHaveLength(1);
  });
});

describe("a find that is stopped", () => {
  /** A find whose first request for answers stays open. */
  async function withHeldAnswers() {
    const held = gate();
    let asked = 0;
    const find = await inNevada({
      async intercept(request) {
        if (!isMatrix(request)) return undefined;
        asked += 1;
        if (asked === 1) await held.opened;
        return undefined;
      },
    });
    find.control.run();
    await find.until(() => find.state().work?.progress?.phase === "answers");
    return { ...find, release: held.open };
  }

  it("may begin again at once: the end of the first run does not end the second", async () => {
    const { control, state, until, told } = await withHeldAnswers();
    control.cancel();
    expect(state().work).toBeNull();
    const states = await told(async () => {
      control.run();
      await until(() => state().result);
    });
    const shown = states.map(({ work, result }) => (work ? "work" : result ? "result" : "nothing"));
    expect(shown.join(" ")).toMatch(/^nothing (?:work )+result/);
    expect(state()).toMatchObject({ failure: undefined, work: null });
  });

  it("sends no more requests for the list", async () => {
    const held = gate();
    const find = await openFind({
      async intercept(request) {
        if (/[?&]page=[2-9]/.test(request.url)) await held.opened;
        return undefined;
      },
    });
    find.write(storage.fee, "has-value");
    await find.estimated();
    find.control.run();
    await pass(2_000);
    const sent = find.excel.requests.length;
    expect(sent).toBeGreaterThan(1);
    find.control.cancel();
    held.open();
    await pass(5_000);
    expect(find.excel.requests).toHaveLength(sent);
    expect(find.state()).toMatchObject({ work: null, among: null, failure: undefined });
  });

  it("sends and shows nothing more once its screen is left", async () => {
    const { control, excel, told, release } = await withHeldAnswers();
    const sent = excel.requests.length;
    const states = await told(async () => {
      control.end();
      release();
      await pass(5_000);
    });
    expect(states).not.toEqual([]);
    for (const state of states) expect(state).toMatchObject({ work: null, result: null, failure: undefined });
    expect(excel.requests).toHaveLength(sent);
  });

  it("by another scope has the answers of that scope only", async () => {
    const { control, state, until, release } = await withHeldAnswers();
    control.lookWithin(inState("DE"));
    expect(state()).toMatchObject({ work: null, among: null, result: null });
    release();
    await until(() => state().need);
    control.run();
    await until(() => state().result);
    expect(new Set(state().result?.ahjs.map(({ state_code }) => state_code))).toEqual(new Set(["DE"]));
  });

  it("by the end of the connection shows no failure", async () => {
    const { excel, state, until } = await withHeldAnswers();
    await inTime(excel.app.forget());
    await until(() => !state().work);
    expect(state()).toMatchObject({ failure: undefined, result: null });
  });
});

describe("a find that fails", () => {
  it("to list its jurisdictions says why, and no longer while it tries again", async () => {
    const network = outage();
    const find = await inNevada({ intercept: network.intercept });
    network.isDown = true;
    await find.run();
    expect(find.state()).toMatchObject({
      failure: { kind: "unreachable" },
      ...{ among: null, missing: 0, result: null, work: null },
    });
    await find.estimated();
    network.isDown = false;
    find.control.run();
    expect(find.state()).toMatchObject({
      failure: undefined,
      need: null,
      work: { step: "Reading the list of jurisdictions" },
    });
    await find.until(() => find.state().result);
    expect(find.state().failure).toBeUndefined();
  });

  it("to get today's answers shows those of an earlier day and says how many are old", async () => {
    const network = outage();
    const find = await inNevada({ intercept: network.intercept });
    const answeredAtMs = Date.now();
    await find.run();
    const { yes } = find.counts()!;
    expect(find.state().old).toBeNull();
    await pass(dayMs + 60_000);
    network.isDown = true;
    find.control.lookWithin(inState("NV"));
    await find.run();
    expect(find.counts()!.yes).toBe(yes);
    const { old } = find.state();
    expect(old?.count).toBe(yes);
    expect(old!.oldestMs).toBeGreaterThanOrEqual(answeredAtMs);
    expect(old!.oldestMs).toBeLessThan(answeredAtMs + 60_000);
    find.control.lookWithin(inState("DE"));
    expect(find.state().old).toBeNull();
  });

  it("to get today's answers no longer says that answers are old once it has got them", async () => {
    const network = outage();
    const find = await inNevada({ intercept: network.intercept });
    const { ahjs } = await inTime(find.session.lookup.directory.list("NV"));
    find.control.lookWithin({ kind: "chosen", ahjs: ahjs.slice(0, 60) });
    await find.run();
    await pass(dayMs + 60_000);
    network.isDown = true;
    find.control.lookWithin({ kind: "chosen", ahjs });
    await find.run();
    expect(find.state().old?.count).toBeGreaterThan(0);
    expect(find.state().failure?.kind).toBe("unreachable");
    network.isDown = false;
    await find.run();
    expect(find.state()).toMatchObject({ failure: undefined, old: null });
  });

  it("to get today's answers to several questions counts the old ones of all of them", async () => {
    const network = outage();
    const find = await inNevada({ intercept: network.intercept });
    await find.run();
    const withFee = find.counts()!.yes;
    find.write(storage.permit, "has-value");
    await find.run();
    const withPermit = find.counts()!.yes;
    await pass(dayMs + 60_000);
    network.isDown = true;
    find.control.lookWithin(inState("NV"));
    await find.run();
    expect(find.state().old?.count).toBe(withPermit);
    find.control.addCondition();
    find.write(storage.fee, "has-value");
    await find.run();
    expect(find.state().old?.count).toBe(withPermit + withFee);
    // The answers that could not be had are asked for again, with the old ones beside them.
    network.isDown = false;
    await find.run();
    expect(find.state().old?.count).toBe(withPermit);
  });
});
