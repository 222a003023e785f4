import { describe, expect, it } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import { Failure } from "../../../../src/errors";
import { createLookup } from "../../../../src/engine/lookup/lookup";
import { readSoFar } from "../../../../src/workbook/imports/run/run-import";
import { readImport } from "../../../../src/workbook/imports/run/run-import";
import { ahj, matrixOf, textOf, type, unread } from "../../../engine/lookup/answers/played-answers";
import { playConfig } from "../../../play-config";

// Requests have few cells and memory is small, as they are in proportion to the whole country.
playConfig({ matrixCells: 100, mostMatrixCells: 100, cachedBytes: 10_000, answersAPart: 50 });

const ahjs = Array.from({ length: 400 }, (_, index) => ahj(index + 1));
const question = {
  kind: "matrix" as const,
  ahjs,
  types: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => type(id)),
};

/** A service that can no longer be reached once it has answered this many requests. */
function session(answered: number) {
  const asked: number[][] = [];
  const service = { answers: answered };
  const client = {
    unreadMatrix: unread(async (args, options) => {
      if (asked.length >= service.answers) throw new Failure("unreachable");
      asked.push([...args.ahj_ids]);
      options?.onStatus?.(200);
      return matrixOf(args);
    }),
  } as unknown as Client;
  const lookup = createLookup(client, { delay: () => Promise.resolve() });
  return { client, lookup, asked, service };
}

describe("an interrupted import of more than memory may hold", () => {
  it("keeps all answers that had come, and asks only for the rest when tried again", async () => {
    const { client, lookup, asked, service } = session(28);
    const hold = lookup.answers.hold();
    await expect(readImport(question, { client, lookup }, { hold })).rejects.toMatchObject({
      kind: "unreachable",
    });
    const came = new Set(asked.flat());
    expect(came.size).toBe(280);
    const part = await readSoFar(question, { client, lookup }, { hold });
    expect(part?.report).toMatchObject({ rows: 280, values: 2_800 });
    expect(part?.report.notRead).toHaveLength(120);
    expect(part?.answers.ahjs.every(({ id }) => came.has(id))).toBe(true);

    service.answers = Infinity;
    asked.length = 0;
    const whole = await readImport(question, { client, lookup }, { hold });
    expect(asked.flat().toSorted((one, other) => one - other)).toEqual(
      ahjs.map(({ id }) => id).filter((id) => !came.has(id)),
    );
    expect(whole.report).toMatchObject({ rows: 400, values: 4_000 });
    for (const { id } of ahjs) expect(whole.answers.of(id, 7)?.value).toBe(textOf(id, 7));
  });

  it("keeps its answers no longer than it is held", async () => {
    const { client, lookup, asked } = session(Infinity);
    const hold = lookup.answers.hold();
    await readImport(question, { client, lookup }, { hold });
    hold.release();
    asked.length = 0;
    await readImport(question, { client, lookup });
    const again = asked.flat().length;
    expect(again).toBeGreaterThan(200);
    expect(again).toBeLessThan(400);
  });
});
