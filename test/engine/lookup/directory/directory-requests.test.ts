import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../../src/engine/api/client";
import type { Ahj, AhjDetail, Collection } from "../../../../src/engine/api/schemas";
import { config } from "../../../../src/config";
import { Failure, type FormulaFailureKind } from "../../../../src/errors";
import type { Catalogue } from "../../../../src/engine/lookup/catalogue/catalogue";
import { createDirectory } from "../../../../src/engine/lookup/directory/directory";
import type { DirectoryProgress, Resolution } from "../../../../src/engine/lookup/directory/edition";
import { stateOfGeoid } from "../../../../src/engine/lookup/directory/states";
import { requestsToTellApart } from "../../../../src/engine/lookup/directory/tell-apart";
import { createOldAnswerNotes } from "../../../../src/engine/lookup/old-answers";
import { device } from "../device";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z"), toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ahj = (id: number, geoid: string | null, state_code = stateOfGeoid(geoid ?? "") ?? ""): Ahj => ({
  ...{ id, name: `AHJ ${id}`, type: "city", state_code, geoid },
});

/** The union's states by the first digits of their geoIDs. */
const fips = Array.from({ length: 56 }, (_, index) => String(index + 1).padStart(2, "0")).filter(
  stateOfGeoid,
);
const geoidIn = (state: string, number: number) => `${state}${String(number).padStart(5, "0")}`;
const geoidsIn = (state: string, count: number) =>
  Array.from({ length: count }, (_, index) => geoidIn(state, index));

/** 600 AHJs in each of 51 states: 62 pages, and two for each state. */
const ofEachState = 600;
const everyone = fips.flatMap((state, index) =>
  geoidsIn(state, ofEachState).map((geoid, number) => ahj(1 + index * ofEachState + number, geoid)),
);
const pages = Math.ceil(everyone.length / config.pageSize);

interface Service {
  /** The entitled AHJs. */
  ahjs?: readonly Ahj[];
  /** The name of the state filter; null if there is none. */
  filter?: string | null;
  /** geoIDs outside the subscription. */
  denied?: readonly string[];
  /** AHJs that count in the totals but are on no page. */
  hidden?: readonly number[];
  collection?: boolean;
  /** The failure of a request, which is given as `page`, `state`, `geoid` or `collection` and its argument. */
  fails?: (request: string) => FormulaFailureKind | Failure | undefined;
}

/** A directory over a service; `log` notes the service's requests. */
function directoryOver(
  {
    ahjs = everyone,
    filter = "state_code",
    denied = [],
    hidden = [],
    collection = false,
    fails,
  }: Service = {},
  documents = device(),
  serviceFacts = device(),
) {
  const log: string[] = [];
  const ask = (request: string) => {
    log.push(request);
    const failure = fails?.(request);
    if (failure) throw failure instanceof Failure ? failure : new Failure(failure, { detail: "words" });
  };
  const byGeoid = new Map<string, Ahj>();
  for (const each of ahjs) if (each.geoid !== null && !byGeoid.has(each.geoid)) byGeoid.set(each.geoid, each);
  const client = {
    async listAhjs({ page, page_size, ...filters }: Record<string, string | number>) {
      const [[name, state] = ["", ""]] = Object.entries(filters);
      ask(name === "" ? `page ${page}` : `${name} ${state} ${page}`);
      const found = name !== "" && name === filter ? ahjs.filter((each) => each.state_code === state) : ahjs;
      const start = (Number(page) - 1) * Number(page_size);
      const items = found.slice(start, start + Number(page_size)).filter(({ id }) => !hidden.includes(id));
      const pagination = {
        page: Number(page),
        page_size: Number(page_size),
        total: found.length,
        total_pages: Math.ceil(found.length / Number(page_size)),
      };
      return { data: { items, pagination } };
    },
    async resolveGeoid({ geoid }: { geoid: string }) {
      ask(`geoid ${geoid}`);
      const found = denied.includes(geoid) ? undefined : byGeoid.get(geoid);
      if (denied.includes(geoid)) throw new Failure("outside-subscription");
      if (!found) throw new Failure("not-found", { detail: "No AHJ has this geoID." });
      return {
        data: {
          ...found,
          state_name: "",
          county: "",
          population: 1,
          lat: 1,
          lon: 1,
        },
      };
    },
    async runCollection({ geoids }: { geoids: string[] }) {
      ask(`collection of ${geoids.length}`);
      const unmatched = geoids.filter((geoid) => !byGeoid.has(geoid) && !denied.includes(geoid));
      const excluded = geoids.filter((geoid) => denied.includes(geoid)).map((_, index) => index + 900_000);
      return { warnings: [{ unmatched_geoids: unmatched, excluded_ahj_ids: excluded }] };
    },
  } as unknown as Client;
  const catalogue = {
    anyCollection: async () => (collection ? ({ id: "7" } as Collection) : undefined),
  } as unknown as Catalogue;
  const learnt: AhjDetail[] = [];
  const directory = createDirectory(client, catalogue, {
    old: createOldAnswerNotes(() => {}),
    documents,
    serviceFacts,
    learnDetail: (detail) => void learnt.push(detail),
  });
  const resolve = async (geoids: Iterable<string>) => shown(await directory.resolve(geoids));
  return { directory, resolve, log, learnt, documents, serviceFacts };
}

