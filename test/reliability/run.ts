import { isDeepStrictEqual } from "node:util";
import { expect, vi } from "vitest";
import { clockTime } from "../../src/errors";
import { PENDING } from "../../workbench/spreadsheet";
import type { PlayedExcel } from "../excel/open-excel";
import { type Came, key, type Operation, type OperationName, operations } from "./operations";
import { type ExpectedOutcomes, expectedOf, type Outcome, right } from "./outcomes";
import { bookMeaning, type BookState, bookState, withoutRemains } from "./saved-state";
import { openWorld, type World, type WorldOptions } from "./world";

const kept = { withoutDigests: true };

/** A fault as it is played: from the start, or from a certain request on. */
export interface Playing extends Omit<WorldOptions, "onRequest"> {
  /** A change that the user or Excel makes to the workbook; it stays. */
  act?: (excel: PlayedExcel) => void;
  /** Begins the fault: with the operation, or at a request. */
  begin?: (excel: PlayedExcel, stop: AbortController) => void;
  /** True if the user has given up no cell. */
  takesNothing?: boolean;
  /** The text that the user types: it must stay, and the rest of the sheet must be as it would be without it. */
  keeps?: string;
  /** True if the change may hit the operation's result: then there is nothing to compare the result with. */
  isOfResult?: boolean;
  /** Ends the fault. */
  end?: (excel: PlayedExcel) => unknown;
}

export interface Fault {
  /** The fault's name on the page. */
  name: string;
  /** The fault begins at the first request, in another run at the second, and so on. Default: before the operation. */
  at?: "each request to Excel" | "each request to the service";
  play(): Playing;
  /** True if the page must be loaded anew. */
  isForGood?: boolean;
  /** A user who tries again waits for this time. */
  lastsMs?: number;
  expected: ExpectedOutcomes;
}

/** The end of the day's limit, if it is used up. */
export const limitEndsAtMs = Date.parse("2026-03-14T22:00:00Z");

interface Reference {
  /** The workbook without the sheet that is the operation's own place. */
  before: BookState;
  wholeBefore: BookState;
  right: ReturnType<typeof bookMeaning>;
  came: Came;
  requests: number;
}

const references = new Map<string, Promise<Reference>>();

/** The workbook before the operation, and after it when nothing fails. */
function referenceOf(name: OperationName, fault: Fault): Promise<Reference> {
  const playing = fault.play();
  const id = playing.act || playing.takesNothing ? `${name} ${fault.name}` : name;
  const known = references.get(id) ?? refer(operations[name], playing);
  references.set(id, known);
  return known;
}

async function refer(operation: Operation, playing: Playing): Promise<Reference> {
  const world = await openWorld();
  playing.act?.(world.excel);
  const before = bookState(world.excel, { ...operation, ...kept });
  const wholeBefore = bookState(world.excel, kept);
  const { came } = await perform(operation, world, playing);
  return {
    before,
    wholeBefore,
    right: bookMeaning(world.excel, kept),
    came,
    requests: world.excel.requests.length,
  };
}

async function perform(
  operation: Operation,
  world: World,
  { takesNothing }: Playing,
  stop = new AbortController(),
) {
  const startedAtMs = Date.now();
  const working = operation.run(world.excel, { signal: stop.signal, takesNothing });
  return world.inTime(working.then((came) => ({ came, waitsS: (Date.now() - startedAtMs) / 1_000 })));
}

/** The operation's different outcomes under the fault, in the order of the moments at which the fault begins. */
async function outcomesOf(name: OperationName, fault: Fault): Promise<Outcome[]> {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const outcomes: Outcome[] = [];
  const isNew = (outcome: Outcome) =>
    !outcomes.some((other) => isDeepStrictEqual(meaningOf(other), meaningOf(outcome)));
  for (let request = 0; ; request += 1) {
    const { outcome, hasBegun, end } = await outcomeAt(name, fault, fault.at && request);
    if (isNew(outcome)) {
      outcomes.push(outcome);
      await end();
    }
    if (!hasBegun || !fault.at) return outcomes;
  }
}

const meaningOf = ({ waitsS: _, requests: __, more: ___, ...outcome }: Outcome) => ({
  ...outcome,
  isKept: undefined,
});

