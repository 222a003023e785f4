import { describe, expect, it } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import { stateFilters } from "../../../../src/engine/api/endpoints";
import type { Ahj, Page } from "../../../../src/engine/api/schemas";
import { config } from "../../../../src/config";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import { createAhjList } from "../../../../src/engine/lookup/directory/ahj-list";
import { createStateLists } from "../../../../src/engine/lookup/directory/state-lists";
import { device } from "../device";

const ahj = (id: number, state_code: string): Ahj => ({
  ...{ id, name: `AHJ ${id}`, type: "city", state_code, geoid: null },
});
const everyone = [ahj(1, "CA"), ahj(2, "CA"), ahj(3, "TX"), ahj(4, "CA")];
const document = (name: string | null) => ({ "state-filter": { name } });

interface Service {
  ahjs?: Ahj[];
  /** The filter's true name; the service does not know the other names. */
  filter?: string | null;
  /** The failure for a name that the service does not know. Default: it ignores the name. */
  refusal?: FormulaFailureKind;
  /** States whose filtered list is empty. */
  emptyOf?: string[];
  /** How many AHJs of each state count in the totals but are on no page. */
  uncounted?: number;
}

/** State lists over a service with pages of two, with its requests and the AHJs shown. */
async function statesOver(
  { ahjs = everyone, filter = "state", refusal, emptyOf = [], uncounted = 0 }: Service = {},
  documents = device(),
) {
  const asked: string[] = [];
  const shown: number[] = [];
  const pageOf = (of: Ahj[], page: number, total = of.length): Page<Ahj> => ({
    items: of.slice(2 * page - 2, 2 * page),
    pagination: { page, page_size: 2, total, total_pages: Math.ceil(total / 2) },
  });
  const whole = createAhjList(
    (page) => Promise.resolve(pageOf(ahjs, page)),
    () => undefined,
  );
  await whole.readAll();
  const client = {
    listAhjs({ page, page_size, ...filters }: Record<string, string | number>) {
      expect(page_size).toBe(config.pageSize);
      const [[name = "", state] = []] = Object.entries(filters);
      asked.push(`${name}=${state} ${page}`);
      if (name !== filter && refusal) return Promise.reject(new Failure(refusal));
      if (name !== filter) return Promise.resolve({ data: pageOf(ahjs, Number(page)) });
      const found = ahjs.filter((each) => each.state_code === state && !emptyOf.includes(String(state)));
      return Promise.resolve({ data: pageOf(found, Number(page), found.length + uncounted) });
    },
  } as unknown as Client;
  const states = createStateLists(client, documents, (page) => void shown.push(...page.map(({ id }) => id)));
  const read = async (state: string) => {
    const isRead = await states.read(state, whole);
    return isRead && (states.list(state)?.ahjs() ?? []).map(({ id }) => id);
  };
  return { states, read, asked, shown, documents, whole };
}