const shown = (resolutions: ReadonlyMap<string, Resolution>) =>
  Object.fromEntries(
    [...resolutions].map(([geoid, found]) => [geoid, found instanceof Failure ? found.kind : found.id]),
  );
const idOf = (geoid: string) => everyone.find((each) => each.geoid === geoid)?.id;
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "fulfilled",
    (failure: Failure) => failure.kind,
  );
/** How often each kind of request was sent. */
function counts(log: readonly string[]): Record<string, number> {
  const kinds = log.map((request) => request.split(" ")[0] ?? "");
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]),
  );
}
/** The lists that the directory looked for on disk. */
const listsRead = ({ read }: ReturnType<typeof device>) =>
  read.mock.calls.flatMap(([names]) => [...names]).filter((name) => name.startsWith("ahjs"));

const [ca = "", tx = ""] = ["06", "48"];

describe("the fewest requests", () => {
  it.each<[string, string[], Record<string, number>]>([
    ["two of them alone", geoidsIn(ca, 2), { geoid: 2 }],
    [
      "three of a state alone, once page 1 has told how many there are",
      geoidsIn(ca, 3),
      { page: 1, geoid: 3 },
    ],
    ["four by the pages of their state", geoidsIn(ca, 4), { page: 1, state_code: 2 }],
    ["five of two states alone", [...geoidsIn(ca, 3), ...geoidsIn(tx, 2)], { page: 1, geoid: 5 }],
    ["six of two by their states", [...geoidsIn(ca, 3), ...geoidsIn(tx, 3)], { page: 1, state_code: 4 }],
    [
      "three and a text of another form by all pages",
      [...geoidsIn(ca, 3), "utility-1"],
      { page: pages, geoid: 3 },
    ],
    [
      "three of each of 29 states by these",
      fips.slice(0, 29).flatMap((state) => geoidsIn(state, 3)),
      { page: 1, state_code: 58 },
    ],
    [
      "three of each of 30 states by all pages, which are as many",
      fips.slice(0, 30).flatMap((state) => geoidsIn(state, 3)),
      { page: pages },
    ],
  ])("are those that ask for %s", async (_, geoids, requests) => {
    const { resolve, log } = directoryOver({ collection: true });
    const resolutions = await resolve(geoids);
    for (const geoid of geoids) expect(resolutions[geoid], geoid).toBe(idOf(geoid) ?? "not-a-geoid");
    expect(counts(log)).toEqual(requests);
    // Known geoIDs cost no request.
    log.length = 0;
    expect(await resolve(geoids)).toEqual(resolutions);
    expect(log).toEqual([]);
  });

  it("take into account whether the filter is known to work", async () => {
    const { resolve, log } = directoryOver();
    await resolve(geoidsIn(ca, 4));
    log.length = 0;
    await resolve(geoidsIn(tx, 3));
    expect(counts(log)).toEqual({ state_code: 2 });
  });

  it.each([60, 61])("without a filter are all pages for as many geoIDs as these: %i", async (count) => {
    const { resolve, log } = directoryOver({ filter: null });
    await resolve(geoidsIn(ca, 4));
    // Each name of the filter was tried; then single requests were the cheapest way.
    expect(counts(log)).toEqual({ page: 1, state_code: 1, state: 1, state_codes: 1, states: 1, geoid: 4 });
    log.length = 0;
    await resolve(geoidsIn(tx, count));
    expect(counts(log)).toEqual(count < pages - 1 ? { geoid: 60 } : { page: pages - 1 });
  });

  it("don't ask again for AHJs whose list was read", async () => {
    const { directory, log } = directoryOver();
    const { ahjs, missing } = await directory.list("CA");
    expect([ahjs.length, missing]).toEqual([ofEachState, 0]);
    expect(counts(log)).toEqual({ page: 1, state_code: 2 });
    log.length = 0;
    expect((await directory.list("CA")).ahjs).toHaveLength(ofEachState);
    expect(log).toEqual([]);
    await directory.list("TX");
    expect(log).toEqual(["state_code TX 1", "state_code TX 2"]);
  });

  it("use the AHJ in the answer about one geoID for later questions", async () => {
    const { resolve, learnt, directory } = directoryOver();
    await resolve([geoidIn(ca, 5), "0699999"]);
    expect(learnt.map(({ id }) => id)).toEqual([idOf(geoidIn(ca, 5))]);
    expect(directory.resolved(geoidIn(ca, 5))).toMatchObject({ id: idOf(geoidIn(ca, 5)) });
    expect(directory.resolved("0699999")).toMatchObject({ kind: "unknown-jurisdiction" });
  });
});

