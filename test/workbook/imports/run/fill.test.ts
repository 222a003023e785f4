import { describe, expect, it } from "vitest";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import { estimateImport } from "../../../../src/workbook/imports/run/estimate";
import { Failure } from "../../../../src/errors";
import { createGate } from "../../../../src/async/gate";
import { firstRows, readSoFar } from "../../../../src/workbook/imports/run/run-import";
import type { ImportQuestion } from "../../../../src/workbook/imports/run/import-types";
import { planned, readImport, runImport } from "../../../../src/workbook/imports/run/run-import";
import { plainForm, type TableForm } from "../../../../src/workbook/sheet/layout/table-plan";
import { connected, countByPath, type Interception } from "../../../recorded-service";

const national = connected("demo-national");
const { ahjs: all } = await national.lookup.directory.load();
const catalogue = await national.lookup.catalogue.types();
const ofState = (state: string, count: number) =>
  all.filter(({ state_code }) => state_code === state).slice(0, count);

const matrix = (ahjs: readonly Ahj[], types: readonly DataPointType[] = catalogue.slice(0, 4)) => ({
  kind: "matrix" as const,
  ahjs,
  types,
});

/** A service that takes only matrices of a few cells, so that an import takes many requests. */
const takingAtMost =
  (cells: number): Interception =>
  async (request) => {
    if (!request.url.endsWith("/matrix")) return undefined;
    const { ahj_ids, data_point_type_ids } = (await request.clone().json()) as Record<string, number[]>;
    const isTooLarge = (ahj_ids?.length ?? 0) * (data_point_type_ids?.length ?? 0) > cells;
    return isTooLarge ? new Response("", { status: 413 }) : undefined;
  };

/** Waits until nothing more happens by itself. */
async function quiet() {
  for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
}

describe("an import with dates", () => {
  it("has for each value when it changed and when it was fetched, in no more requests than estimated", async () => {
    const { lookup, client, requests } = connected("demo-national");
    const question = matrix(ofState("NV", 80), catalogue.slice(0, 10));
    const { requests: estimated } = await estimateImport(
      { question, form: plainForm, hasSources: true },
      lookup,
      catalogue,
    );
    const { answers, report } = await runImport(question, { lookup, client }, { isDated: true });
    const counts = countByPath(requests);
    expect(counts["POST /v1/reports/matrix"]).toBeUndefined();
    expect(counts["GET /v1/data-points"]).toBeGreaterThan(0);
    expect(counts["GET /v1/data-points"]).toBeLessThanOrEqual(estimated);
    let values = 0;
    for (const ahj of question.ahjs) {
      for (const type of question.types) {
        const answer = answers.of(ahj.id, type.id);
        if (!answer) continue;
        values += 1;
        expect(Date.parse(answer.updatedAt ?? "")).toBeGreaterThan(0);
        expect(Math.abs(answer.fetchedAtMs - Date.now())).toBeLessThan(600_000);
      }
    }
    expect(report.values).toBe(values);
    expect(values).toBeGreaterThan(100);
  });

  it("names the jurisdictions that the subscription leaves out, even if the service only counts them", async () => {
    const [nevada, texas] = [ofState("NV", 3), ofState("TX", 2)];
    const outcome = async (intercept?: Interception) => {
      const { report } = await runImport(
        matrix([...texas, ...nevada]),
        connected("demo-west", intercept ? { intercept } : {}),
        { isDated: true },
      );
      return report;
    };
    expect((await outcome()).leftOut).toEqual(texas.map((ahj) => ({ ahj, kind: "outside-subscription" })));
    const counted = await outcome(async (request) => {
      if (!request.url.includes("/data-points?")) return undefined;
      const body = (await (await connected("demo-west").fetch(request)).json()) as { warnings?: unknown };
      body.warnings = [{ code: "AHJ_ACCESS_DENIED", message: "2 AHJs excluded" }];
      return Response.json(body);
    });
    expect(counted.leftOut).toEqual(texas.map((ahj) => ({ ahj, kind: "maybe-outside-subscription" })));
    expect(counted.rows).toBe(3);
  });
});