describe("the AHJs of one state", () => {
  it("are asked for by the service's filter, whose name is found by trying", async () => {
    const { states, read, asked, shown, documents } = await statesOver();
    expect(states.works()).toBeUndefined();
    expect(states.list("CA")).toBeUndefined();
    expect(await read("CA")).toEqual([1, 2, 4]);
    // The page that proved the filter's name is not asked for again.
    expect(asked).toEqual(["state_code=CA 1", "state=CA 1", "state=CA 2"]);
    expect(shown).toEqual([1, 2, 4]);
    expect(states.works()).toBe(true);
    expect(await read("CA")).toEqual([1, 2, 4]);
    expect(await read("TX")).toEqual([3]);
    expect(asked.slice(3)).toEqual(["state=TX 1"]);
    expect(documents.kept.get("state-filter")?.content).toEqual({ name: "state" });
  });

  it("are asked for by one probe, even if other states are wanted meanwhile", async () => {
    const { read, asked } = await statesOver();
    expect(await Promise.all([read("CA"), read("TX")])).toEqual([[1, 2, 4], [3]]);
    expect(asked.toSorted()).toEqual(["state=CA 1", "state=CA 2", "state=TX 1", "state_code=CA 1"]);
  });

  it("are asked for at once by a name that an earlier session has found", async () => {
    const { states, read, asked } = await statesOver({}, device(document("state")));
    await Promise.all([states.recall(), states.recall()]);
    expect(states.works()).toBe(true);
    expect(await read("TX")).toEqual([3]);
    expect(asked).toEqual(["state=TX 1"]);
  });

  it.each([["refuses", "invalid-request"] as const, ["ignores", undefined]])(
    "can't be asked for if the service %s each name, which is remembered",
    async (_does, refusal) => {
      const documents = device();
      const { states, read, asked } = await statesOver(
        { filter: null, ...(refusal && { refusal }) },
        documents,
      );
      expect(await read("CA")).toBe(false);
      expect(asked).toEqual(stateFilters.map((name) => `${name}=CA 1`));
      expect(states.works()).toBe(false);
      expect(await read("TX")).toBe(false);
      expect(asked).toHaveLength(stateFilters.length);

      const next = await statesOver({}, documents);
      await next.states.recall();
      expect(next.states.works()).toBe(false);
      expect(await next.read("CA")).toBe(false);
      expect(next.asked).toEqual([]);
    },
  );

  it("are not asked for if all AHJs lie in one state, which says nothing of the filter", async () => {
    const ahjs = everyone.filter(({ state_code }) => state_code === "CA");
    const { states, read, documents } = await statesOver({ ahjs });
    expect(await read("CA")).toBe(false);
    expect(states.works()).toBe(false);
    expect(documents.kept.size).toBe(0);
  });

  it("may be nobody, which another state's page tells from a filter that means something else", async () => {
    const { read, asked, states } = await statesOver();
    expect(await read("NV")).toEqual([]);
    expect(asked).toEqual(["state_code=NV 1", "state=NV 1", "state=CA 1"]);
    expect(states.works()).toBe(true);

    const empty = await statesOver({ emptyOf: ["CA", "TX", "NV"] });
    expect(await empty.read("NV")).toBe(false);
    expect(empty.states.works()).toBe(false);
  });

  it("are not taken from a service that goes down while the names are tried, which says nothing of the filter", async () => {
    const { states, read, documents } = await statesOver({ refusal: "service-error" });
    await expect(read("CA")).rejects.toMatchObject({ kind: "service-error" });
    expect(states.works()).toBeUndefined();
    expect(documents.kept.size).toBe(0);
  });

  it("are not believed if AHJs of other states are among them: the filter worked once and no longer does", async () => {
    const documents = device(document("state"));
    const { states, read } = await statesOver({ filter: null }, documents);
    await states.recall();
    expect(await read("CA")).toBe(false);
    expect(states.list("CA")).toBeUndefined();
    expect(states.works()).toBe(false);
    expect(documents.kept.get("state-filter")?.content).toEqual({ name: null });
  });

  it("are not read to their end if the first page shows other states", async () => {
    const { states, read, asked } = await statesOver({ filter: null }, device(document("state")));
    await states.recall();
    expect(await read("TX")).toBe(false);
    expect(asked).toEqual(["state=TX 1"]);
  });

  it("are read once more, from the first page, if some are missing", async () => {
    const ahjs = [...everyone, ahj(5, "TX"), ahj(6, "TX")];
    const { states, read, asked } = await statesOver({ ahjs, uncounted: 1 });
    expect(await read("CA")).toEqual([1, 2, 4]);
    expect(asked.slice(1)).toEqual(["state=CA 1", "state=CA 2", "state=CA 1", "state=CA 2"]);
    expect(states.list("CA")?.missing()).toBe(1);
  });

  it.each([{ name: "county" }, { name: 1 }, "state", null])(
    "are asked for again if the kept filter is damaged: %j",
    async (content) => {
      const { states } = await statesOver({}, device({ "state-filter": content }));
      await states.recall();
      expect(states.works()).toBeUndefined();
    },
  );

  it("may be taken over as an earlier session read them, without a request", async () => {
    const { states, asked, shown } = await statesOver();
    states.adopt("CA", [ahj(7, "CA")]);
    expect(states.list("CA")?.isRead()).toBe(true);
    expect(states.list("CA")?.ahjs()).toEqual([ahj(7, "CA")]);
    expect(shown).toEqual([7]);
    expect(asked).toEqual([]);
  });
});