describe("geoIDs that no list shows", () => {
  const namesake = ahj(40_000, "06001XX", "CA");
  const some = [ahj(1, "0600001"), ahj(2, "4800001"), { ...namesake, geoid: "0600009" }];

  it("outside the subscription may have an entitled namesake in their state's list", async () => {
    const { resolve, log } = directoryOver({ ahjs: some, denied: ["0600009"] });
    expect(await resolve(["0600009"])).toEqual({ "0600009": 40_000 });
    expect(log).toEqual(["geoid 0600009", "page 1", "state_code CA 1"]);
  });

  it("of another form are looked for in all pages, once a day, and never sent nor kept", async () => {
    const ahjs = [...some, ahj(50_000, "utility-1", "CA")];
    const { resolve, log, documents } = directoryOver({ ahjs });
    const own = [
      "123-45-6789",
      "P4ssw0rd",
      "4111111111111111",
      "INV-2026-00017",
      "555-0100",
      "99001",
      "600A",
    ];
    const refused = Object.fromEntries(own.map((text) => [text, "not-a-geoid"]));
    expect(await resolve([...own, "utility-1"])).toEqual({ ...refused, "utility-1": 50_000 });
    expect(await resolve(["0600001", "P4ssw0rd-2"])).toMatchObject({ "0600001": 1 });
    expect(log).toEqual(["page 1"]);
    expect(JSON.stringify(documents.write.mock.calls)).not.toMatch(/P4ssw0rd|6789|INV/);
  });

  it("of another form fail as the directory does, and nothing beside them does", async () => {
    const { resolve } = directoryOver({
      ahjs: some,
      fails: (request) => (request.startsWith("page") ? "service-error" : undefined),
    });
    expect(await resolve(["0600001", "P4ssw0rd"])).toEqual({ "0600001": 1, P4ssw0rd: "service-error" });
  });

  it.each([
    ["theirs", "CA"],
    ["the whole", undefined],
  ])("need no further list if %s was read", async (_, state) => {
    const { directory, resolve, log } = directoryOver({ ahjs: some, denied: ["0600077"] });
    await directory.list(state);
    log.length = 0;
    expect(await resolve(["0600077"])).toEqual({ "0600077": "outside-subscription" });
    expect(log).toEqual(["geoid 0600077"]);
  });

  it("need all pages if no filter works", async () => {
    const { resolve, log } = directoryOver({ ahjs: some, denied: ["0600009"], filter: null });
    expect(await resolve(["0600009"])).toEqual({ "0600009": 40_000 });
    expect(counts(log)).toMatchObject({ geoid: 1, page: 1, states: 1 });
  });

  it("are not called unknown because of any other failure that has words", async () => {
    const { resolve } = directoryOver({ fails: () => "service-error" });
    expect(await resolve(["0600001"])).toEqual({ "0600001": "service-error" });
  });

  describe("are told apart", () => {
    const absent = (count: number) => geoidsIn("08", count);

    it("one by one, if that costs no more than a collection", async () => {
      const ahjs = [ahj(70_000, null, "CA"), ...some];
      const { directory, resolve, log } = directoryOver({ ahjs, collection: true });
      await directory.load();
      log.length = 0;
      await resolve(absent(2));
      expect(counts(log)).toEqual({ geoid: 2 });
      log.length = 0;
      const [, , ...three] = absent(5);
      expect(new Set(Object.values(await resolve(three)))).toEqual(new Set(["unknown-jurisdiction"]));
      expect(log).toEqual(["collection of 4"]);
    });

    it("by no collection if nobody is entitled, or if there is no collection", async () => {
      for (const service of [{ ahjs: [], collection: true }, { ahjs: some }]) {
        const { directory, resolve, log } = directoryOver(service);
        await directory.load();
        log.length = 0;
        await resolve(absent(5));
        expect(counts(log)).toEqual({ geoid: 5 });
      }
    });

    it.each([20, 21])(
      "one by one only as long as they are few, with others or without: %i",
      async (count) => {
        const { directory, resolve, log } = directoryOver();
        await directory.list("CA");
        log.length = 0;
        const unlisted = geoidsIn(ca, count + 90_000).slice(90_000);
        const kinds = await resolve([...unlisted, "5600001", "5600002"]);
        const isFew = count <= config.singleLookups;
        expect(kinds["5600001"]).toBe(idOf("5600001"));
        expect(kinds[unlisted[0] ?? ""]).toBe(isFew ? "unknown-jurisdiction" : "unresolved-jurisdiction");
        expect(counts(log)).toEqual(isFew ? { state_code: 2, geoid: count } : { state_code: 2 });
      },
    );

    it("in no more requests than would be sent one by one", async () => {
      let most = 21;
      while (requestsToTellApart(absent(most + 50)) <= config.singleLookups) most += 50;
      const { directory, resolve, log } = directoryOver({ ahjs: some, collection: true });
      await directory.load();
      log.length = 0;
      expect(requestsToTellApart(absent(most))).toBe(config.singleLookups);
      expect(new Set(Object.values(await resolve(absent(most))))).toEqual(new Set(["unknown-jurisdiction"]));
      expect(counts(log)).toEqual({ collection: expect.any(Number) as number });
      log.length = 0;
      const more = geoidsIn("09", most + 50);
      expect(new Set(Object.values(await resolve(more)))).toEqual(new Set(["unresolved-jurisdiction"]));
      expect(log).toEqual([]);
    });

    it.each<[FormulaFailureKind, string]>([
      ["rate-limited", "rate-limited"],
      ["service-error", "unknown-jurisdiction"],
    ])("or, if a collection fails with %s, called %s", async (kind, outcome) => {
      const fails = (request: string) => (request.startsWith("collection") ? kind : undefined);
      const { directory, resolve, log } = directoryOver({ ahjs: some, collection: true, fails });
      await directory.load();
      log.length = 0;
      expect(new Set(Object.values(await resolve(absent(4))))).toEqual(new Set([outcome]));
      expect(counts(log)).toEqual({ collection: 1, ...(kind === "service-error" && { geoid: 4 }) });
    });
  });
});

