import { describe, expect, it } from "vitest";
import type { Ahj, DataPointType } from "../../../../src/engine/api/schemas";
import { createAnswerPart } from "../../../../src/engine/cache/answer-part";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import type { ImportProgress } from "../../../../src/workbook/imports/run/import-types";
import { runMatrix } from "../../../../src/workbook/imports/run/run-matrix";
import type { Answers } from "../../../../src/engine/lookup/answers/answers";
import { connected } from "../../../recorded-service";

const ahj = (id: number) => ({ id, name: `AHJ ${id}`, type: "city", state_code: "CA", geoid: null }) as Ahj;
const type = (id: number) => ({ id, name: `Type ${id}`, unit_of_measure: "text" }) as DataPointType;

/**
 * Answers that are all in memory: a number is the time in ms at which a value was fetched, below zero for an old one; a kind is why there
 * is no value.
 */
function answersGiving(cells: Record<string, number | FormulaFailureKind>): Answers {
  const noValue = new Failure("no-value");
  const see = (ahjId: number, typeId: number) => {
    const said = cells[`${ahjId} ${typeId}`];
    if (said === undefined) return noValue;
    if (typeof said === "string") return new Failure(said);
    return { fetchedAtMs: Math.abs(said), isOld: said < 0 };
  };
  return { read: () => Promise.resolve({ see }) } as unknown as Answers;
}

const report = async (cells: Record<string, number | FormulaFailureKind>) =>
  (await runMatrix({ ahjs: [ahj(1), ahj(2)], types: [type(1), type(2)] }, answersGiving(cells), {})).report;

describe("the report of a matrix", () => {
  it("counts old answers, and names the oldest one's time", async () => {
    const cells = { "1 1": -3_000, "1 2": 1_000, "2 1": -2_000, "2 2": -4_000 };
    expect((await report(cells)).oldAnswers).toEqual({ count: 3, oldestMs: 2_000 });
  });

  it("mentions no old answers if there are none, and no type without value that everyone has", async () => {
    const found = await report({ "1 1": 1_000, "2 1": 2_000, "1 2": 3_000 });
    expect(found.oldAnswers).toBeNull();
    expect(found.values).toBe(3);
    expect(found.withoutValue).toEqual([{ type: type(2), ahjs: [ahj(2)] }]);
  });

  it.each(["outside-subscription", "maybe-outside-subscription", "unknown-jurisdiction"] as const)(
    "leaves out a jurisdiction with any answer of %s",
    async (kind) => {
      const found = await report({ "1 1": 1_000, "1 2": kind, "2 1": 1_000, "2 2": 1_000 });
      expect(found).toMatchObject({ rows: 1, values: 2, leftOut: [{ ahj: ahj(1), kind }] });
    },
  );
});

describe("a matrix that is read", () => {
  const service = connected("demo-national");

  it("shows its progress, by cells and by jurisdictions", async () => {
    const { ahjs } = await service.lookup.directory.list("NV");
    const types = (await service.lookup.catalogue.types()).slice(0, 3);
    const steps: ImportProgress[] = [];
    const onProgress = (step: ImportProgress) => steps.push(step);
    await runMatrix({ ahjs: ahjs.slice(0, 4), types }, service.lookup.answers, { onProgress });
    expect(steps[0]).toEqual({ phase: "fetching", done: 0, total: 12, ahjs: { done: 0, total: 4 } });
    expect(steps.at(-1)).toEqual({ phase: "fetching", done: 12, total: 12, ahjs: { done: 4, total: 4 } });
  });

  it("gives each value alone, and copied from memory, as it does with all its texts", async () => {
    const { ahjs } = await service.lookup.directory.list("NV");
    const types = (await service.lookup.catalogue.types()).slice(0, 40);
    const { answers } = await runMatrix({ ahjs: ahjs.slice(0, 9), types }, service.lookup.answers, {});
    const cells = answers.ahjs.flatMap((each) => types.map(({ id }) => [each.id, id] as const));
    const given = cells.map((cell) => answers.of(...cell));
    expect(new Set(given.map((answer) => answer === null))).toEqual(new Set([true, false]));
    expect(cells.map((cell) => answers.value?.(...cell))).toEqual(
      given.map((answer) => answer?.value ?? null),
    );
    const part = createAnswerPart(cells.length);
    const wereCopied = cells.map(([ahjId, typeId]) => answers.copy?.(ahjId, typeId, part));
    expect(wereCopied).toEqual(given.map((answer) => answer !== null));
    const copies = Array.from({ length: part.count() }, (_, slot) => part.at(slot));
    expect(copies).toEqual(given.filter((answer) => answer !== null));
  });

  it("asks nothing more once a part of it fails", async () => {
    const { lookup, requests } = connected("demo-national", {
      async intercept(request) {
        if (!request.url.endsWith("/matrix")) return undefined;
        const { ahj_ids } = (await request.clone().json()) as { ahj_ids: number[] };
        return new Response("", { status: ahj_ids.length > 2 ? 413 : 500 });
      },
    });
    const { ahjs } = await service.lookup.directory.list("NV");
    const types = (await service.lookup.catalogue.types()).slice(0, 1);
    const run = runMatrix({ ahjs: ahjs.slice(0, 60), types }, lookup.answers, {});
    await expect(run).rejects.toMatchObject({ kind: "service-error" });
    // There are thirty parts, and a few of them are under way at once.
    expect(requests.length).toBeLessThan(25);
  });
});