describe("an import that a sheet can't hold", () => {
  it("is refused beforehand: because of the table, its rows by value, or its sources", async () => {
    const { lookup } = connected("demo-national");
    const question = matrix(all.slice(0, 4_000), catalogue.slice(0, 300));
    const fits = async (form: TableForm, hasSources: boolean) =>
      (await estimateImport({ question, form, hasSources }, lookup, catalogue)).fitsSheet;
    expect(await fits({ layout: "wide", hasCitations: true }, false)).toBe(true);
    expect(await fits({ layout: "wide", hasCitations: false }, true)).toBe(false);
    expect(await fits({ layout: "long", hasCitations: false }, false)).toBe(false);
  });

  it("is judged to the row: a Sources sheet has one row for each value, and its header", async () => {
    const { lookup } = connected("demo-national");
    const fits = async (types: number) => {
      const question = matrix(all.slice(0, 4_096), catalogue.slice(0, types));
      return (await estimateImport({ question, form: plainForm, hasSources: true }, lookup, catalogue))
        .fitsSheet;
    };
    expect([await fits(255), await fits(256)]).toEqual([true, false]);
  });
});

describe("an import that is paused", () => {
  it("asks nothing more after the requests under way, goes on, and can be cancelled meanwhile", async () => {
    const { lookup, client, requests } = connected("demo-national", { intercept: takingAtMost(8) });
    const question = matrix(ofState("NV", 60));
    const whole = await runImport(question, national);
    const gate = createGate();
    const stop = new AbortController();
    let isPaused = false;
    const options = {
      signal: stop.signal,
      gate: () => gate.pass(stop.signal),
      onProgress({ done }: { done: number }) {
        if (done === 0 || isPaused) return;
        isPaused = true;
        gate.close();
      },
    };
    const run = runImport(question, { lookup, client }, options);
    run.catch(() => {});
    await quiet();
    const atPause = requests.length;
    expect(isPaused).toBe(true);
    await quiet();
    expect(requests.length).toBe(atPause);
    gate.open();
    expect((await run).table).toEqual(whole.table);
    // At most six of thirty requests were under way.
    expect(requests.length - atPause).toBeGreaterThanOrEqual(20);

    gate.close();
    const other = connected("demo-national");
    const cancelled = readImport(question, other, options);
    await quiet();
    expect(other.requests).toEqual([]);
    stop.abort();
    await expect(cancelled).rejects.toMatchObject({ kind: "cancelled" });
  });

  it("of a collection asks for no further page", async () => {
    const { lookup, client, requests } = connected("demo-national");
    const collection = (await lookup.catalogue.collections()).find(({ name }) =>
      name.includes("Residential"),
    );
    if (!collection) throw new Error("no such collection");
    await lookup.catalogue.types();
    requests.length = 0;
    const gate = createGate();
    const progress: (number | undefined)[] = [];
    const run = runImport(
      { kind: "collection", ahjs: ofState("NV", 60), collection },
      { lookup, client },
      {
        gate: () => gate.pass(),
        onProgress({ ahjs }) {
          if (progress.length === 0) gate.close();
          progress.push(ahjs?.done);
        },
      },
    );
    await quiet();
    expect(requests).toHaveLength(1);
    gate.open();
    const { report } = await run;
    expect(requests.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toBe(report.rows);
  });
});

describe("the rest of an import that ended early", () => {
  it("holds the jurisdictions all of whose answers are there, and names the others", async () => {
    const { lookup, client, requests } = connected("demo-national", { intercept: takingAtMost(16) });
    const question = matrix(ofState("NV", 40));
    const stop = new AbortController();
    let complete = 0;
    await readImport(
      question,
      { lookup, client },
      {
        signal: stop.signal,
        onProgress({ ahjs }) {
          complete = ahjs?.done ?? 0;
          if (complete >= 8) stop.abort();
        },
      },
    ).catch(() => {});
    expect(complete).toBeGreaterThanOrEqual(8);
    await quiet();
    requests.length = 0;
    const part = await readSoFar(question, { lookup, client }, { isDated: false });
    expect(requests).toEqual([]);
    const whole = await readImport(question, national);
    const rows = part?.answers.ahjs ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(8);
    expect(rows.length).toBeLessThan(40);
    expect([...rows, ...(part?.report.notRead ?? [])].map(({ id }) => id).sort()).toEqual(
      question.ahjs.map(({ id }) => id).sort(),
    );
    for (const { id } of rows) {
      for (const type of question.types) {
        expect(part?.answers.of(id, type.id)?.value).toBe(whole.answers.of(id, type.id)?.value);
      }
    }
  });

  it("is empty if no jurisdiction is complete", async () => {
    expect(
      await readSoFar(matrix(ofState("NV", 4)), connected("demo-national"), { isDated: false }),
    ).toBeNull();
  });

  it("is empty for a collection, and asks nothing", async () => {
    const session = connected("demo-national");
    const [collection] = await session.lookup.catalogue.collections();
    const question = { kind: "collection", ahjs: ofState("NV", 4), collection } as ImportQuestion;
    session.requests.length = 0;
    expect(await readSoFar(question, session, { isDated: false })).toBeNull();
    expect(session.requests).toEqual([]);
  });

  it("is empty if the cache can't be read", async () => {
    const { lookup, client } = connected("demo-national");
    const answers = { ...lookup.answers, read: () => Promise.reject(new Failure("cancelled")) };
    expect(
      await readSoFar(
        matrix(ofState("NV", 4)),
        { client, lookup: { ...lookup, answers } },
        { isDated: false },
      ),
    ).toBeNull();
  });

  it.each(["wide", "long"] as const)(
    "holds in a %s table the jurisdictions all of whose rows were written",
    async (layout) => {
      const read = await readImport(matrix(ofState("NV", 10)), national);
      const form: TableForm = { layout, hasCitations: false };
      const whole = (await planned(read, form, national.lookup)).table.rows;
      for (const written of [1, 4, 7, whole.length]) {
        const part = firstRows(read, layout, written);
        const rows = part ? (await planned(part, form, national.lookup)).table.rows : [];
        expect(rows).toEqual(whole.slice(0, rows.length));
        expect(rows.length).toBeLessThanOrEqual(written);
        if (layout === "wide") expect(rows.length).toBe(written);
        if (!part) continue;
        expect(part.report.rows + part.report.notRead.length).toBe(10);
        const blanks = part.report.withoutValue.reduce((sum, { ahjs }) => sum + ahjs.length, 0);
        expect(part.report.values + blanks).toBe(part.report.rows * 4);
      }
      expect(firstRows(read, layout, 0)).toBeNull();
    },
  );
});

describe("a text that is longer than a cell", () => {
  it("is cut with a mark, and reported whole", async () => {
    const long = `a\r\n${"b".repeat(40_000)}`;
    const question = matrix(ofState("NV", 2));
    const { longTexts, table } = await runImport(
      question,
      connected("demo-national", {
        async intercept(request) {
          if (!request.url.endsWith("/matrix")) return undefined;
          const body = await (await connected("demo-national").fetch(request)).text();
          return new Response(body.replace(/"value":"[^"]+"/, `"value":${JSON.stringify(long)}`));
        },
      }),
    );
    expect(longTexts.map(({ part, text }) => [part, text])).toEqual([["value", long]]);
    const cut = table.rows.flat().filter(({ value }) => String(value).endsWith("… [cut]"));
    expect(cut.map(({ value }) => String(value).length)).toEqual([32_767]);
  });
});