describe("a directory that can't be had", () => {
  it("says so of every geoID, with the reason", async () => {
    const { resolve, directory } = directoryOver({ fails: () => "wrong-key" });
    const geoids = geoidsIn(ca, 10);
    expect(await resolve(geoids)).toEqual(Object.fromEntries(geoids.map((geoid) => [geoid, "wrong-key"])));
    expect(await kindOf(directory.load())).toBe("wrong-key");
    expect(await kindOf(directory.list("CA"))).toBe("wrong-key");
    expect(await kindOf(directory.list())).toBe("wrong-key");
  });

  it("throws nothing but that it was cancelled", async () => {
    for (const count of [1, 10]) {
      const stop = new AbortController();
      const { directory } = directoryOver({
        fails() {
          stop.abort();
          return "unreachable";
        },
      });
      expect(await kindOf(directory.resolve(geoidsIn(ca, count), { signal: stop.signal }))).toBe("cancelled");
    }
    const { directory } = directoryOver();
    expect(await kindOf(directory.resolve(geoidsIn(ca, 1), {}))).toBe("fulfilled");
    const isStopped = AbortSignal.abort();
    expect(await kindOf(directory.resolve(geoidsIn(ca, 1), { signal: isStopped }))).toBe("cancelled");
  });

  it.each<[FormulaFailureKind, boolean]>([
    ["unreachable", true],
    ["wrong-key", false],
  ])("gives way to yesterday's after %s: %s", async (kind, isOld) => {
    let isDown = false;
    const { directory, resolve } = directoryOver({ fails: () => (isDown ? kind : undefined) });
    const [one, absent] = [geoidIn(ca, 1), geoidIn(ca, 77_777)];
    expect(await resolve([one, absent])).toEqual({ [one]: idOf(one), [absent]: "unknown-jurisdiction" });
    await directory.list("CA");
    vi.setSystemTime(Date.now() + dayMs);
    isDown = true;
    // Yesterday's list, in which the geoID was missing, does not prove that it is missing today.
    expect(await resolve([one, absent])).toEqual({ [one]: isOld ? idOf(one) : kind, [absent]: kind });
    const list = await directory.list("CA").catch((failure: Failure) => failure.kind);
    expect(list).toEqual(isOld ? { ahjs: expect.any(Array) as Ahj[], missing: 0, isOld } : kind);
    expect(await kindOf(directory.list("TX"))).toBe(kind);
    expect(await kindOf(directory.load())).toBe(kind);
    expect(directory.byId(idOf(one) ?? 0)).toBeUndefined();
    expect(directory.formerById(idOf(one) ?? 0)).toMatchObject({ geoid: one });
  });

  it.each<[FormulaFailureKind, boolean]>([
    ["unreachable", true],
    ["wrong-key", false],
  ])("gives way to all that was read yesterday after %s: %s", async (kind, isOld) => {
    let isDown = false;
    const { directory } = directoryOver({ fails: () => (isDown ? kind : undefined) });
    await directory.load();
    vi.setSystemTime(Date.now() + dayMs);
    isDown = true;
    const whole = await directory.load().catch((failure: Failure) => failure.kind);
    expect(whole).toEqual(isOld ? { ahjs: everyone, missing: 0, isOld } : kind);
    const list = await directory.list("CA").catch((failure: Failure) => failure.kind);
    expect(list).toEqual(
      isOld ? { ahjs: everyone.filter((each) => each.state_code === "CA"), missing: 0, isOld } : kind,
    );
  });

  it("has no answer of yesterday if there was none", async () => {
    const { directory, resolve } = directoryOver({ fails: () => "unreachable" });
    expect(await resolve(["0600001"])).toEqual({ "0600001": "unreachable" });
    expect(directory.formerById(1)).toBeUndefined();
  });
});