async function outcomeAt(name: OperationName, fault: Fault, at: number | undefined) {
  const operation: Operation = operations[name];
  const playing = fault.play();
  const reference = await referenceOf(name, fault);
  const stop = new AbortController();
  let isOn = false;
  let hasBegun = false;
  let toService = 0;
  let isRunning = false;
  const begin = (excel: PlayedExcel) => {
    if (hasBegun) return;
    isOn = hasBegun = true;
    playing.act?.(excel);
    playing.begin?.(excel, stop);
  };
  let toExcel = 0;
  const world = await openWorld({
    ...playing,
    onRequest(_, excel) {
      if (isRunning && fault.at === "each request to Excel" && toExcel++ === at) begin(excel);
    },
    intercept(request) {
      if (isRunning && fault.at === "each request to the service" && toService++ === at) begin(world.excel);
      return isOn ? playing.intercept?.(request) : undefined;
    },
  });
  if (at === undefined) begin(world.excel);
  isRunning = true;
  const { came, waitsS } = await perform(operation, world, playing, stop);
  isRunning = false;
  const outcome = judged(operation, world, { came, waitsS }, reference, hasBegun, playing);

  expect(world.excel.problems).toEqual([]);

  /** Ends the fault and does the same again: nothing may be stuck. */
  async function end() {
    isOn = false;
    await world.inTime(Promise.resolve(playing.end?.(world.excel)));
    // An import that came in part, or with old answers, is in the sheet already.
    const isKept = expectedOf(fault.expected, name).some((one) => "isKept" in one);
    const mayBeDoneAgain = outcome.is === "fails" || operation.place !== undefined || name === "refresh";
    if (outcome.is !== "right" && mayBeDoneAgain && !isKept && !reference.came.failure) {
      await vi.advanceTimersByTimeAsync(fault.lastsMs ?? 1_000);
      // The session is lost, so the user opens the workbook once more.
      const then = fault.isForGood ? await openWorld({ file: world.excel.save() }) : world;
      await then.inTime(then.excel.spreadsheet.idle());
      const { came: after } = await perform(operation, then, playing);
      expect(after, "done again").toEqual(reference.came);
      const isComparable = outcome.is !== "partly" && !("remains" in outcome) && !operation.recalculates;
      if (isComparable) mustEqual(bookMeaning(then.excel, kept), reference.right, "done again");
      await mustNotBeStuck(then);
    }
    if (!fault.isForGood) await mustNotBeStuck(world);
  }
  return { outcome, hasBegun, end };
}

/** Compares the sentences that the user read with the contents of the workbook. */
function judged(
  operation: Operation,
  { excel }: World,
  { came: { failure, isOld, told = [] }, waitsS }: { came: Came; waitsS: number },
  { before, wholeBefore, came, ...reference }: Reference,
  hasBegun: boolean,
  { keeps = "", isOfResult }: Playing,
): Outcome {
  const requests = excel.requests.length;
  const cost = { waitsS, requests };
  const all = [failure?.sentence, ...told].join(" ");
  expect(all).not.toContain(key);
  expect(all).not.toContain(btoa(key));
  expect(JSON.stringify(excel.save())).not.toContain(key);
  if (failure) {
    // The clock, the time zone, and the workbench's additions to Excel's words are taken out.
    const sentence = failure.sentence
      .replace(clockTime(limitEndsAtMs), "22:00")
      .replace(/ \([^()]*\)(?=”)/, "")
      .replace(/(RegData copy) [0-9a-f]{4}/, "$1");
    // The failure says that the change could not be taken back.
    if (all.includes("could not be taken back")) return { is: "partly", told: [sentence], ...cost };
    const { state, remains } = withoutRemains(bookState(excel, { ...operation, ...kept }), before);
    if (hasBegun && !keeps) mustEqual(state, before, "as it was");
    if (hasBegun) expect(JSON.stringify(state)).toContain(keeps);
    return { is: "fails", sentence, ...(remains.length > 0 && { remains }), ...cost };
  }
  if (isOld) {
    if (operation.place) mustEqual(bookState(excel, kept), wholeBefore, "the older answers");
    return { is: "older", ...(told.length > 0 && { told }), ...cost };
  }
  if (told.length > 0) return { is: "partly", told, ...cost };
  // The fault came too late and has made the operation impossible.
  if (hasBegun && !JSON.stringify(excel.save()).includes(keeps))
    return { is: "partly", told: [`(“${keeps}” is overwritten)`], ...cost };
  if (!hasBegun || came.failure || keeps || isOfResult) return { is: "right", ...cost };
  const { remains } = withoutRemains(bookState(excel, kept), wholeBefore);
  const hidden = remains.filter((one) => one === "a hidden sheet stays");
  const { sheets, ...book } = bookMeaning(excel, kept);
  const shown = sheets.filter(({ name }) => hidden.length === 0 || !name.startsWith("RegData copy"));
  mustEqual({ ...book, sheets: shown }, reference.right, "right");
  return { is: "right", ...(hidden.length > 0 && { remains: hidden }), ...cost };
}

/** Compares faster: Vitest's own comparison takes ten times as long, so it runs only to show a difference. */
function mustEqual(one: unknown, other: unknown, what: string) {
  if (!isDeepStrictEqual(one, other)) expect(one, what).toEqual(other);
}

async function mustNotBeStuck({ excel, inTime }: World) {
  await inTime(excel.app.idle());
  const waiting = JSON.stringify(
    excel.spreadsheet.sheets().map(({ name }) => excel.values(`${name}!A1:K12`)),
  );
  expect(waiting).not.toContain(PENDING);
  const session = excel.app.currentSession();
  expect(session?.limit().waitingUntilMs).toBeUndefined();
}

/** Asserts that the outcomes are the expected ones, and returns the expected ones for the page. */
export async function expectOutcomes(name: OperationName, fault: Fault): Promise<Outcome[]> {
  const outcomes = await outcomesOf(name, fault);
  const expected = expectedOf(fault.expected, name);
  expect(outcomes.map(meaningOf)).toEqual(expected.map(meaningOf));
  if (fault.at) return expected;
  const [came = right()] = outcomes;
  const [wanted = right()] = expected;
  const usual = await referenceOf(name, fault);
  expect(came.requests, "requests").toBe(wanted.requests ?? usual.requests + (wanted.more ?? 0));
  const waitsS = wanted.waitsS ?? 0;
  expect(came.waitsS, "seconds").toBeGreaterThanOrEqual(waitsS - 0.5);
  expect(came.waitsS, "seconds").toBeLessThanOrEqual(waitsS + 1.5 + waitsS * 0.1);
  return expected;
}
