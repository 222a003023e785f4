import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runImport } from "../../../../src/workbook/imports/run/run-import";
import { createService } from "../../../../reference-service/service";
import { askOne, connected } from "../../../recorded-service";

const nowMs = Date.parse("2026-03-12T12:00:00Z");
beforeEach(() => {
  vi.useFakeTimers({ now: nowMs, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A lookup through a relay that says with `age` how long it has kept the answer. */
function relayed(age: string) {
  const service = createService();
  return connected("demo-national", {
    async intercept(request) {
      const answer = await service.fetch(request);
      answer.headers.set("Age", age);
      return answer;
    },
  });
}

describe("an answer that a relay has kept", () => {
  it.each([
    ["of a matrix", false],
    ["of a list of data points", true],
  ])("%s was retrieved when the service gave it, not when the relay passed it on", async (_, dated) => {
    const { cell } = await askOne(relayed("600").lookup, "06001", 1003, { dated });
    expect(nowMs - cell.fetchedAtMs).toBe(600_000);
  });

  it("of a collection was retrieved when the service gave it, too", async () => {
    const { client, lookup } = relayed("600");
    const collections = await lookup.catalogue.collections();
    const collection = collections.find(({ name }) => name.includes("Residential"));
    const ahjs = (await lookup.directory.load()).ahjs
      .filter(({ state_code }) => state_code === "CA")
      .slice(0, 20);
    const { answers } = await runImport(
      { kind: "collection", ahjs, collection: collection! },
      { client, lookup },
      {},
    );
    const given = ahjs.flatMap((ahj) =>
      answers.types.flatMap(({ id }) => {
        const answer = answers.of(ahj.id, id);
        return answer ? [{ ahj, id, atMs: answer.fetchedAtMs ?? 0 }] : [];
      }),
    );
    expect(new Set(given.map(({ atMs }) => nowMs - atMs))).toEqual(new Set([600_000]));
    // A formula that asks for one of the answers reports the same age.
    const { cell } = await askOne(lookup, given[0]?.ahj.geoid ?? "", given[0]?.id ?? 0);
    expect(nowMs - cell.fetchedAtMs).toBe(600_000);
  });

  it.each(["", "0", "-5", "0.5", "soon"])("was retrieved now where its Age is %j", async (age) => {
    const { cell } = await askOne(relayed(age).lookup, "06001", 1003);
    expect(cell.fetchedAtMs).toBe(nowMs);
  });
});