describe("the AHJs of a list", () => {
  it("are told as they come to whoever wants to know, as long as the list is read", async () => {
    const { directory } = directoryOver();
    const told: DirectoryProgress[] = [];
    const loaded = await directory.load((progress) => told.push(progress));
    expect(loaded).toEqual({ ahjs: everyone, missing: 0, isOld: false });
    expect(told).toHaveLength(pages);
    expect(told[0]).toEqual({ loaded: config.pageSize, total: everyone.length });
    expect(told.at(-1)).toEqual({ loaded: everyone.length, total: everyone.length });
    vi.setSystemTime(Date.now() + dayMs);
    await directory.load();
    expect(told).toHaveLength(pages);
  });

  it("are known by their ids, and so is an AHJ that came with an answer", async () => {
    const { directory } = directoryOver();
    expect(directory.known()).toEqual([]);
    directory.learn([ahj(77_000, "0612345")]);
    expect(directory.byId(77_000)).toMatchObject({ geoid: "0612345" });
    expect(directory.known().map(({ id }) => id)).toEqual([77_000]);
    await directory.list("CA");
    expect(directory.known().length).toBeGreaterThan(ofEachState);
    expect(directory.byId(idOf(geoidIn(ca, 9)) ?? 0)).toMatchObject({ geoid: geoidIn(ca, 9) });
    expect((await directory.list()).ahjs).toEqual(everyone);
  });

  it.each([
    ["by the service's filter", "state_code"],
    ["where no filter works", null],
  ])("of a state are counted with those not listed, %s", async (_, filter) => {
    const hidden = everyone
      .filter((each) => each.state_code === "CA")
      .slice(0, 3)
      .map(({ id }) => id);
    const { directory, documents } = directoryOver({ filter, hidden });
    const { ahjs, missing } = await directory.list("CA");
    expect([ahjs.length, missing]).toEqual([ofEachState - 3, 3]);
    expect(ahjs.every((each) => each.state_code === "CA")).toBe(true);
    // An incomplete list is not kept.
    expect([...documents.kept.keys()].filter((name) => name.startsWith("ahjs"))).toEqual([]);
  });
});

