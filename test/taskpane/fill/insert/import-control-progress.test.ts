import { beforeEach, describe, expect, it } from "vitest";
import type { ImportState } from "../../../../src/taskpane/fill/insert/import-control";
import { pass, playExcel } from "../../../functions/excel";
import { openImport, type OpenedImport, type StateOf } from "./opened-import";
import { playConfig } from "../../../play-config";

// A request has the answers of one jurisdiction, and a write to Excel has one row.
playConfig({
  matrixCells: 2,
  mostMatrixCells: 2,
  firstRequests: 1,
  concurrentRequests: 1,
  writeBytes: 1,
});

playExcel();

let opened: OpenedImport;
/** The time in seconds that the service takes for the answers of one jurisdiction. */
let seconds: number;
/** The number of requests for answers that the service refuses, because the limit is reached. */
let refusals: number;
/** All states that the control has shown. */
let seen: ImportState[];
beforeEach(async () => {
  [seconds, refusals, seen] = [4, 0, []];
  opened = await openImport({
    async intercept(request) {
      if (!request.url.includes("matrix")) return undefined;
      if (refusals-- > 0) return new Response("{}", { status: 429, headers: { "Retry-After": "30" } });
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      return undefined;
    },
  });
  const { control } = opened;
  control.subscribe(() => seen.push(control.getState()));
});

/** The states of the run, from the first. */
const runs = () => seen.filter((state): state is StateOf<"running"> => state.status === "running");

describe("the progress of an import", () => {
  it("tells how many jurisdictions are read, and then how many are written", async () => {
    const { control, order, reaches } = opened;
    control.insertOnNewSheet(order());
    expect(runs().map(({ step }) => step)).toEqual([undefined]);
    await reaches("done");
    const told = runs().flatMap(({ step, progress }) =>
      progress ? [[step, progress.done, progress.total]] : [],
    );
    expect(told).toEqual([
      ["Fetched 0 of 3 jurisdictions, 0 of 6 cells.", 0, 6],
      ["Fetched 1 of 3 jurisdictions, 2 of 6 cells.", 2, 6],
      ["Fetched 2 of 3 jurisdictions, 4 of 6 cells.", 4, 6],
      ["Fetched 3 of 3 jurisdictions, 6 of 6 cells.", 6, 6],
      ["Written 1 of 3 jurisdictions, 7 of 21 cells.", 7, 21],
      ["Written 2 of 3 jurisdictions, 14 of 21 cells.", 14, 21],
      ["Written 3 of 3 jurisdictions, 21 of 21 cells.", 21, 21],
    ]);
  });

  it("tells the time left at the pace so far, and tells none for the writing until that has a pace", async () => {
    const { control, order, reaches } = opened;
    control.insertOnNewSheet(order());
    await reaches("done");
    const left = (wanted: string) =>
      runs().flatMap(({ progress, leftMs }) => (progress?.phase === wanted ? [leftMs] : []));
    expect(left("fetching")).toEqual([null, 8_000, 4_000, 0]);
    expect(left("writing")).toEqual([null, null, null]);
  });

  it("tells until when the request limit makes it wait, and no longer tells it once answers come", async () => {
    const { control, order, reaches, shows, state } = opened;
    refusals = 1;
    const until = Date.now() + 30_000;
    control.insertOnNewSheet(order());
    const waiting = await shows("running", ({ waitingUntilMs }) => waitingUntilMs !== undefined);
    expect(waiting).toMatchObject({
      waitingUntilMs: until,
      progress: { phase: "fetching", done: 0, total: 6 },
    });
    // A pause does not hide the wait that follows it.
    control.pause();
    control.goOn();
    expect(state()).toEqual(waiting);
    const { waitingUntilMs } = await shows(
      "running",
      ({ step }) => step?.startsWith("Fetched 1 of 3 jurisdictions") ?? false,
    );
    expect(waitingUntilMs).toBeUndefined();
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    await reaches("done");
  });
});

describe("a paused import", () => {
  it("sends no request until it goes on, and does not count the pause as time that it needs", async () => {
    const { control, order, shows, state, answersAsked } = opened;
    control.insertOnNewSheet(order());
    control.pause();
    await pass(60_000);
    expect(answersAsked()).toEqual([]);
    expect(state()).toMatchObject({ status: "running", isPaused: true });
    control.goOn();
    const first = await shows(
      "running",
      ({ step }) => step?.startsWith("Fetched 1 of 3 jurisdictions") ?? false,
    );
    expect(first).toMatchObject({ isPaused: false, leftMs: 8_000 });
    control.cancel();
    await opened.reaches("failed");
  });

  it("takes the answer that was under way, which does not change its pace, and sends the next request when it goes on", async () => {
    const { control, order, reaches, shows, state, answersAsked } = opened;
    control.insertOnNewSheet(order());
    await shows("running", ({ step }) => step?.startsWith("Fetched 1 of 3 jurisdictions") ?? false);
    control.pause();
    await pass(60_000);
    expect(answersAsked()).toHaveLength(2);
    expect(state()).toMatchObject({ isPaused: true, step: "Fetched 2 of 3 jurisdictions, 4 of 6 cells." });
    control.goOn();
    expect(state()).toMatchObject({ leftMs: 4_000 });
    expect(await reaches("done")).toMatchObject({ report: { values: 6 } });
    expect(answersAsked()).toHaveLength(3);
  });

  it("writes no further row until it goes on", async () => {
    const { control, order, reaches, shows, excel } = opened;
    const stop = control.subscribe(() => {
      const now = control.getState();
      if (now.status === "running" && now.progress?.phase === "writing" && !now.isPaused) control.pause();
    });
    control.insertOnNewSheet(order());
    await shows("running", ({ isPaused }) => isPaused);
    await pass(60_000);
    expect(excel.values("Codes!A2:A4").flat()).toEqual(["Alameda County", "", ""]);
    stop();
    control.goOn();
    await reaches("done");
    expect(excel.values("Codes!A2:A4").flat()).toEqual([
      "Alameda County",
      "Los Angeles County",
      "Orange County",
    ]);
  });

  it("ends at once when it is canceled, and offers the answers that had come", async () => {
    const { control, order, reaches, shows, excel } = opened;
    control.insertOnNewSheet(order());
    await shows("running", ({ step }) => step?.startsWith("Fetched 1 of 3 jurisdictions") ?? false);
    control.pause();
    await pass(60_000);
    control.cancel();
    const { failure, partial } = await reaches("failed");
    expect(failure.kind).toBe("cancelled");
    expect(partial?.data.report.rows).toBe(2);
    expect(excel.spreadsheet.sheets().map(({ name }) => name)).toEqual(["Sheet1"]);
  });
});