describe("the directory that is kept on disk", () => {
  /** A device on which an earlier session has resolved these. */
  async function after(
    work: (session: ReturnType<typeof directoryOver>) => Promise<unknown>,
    service: Service = {},
  ) {
    const before = directoryOver(service);
    await work(before);
    for (const { read, write } of [before.documents, before.serviceFacts]) {
      read.mockClear();
      write.mockClear();
    }
    return [before.documents, before.serviceFacts] as const;
  }

  it("holds the list of a state, and the filter's name", async () => {
    const [documents, facts] = await after(({ directory }) => directory.list("CA"), { filter: "states" });
    expect([...documents.kept.keys()]).toEqual(["ahjs of CA"]);
    const { directory, log } = directoryOver({ filter: "states" }, documents, facts);
    expect((await directory.list("CA")).ahjs).toHaveLength(ofEachState);
    expect(log).toEqual([]);
    await directory.list("TX");
    expect(log).toEqual(["page 1", "states TX 1", "states TX 2"]);
    expect(documents.write.mock.calls.map(([name]) => name)).toEqual(["ahjs of TX"]);
  });

  it("holds the whole list, of which a state is a part", async () => {
    const kept = await after(({ directory }) => directory.load());
    const { directory, log, documents } = directoryOver({}, ...kept);
    expect((await directory.list("CA")).ahjs).toHaveLength(ofEachState);
    await directory.load();
    const reads = listsRead(documents).length;
    await directory.load();
    await directory.list("TX");
    expect(listsRead(documents)).toHaveLength(reads);
    expect(log).toEqual([]);
    expect(documents.write).not.toHaveBeenCalled();
  });

  it("is not written again by a session that only reads it", async () => {
    const kept = await after(({ directory }) => directory.load());
    const { directory, log, documents } = directoryOver({}, ...kept);
    expect((await directory.load()).ahjs).toHaveLength(everyone.length);
    expect(log).toEqual([]);
    expect(documents.write).not.toHaveBeenCalled();
  });

  it("is brought into memory before anybody asks, if that is wished", async () => {
    const kept = await after(({ directory }) => directory.load());
    const { directory } = directoryOver({}, ...kept);
    await directory.recall();
    expect(directory.known()).toHaveLength(everyone.length);
    expect(directory.resolved(geoidIn(ca, 3))).toMatchObject({ id: idOf(geoidIn(ca, 3)) });
  });

  it("is read for a few states alone, for more or none of them as a whole", async () => {
    const kept = await after(({ directory }) => directory.load());
    const partsFor = async (geoids: readonly string[]) => {
      const { resolve, log, documents } = directoryOver({}, ...kept);
      documents.read.mockClear();
      await resolve(geoids);
      expect(log.filter((request) => !request.includes("utility"))).toEqual([]);
      return listsRead(documents).filter((name) => /^ahjs whole .|^ahjs of/.test(name));
    };
    const five = fips.slice(0, 5).map((state) => geoidIn(state, 1));
    expect(await partsFor(five)).toHaveLength(5);
    expect(await partsFor([...five, geoidIn(tx, 1)])).toHaveLength(fips.length);
    expect(await partsFor([geoidIn(ca, 1), "utility-1"])).toHaveLength(fips.length);
    expect(await partsFor([])).toEqual([]);
  });

  it("is read once, and not at all for nobody", async () => {
    const { resolve, documents } = directoryOver();
    await resolve([]);
    expect(documents.read).not.toHaveBeenCalled();
    await resolve([geoidIn(ca, 1)]);
    const reads = listsRead(documents).length;
    await resolve([geoidIn(ca, 2)]);
    expect(listsRead(documents)).toHaveLength(reads);
  });

  it("holds the meaning of a single geoID, unless a list shows it", async () => {
    const { resolve, documents } = directoryOver({ denied: ["0677777"] });
    await resolve([geoidIn(ca, 1), "0688888"]);
    await resolve([...geoidsIn(tx, 10), "0677777"]);
    expect([...documents.kept.keys()].filter((name) => name.startsWith("geoid"))).toEqual([
      ...[`geoid ${geoidIn(ca, 1)}`, "geoid 0688888", "geoid 0677777"],
    ]);
    const later = directoryOver({}, documents);
    expect(await later.resolve([geoidIn(ca, 1), "0688888"])).toEqual({
      [geoidIn(ca, 1)]: idOf(geoidIn(ca, 1)),
      "0688888": "unknown-jurisdiction",
    });
    expect(later.log).toEqual([]);
  });

  it.each([500, 501])("is searched for single geoIDs as long as they are not too many: %i", async (count) => {
    const { resolve, documents } = directoryOver();
    await resolve(Array.from({ length: count }, (_, index) => `utility-${index}`));
    const looked = documents.read.mock.calls.flatMap(([names]) => [...names]);
    expect(looked.filter((name) => name.startsWith("geoid "))).toHaveLength(count === 500 ? 500 : 0);
  });

  it("counts for a day from its reading, single geoIDs and lists alike", async () => {
    for (const work of [
      ({ resolve }: ReturnType<typeof directoryOver>) => resolve([geoidIn(ca, 1)]),
      ({ directory }: ReturnType<typeof directoryOver>) => directory.list("CA"),
    ]) {
      const kept = await after(work);
      vi.setSystemTime(Date.now() + 20 * hourMs);
      const { directory, resolve, log } = directoryOver({}, ...kept);
      await resolve([geoidIn(ca, 1)]);
      expect(log).toEqual([]);
      vi.setSystemTime(Date.now() + 4 * hourMs - 1);
      expect(directory.resolved(geoidIn(ca, 1))).toBeDefined();
      vi.setSystemTime(Date.now() + 1);
      expect(directory.resolved(geoidIn(ca, 1))).toBeUndefined();
    }
  });

  it("serves longer if the service can't be asked: single geoIDs, lists, the whole", async () => {
    const works: ((session: ReturnType<typeof directoryOver>) => Promise<unknown>)[] = [
      ({ resolve }) => resolve([geoidIn(ca, 1)]),
      ({ directory }) => directory.list("CA"),
      ({ directory }) => directory.load(),
    ];
    for (const [index, work] of works.entries()) {
      const kept = await after(work);
      vi.setSystemTime(Date.now() + 2 * dayMs);
      const { directory, resolve } = directoryOver({ fails: () => "unreachable" }, ...kept);
      expect(await resolve([geoidIn(ca, 1)])).toEqual({ [geoidIn(ca, 1)]: idOf(geoidIn(ca, 1)) });
      expect(await kindOf(directory.list("CA"))).toBe(index === 0 ? "unreachable" : "fulfilled");
    }
  });

  it("gives no list of a state if only a part of an old whole list is there", async () => {
    const kept = await after(({ directory }) => directory.load());
    vi.setSystemTime(Date.now() + 2 * dayMs);
    const [documents, facts] = kept;
    documents.kept.delete("ahjs whole TX");
    const { directory, resolve } = directoryOver({ fails: () => "unreachable" }, documents, facts);
    expect(await resolve([geoidIn(ca, 1)])).toEqual({ [geoidIn(ca, 1)]: idOf(geoidIn(ca, 1)) });
    expect(await kindOf(directory.list("CA"))).toBe("unreachable");
  });
});
