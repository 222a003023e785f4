import type { Random } from "./random";
import {
  type Answer,
  cellKey,
  typesOf,
  type World,
  type WorldAhj,
  type WorldCollection,
  type WorldType,
} from "./world";

/** The content of an answer that has arrived, for one AHJ and type. */
export interface Statement {
  key: string;
  ahjId: number;
  typeId: number;
  /** The answer; null if the service said that there is no value. */
  answer: Answer | null;
  saidAtMs: number;
  arrivedAtMs: number;
}

/** A fault that kept the service from answering. */
export interface Trouble {
  key: string;
  kind: Fault | "limit" | "wrong-key" | "foreign";
  fromMs: number;
  toMs: number;
}

export const faults = [
  ...([
    "unreachable",
    "hang",
    "drop",
    "truncated",
    "html",
    "500",
    "502",
    "503",
    "429",
    "429-bare",
    "slow",
  ] as const),
];
export type Fault = (typeof faults)[number];

/** Formulas leave an endpoint alone for so long after requests without an answer (docs/reliability.md, "What is promised"). */
const unansweredPauseMs = 10_000;
const unanswered: ReadonlySet<Trouble["kind"]> = new Set(["unreachable", "hang", "drop", "502", "503"]);

export interface InventedService {
  fetch: typeof fetch;
  /** The service's statements about a cell that have arrived, in the order of arrival. */
  said(key: string, ahjId: number, typeId: number): readonly Statement[];
  troubles: readonly Trouble[];
  /** Rules of docs/interface.md that a client has broken. */
  complaints: string[];
  requests: number;
  /** Makes requests end with this fault from now on; null ends the fault. */
  begin(fault: Fault | null): void;
  /** Starts a page that knows nothing of the limits told before. */
  forgetLimits(): void;
  /** Closes all pages: they get no more answers. */
  closePages(): void;
}

interface Reply {
  status: number;
  body: unknown;
  says?: Said[];
  headers?: Record<string, string>;
}
type Said = { ahjId: number; typeId: number; answer: Answer | null };

/**
 * A service by docs/interface.md, in memory: written independently of the reference service. Its data may change between any two
 * requests; an answer holds the data of the time when it leaves the service, and arrives later.
 */
export function inventService(world: World, random: Random): InventedService {
  const said = new Map<string, Statement[]>();
  const troubles: Trouble[] = [];
  const complaints: string[] = [];
  const spent = new Map<string, { sinceMs: number; requests: number }>();
  /** Until when each client knows that it may not ask. */
  const told = new Map<string, number>();
  let fault: Fault | null = null;
  let pages = 0;
  const { variation } = world;
  const order = new Map([...world.ahjs.map(({ id }) => id)].map((id) => [id, random.next()]));
  const inItsOrder = <Item>(items: readonly Item[], idOf: (item: Item) => number) =>
    [...items].sort((one, other) => (order.get(idOf(one)) ?? 0) - (order.get(idOf(other)) ?? 0));

  const idSent = (id: number) => (variation.idsAsText && id % 2 === 0 ? String(id) : id);
  const extras = () => (variation.extras ? { note: "not in the interface", score: 3 } : {});
  const summary = ({ id, name, type, state_code, geoid }: WorldAhj) => ({
    ...{ id: idSent(id), name, type, state_code, geoid },
    ...extras(),
  });
  const detail = (ahj: WorldAhj) => ({ ...ahj, id: idSent(ahj.id), ...extras() });
  const typeSent = (type: WorldType) => ({ ...type, id: idSent(type.id), ...extras() });
  const dataPoint = (ahj: WorldAhj, type: WorldType, answer: Answer) => ({
    id: answer.id,
    ahj: summary(ahj),
    data_point_type: typeSent(type),
    value: answer.published.text,
    reference: answer.reference,
    section: answer.section,
    updated_at: new Date(answer.updatedAtMs)
      .toISOString()
      .replace(".000Z", variation.extras ? "+00:00" : "Z"),
  });
  const success = (data: unknown, warnings: object[] = []) => ({
    response_type: "success",
    description: "As asked.",
    data,
    ...(warnings.length > 0 && { warnings }),
  });
  const error = (status: number, code: string, description: string): Reply => ({
    status,
    body: { response_type: "error", description, error: code, status_code: status },
  });
  const denied = () => error(403, "AHJ_ACCESS_DENIED", "Outside of the subscription.");
  const invalid = (loc: string[], msg: string): Reply => ({
    status: 422,
    body: { detail: [{ loc, msg, type: "value_error" }] },
  });
  const warningOf = (excluded: number[], unmatched: string[]) => ({
    code: excluded.length > 0 ? "AHJ_ACCESS_DENIED" : "GEOID_NOT_FOUND",
    message: `${excluded.length} AHJs excluded, ${unmatched.length} geoIDs unmatched.`,
    excluded_ahj_ids: excluded,
    unmatched_geoids: unmatched,
  });

  function paged<Item>(items: readonly Item[], query: URLSearchParams, send: (item: Item) => unknown) {
    const asked = Number(query.get("page_size") ?? 50);
    const page = Number(query.get("page") ?? 1);
    if (!(asked >= 1 && asked <= 500) || !(page >= 1)) complaints.push(`page ${page} of ${asked}`);
    const size = Math.min(asked, variation.mostPerPage);
    return {
      shown: items.slice((page - 1) * size, page * size),
      list: {
        items: items.slice((page - 1) * size, page * size).map(send),
        pagination: {
          page,
          page_size: size,
          total: items.length,
          total_pages: Math.ceil(items.length / size),
        },
      },
    };
  }

  const idsIn = (text: string | null) => (text === null ? null : text.split(",").map(Number));

  /** Divides the asked ids into entitled, excluded and unknown ones. */
  function divided(ids: readonly number[], entitled: ReadonlySet<number>) {
    const known = [...new Set(ids)].filter((id) => world.ahjs.some((ahj) => ahj.id === id));
    return {
      allowed: inItsOrder(
        world.ahjs.filter(({ id }) => known.includes(id) && entitled.has(id)),
        ({ id }) => id,
      ),
      excluded: known.filter((id) => !entitled.has(id)),
    };
  }

  function resolve(geoid: string): WorldAhj | undefined {
    return world.ahjs.filter((ahj) => ahj.geoid === geoid).sort((one, other) => one.id - other.id)[0];
  }

  function values(ahjs: readonly WorldAhj[], types: readonly WorldType[]) {
    return ahjs.flatMap((ahj) =>
      types.map((type) => ({ ahj, type, answer: world.answers.get(cellKey(ahj.id, type.id)) ?? null })),
    );
  }

  /** The entries that a list's pages have shown since page 1 was read, as long as the totals agree. */
  const readings = new Map<string, { total: number; shown: Set<string> }>();

  /**
   * A page of a list of values says what its entries are, and that no other entry stands between them; the last page also says which
   * entries do not exist. If as many entries come as go between two pages, nobody can tell: all pages together then say that an entry on
   * none of them does not exist.
   */
  function listOfValues(ahjs: readonly WorldAhj[], types: readonly WorldType[], query: URLSearchParams) {
    const all = values(ahjs, types);
    const there = all.flatMap(({ ahj, type, answer }) => (answer ? [{ ahj, type, answer }] : []));
    const { shown, list } = paged(there, query, ({ ahj, type, answer }) => dataPoint(ahj, type, answer));
    const isLast = list.pagination.page >= list.pagination.total_pages;
    const placeOf = (one: (typeof there)[number] | undefined) =>
      all.findIndex(({ ahj, type }) => ahj === one?.ahj && type === one.type);
    const end = placeOf(shown.at(-1));
    const start = placeOf(there[there.findIndex((one) => one === shown[0]) - 1]) + 1;
    const { page, total } = list.pagination;
    const reading = JSON.stringify([ahjs.map(({ id }) => id), types.map(({ id }) => id)]);
    const before = page > 1 ? readings.get(reading) : undefined;
    const shownSoFar = new Set(before?.total === total ? before.shown : []);
    for (const { ahj, type } of shown) shownSoFar.add(cellKey(ahj.id, type.id));
    readings.set(reading, { total, shown: shownSoFar });
    const isAll = isLast && shownSoFar.size === total;
    const says = all.flatMap(({ ahj, type, answer }, place): Said[] => {
      const isHere = place >= start && place <= end;
      const cell = { ahjId: ahj.id, typeId: type.id };
      if (isHere || (isLast && !answer)) return [{ ...cell, answer }];
      return isAll && !shownSoFar.has(cellKey(ahj.id, type.id)) ? [{ ...cell, answer: null }] : [];
    });
    return { list, says };
  }

  function execute(
    collection: WorldCollection,
    ahjs: readonly WorldAhj[],
    query: URLSearchParams,
    warnings: object[],
  ): Reply {
    const { list, says } = listOfValues(ahjs, typesOf(world, collection), query);
    const named = { collection_id: collection.id, collection_name: collection.name };
    return { status: 200, body: success({ ...named, ...list }, warnings), says };
  }

  function handle(method: string, url: URL, body: Record<string, unknown> | null, key: string): Reply {
    const subscriber = world.subscribers.find((each) => each.key === key);
    if (!subscriber) return { status: 401, body: { detail: "Who is that?" } };
    const { entitled } = subscriber;
    const query = url.searchParams;
    const path = url.pathname.split("/").slice(1).map(decodeURIComponent);
    const route = `${method} ${path.slice(0, 3).join("/")}`;
    const visible = inItsOrder(
      world.ahjs.filter(({ id }) => entitled.has(id)),
      ({ id }) => id,
    );
    const collectionSent = (collection: WorldCollection) => ({
      ...collection,
      organization_id: "11111111-0000-4000-8000-000000000000",
      description: "Saved on the web",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-02T00:00:00Z",
    });
    const collectionOf = (id: string) => subscriber.collections.find((each) => each.id === id);

    if (route === "GET v1/ahjs" && path.length === 2) {
      const filter = variation.stateFilter === null ? null : query.get(variation.stateFilter);
      const others = [...query.keys()].filter(
        (name) => !["page", "page_size", variation.stateFilter].includes(name),
      );
      if (others.length > 0 && variation.otherParameters === "refused") {
        return invalid(["query", ...others], "unexpected parameter");
      }
      const listed = visible.filter(({ state_code }) => filter === null || state_code === filter);
      return { status: 200, body: success(paged(listed, query, summary).list) };
    }
    if (method === "GET" && path[1] === "ahjs") {
      const ahj = world.ahjs.find(({ id }) => String(id) === path[2]);
      if (!ahj) return error(404, "NOT_FOUND", "No such AHJ.");
      return entitled.has(ahj.id) ? { status: 200, body: success(detail(ahj)) } : denied();
    }
    if (method === "GET" && path[1] === "geoid") {
      const ahj = resolve(path[2] ?? "");
      if (!ahj) return error(404, "NOT_FOUND", "No such geoID.");
      if (!entitled.has(ahj.id)) return denied();
      if (path[3] !== "collections") return { status: 200, body: success(detail(ahj)) };
      const collection = collectionOf(path[4] ?? "");
      return collection
        ? execute(collection, [ahj], query, [])
        : error(variation.foreign, "NO_COLLECTION", "Not yours.");
    }
    if (route === "GET v1/data-points/types") {
      return { status: 200, body: success(paged(world.types, query, typeSent).list) };
    }
    if (route === "GET v1/data-points") {
      const asked = idsIn(query.get("ahj_ids"));
      const typeIds = idsIn(query.get("data_point_type_ids"));
      const { allowed, excluded } = asked ? divided(asked, entitled) : { allowed: visible, excluded: [] };
      if (asked && allowed.length === 0 && excluded.length > 0) return denied();
      const types = world.types.filter(({ id }) => typeIds?.includes(id) ?? true);
      const { list, says } = listOfValues(allowed, types, query);
      return { status: 200, body: success(list, excluded.length > 0 ? [warningOf(excluded, [])] : []), says };
    }
    if (route === "GET v1/categories") {
      return { status: 200, body: success(paged(world.categories, query, (category) => category).list) };
    }
    if (route === "GET v1/units-of-measure") {
      if (variation.noUnits) return error(404, "NOT_FOUND", "No such list.");
      const units = [...new Set(world.types.map((type) => type.unit_of_measure))].filter(
        (unit) => unit !== "",
      );
      return { status: 200, body: success({ items: units.map((name) => ({ name })) }) };
    }
    if (route === "POST v1/reports/matrix") return matrix(body, entitled);
    if (path[1] === "collections" && path.length === 2) {
      return { status: 200, body: success(paged(subscriber.collections, query, collectionSent).list) };
    }
    if (path[1] === "collections") {
      const collection = collectionOf(path[2] ?? "");
      if (!collection) return error(variation.foreign, "NO_COLLECTION", "Not yours.");
      if (path.length === 3) return { status: 200, body: success(collectionSent(collection)) };
      const geoids = query.get("geoids")?.split(",") ?? [];
      if (query.has("geoids") === query.has("ahj_ids")) complaints.push("exactly one of ahj_ids and geoids");
      const unmatched = geoids.filter((geoid) => !resolve(geoid));
      const ids = idsIn(query.get("ahj_ids")) ?? geoids.flatMap((geoid) => resolve(geoid)?.id ?? []);
      const { allowed, excluded } = divided(ids, entitled);
      if (allowed.length === 0 && excluded.length > 0) return denied();
      const warnings = excluded.length + unmatched.length > 0 ? [warningOf(excluded, unmatched)] : [];
      return execute(collection, allowed, query, warnings);
    }
    complaints.push(`no such endpoint: ${method} ${url.pathname}`);
    return error(404, "NOT_FOUND", "No such path.");
  }

  function matrix(body: Record<string, unknown> | null, entitled: ReadonlySet<number>): Reply {
    const [ahjIds, typeIds] = [body?.ahj_ids as number[], body?.data_point_type_ids as number[]];
    if (!Array.isArray(ahjIds) || !Array.isArray(typeIds) || ahjIds.length === 0 || typeIds.length === 0) {
      complaints.push("a matrix of nothing");
      return invalid(["body"], "field required");
    }
    const unknown = typeIds.filter((id) => !world.types.some((type) => type.id === id));
    if (unknown.length > 0 && variation.unknownTypes === "refused") {
      return invalid(["body", "data_point_type_ids"], "unknown data point type");
    }
    const { allowed, excluded } = divided(ahjIds, entitled);
    if (allowed.length === 0 && excluded.length > 0) return denied();
    const types = world.types.filter(({ id }) => typeIds.includes(id)).reverse();
    const cell = (answer: Answer | null) =>
      answer && { value: answer.published.text, reference: answer.reference, section: answer.section };
    const all = values(allowed, types);
    const rows = allowed.map((ahj) => ({
      ahj: summary(ahj),
      values: Object.fromEntries(
        all
          .filter((each) => each.ahj === ahj && (each.answer || variation.blank === "null"))
          .map(({ type, answer }) => [String(type.id), cell(answer)]),
      ),
    }));
    const report = { ahjs: allowed.map(summary), data_point_types: types.map(typeSent), rows };
    return {
      status: 200,
      body: success(report, excluded.length > 0 ? [warningOf(excluded, [])] : []),
      says: all.map(({ ahj, type, answer }) => ({ ahjId: ahj.id, typeId: type.id, answer })),
    };
  }

  /** The headers that say how much of the limit is left, and the refusal (a 429) if nothing is. */
  function limited(
    key: string,
    isFault: boolean,
  ): { refusal: Reply | null; headers: Record<string, string> } {
    const nowMs = Date.now();
    const { limit } = variation;
    const bodyOf429 = { status: 429, body: "Slow down." };
    if (fault === "429" && isFault) {
      const until = Math.ceil(nowMs / 1000) + random.whole(2, 30);
      const headers = {
        "Retry-After": String(until - Math.floor(nowMs / 1000)),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": String(until),
        Date: new Date(nowMs).toUTCString(),
      };
      return { refusal: { ...bodyOf429, headers }, headers };
    }
    if (fault === "429-bare" && isFault) return { refusal: bodyOf429, headers: {} };
    if (!limit) return { refusal: null, headers: {} };
    const window = spent.get(key);
    const current = window && nowMs < window.sinceMs + 60_000 ? window : { sinceMs: nowMs, requests: 0 };
    spent.set(key, current);
    const isOver = current.requests >= limit.perMinute;
    if (!isOver) current.requests += 1;
    const resetMs = current.sinceMs + 60_000;
    const headers: Record<string, string> = limit.isTold
      ? {
          "X-RateLimit-Remaining": String(limit.perMinute - current.requests),
          "X-RateLimit-Reset": String(Math.ceil(resetMs / 1000)),
          Date: new Date(nowMs).toUTCString(),
          ...(isOver && { "Retry-After": String(Math.ceil((resetMs - nowMs) / 1000)) }),
        }
      : {};
    return { refusal: isOver ? { ...bodyOf429, headers } : null, headers };
  }

  const fetch = (input: string, init: RequestInit): Promise<unknown> =>
    new Promise((settle, reject) => {
      const key = new Headers(init.headers).get("X-API-Key") ?? "";
      const url = new URL(input);
      const page = pages;
      const sentAtMs = Date.now();
      service.requests += 1;
      if (decodeURIComponent(input).includes(key) || String(init.body).includes(key))
        complaints.push("the key travels");
      // A key is checked apart from the session in force: neither knows the limits that the other was told.
      const isCheck = url.pathname === "/v1/ahjs" && url.searchParams.get("page_size") === "1";
      const asker = isCheck ? `check of ${key}` : key;
      if (sentAtMs < (told.get(asker) ?? 0)) {
        complaints.push(`${url.pathname} ${(told.get(asker) ?? 0) - sentAtMs} ms before the limit's reset`);
      }
      const { signal } = init;
      const aborted = () => {
        // The answer comes after longer than any client waits.
        if (Date.now() - sentAtMs >= 30_000) trouble("hang");
        reject(new DOMException("aborted", "AbortError"));
      };
      if (signal?.aborted) return aborted();
      signal?.addEventListener("abort", aborted, { once: true });

      const trouble = (kind: Trouble["kind"]): Trouble => {
        const leftAloneMs = unanswered.has(kind) ? unansweredPauseMs : 0;
        const happened = { key, kind, fromMs: sentAtMs, toMs: Date.now() + leftAloneMs };
        troubles.push(happened);
        return happened;
      };
      const isSlow = fault === "slow";
      const travelMs = () =>
        random.chance(isSlow ? 0.5 : 0.05)
          ? random.whole(1_000, isSlow ? 25_000 : 6_000)
          : random.whole(5, 300);
      setTimeout(() => {
        const here = fault;
        const saidAtMs = Date.now();
        if (here === "hang") return;
        if (here === "unreachable") {
          trouble("unreachable");
          return reject(new TypeError("Failed to fetch"));
        }
        const { refusal, headers } = limited(key, true);
        const body =
          typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : null;
        const status = here === "500" || here === "502" || here === "503" ? Number(here) : null;
        const reply: Reply =
          status !== null
            ? { status, body: "<h1>Sorry</h1>" }
            : (refusal ?? handle(init.method ?? "GET", url, body, key));
        const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
        const sent =
          here === "truncated"
            ? text.slice(0, text.length / 2)
            : here === "html"
              ? "<html>Sign in</html>"
              : text;
        setTimeout(() => {
          if (page !== pages || signal?.aborted) return;
          signal?.removeEventListener("abort", aborted);
          const isWhole = sent === text && here !== "drop" && reply.status === 200;
          if (here !== "html") {
            if (reply.status === 429) trouble("limit").toMs += 61_000;
            else if (reply.status === 401) trouble("wrong-key");
            else if (text.includes("NO_COLLECTION")) trouble("foreign");
          }
          // A refusal may be damaged on its way as well.
          if (here !== null && here !== "slow" && !isWhole) trouble(here);
          const all: Record<string, string> = { ...headers, ...reply.headers };
          const left = all["X-RateLimit-Remaining"];
          if (left === "0" && all["X-RateLimit-Reset"] !== undefined) {
            // The service's clock agrees with the client's to the second.
            const untilMs = Number(all["X-RateLimit-Reset"]) * 1000 - 1_000;
            told.set(asker, Math.max(told.get(asker) ?? 0, untilMs));
            trouble("limit").toMs = Number(all["X-RateLimit-Reset"]) * 1000 + 1_000;
          }
          const status = here === "html" ? 200 : reply.status;
          const body = () => {
            if (here === "drop") return Promise.reject(new TypeError("terminated"));
            if (isWhole)
              for (const each of reply.says ?? []) hear({ ...each, key, saidAtMs, arrivedAtMs: Date.now() });
            return Promise.resolve(sent);
          };
          settle({
            ...{ status, ok: status >= 200 && status < 300, headers: new Headers(all), text: body },
            arrayBuffer: async () => new TextEncoder().encode(await body()).buffer,
          });
        }, travelMs());
      }, travelMs());
    });

  function hear(statement: Statement) {
    const cell = `${statement.key} ${cellKey(statement.ahjId, statement.typeId)}`;
    const before = said.get(cell);
    if (before) before.push(statement);
    else said.set(cell, [statement]);
  }

  const service: InventedService = {
    fetch: fetch as typeof globalThis.fetch,
    said: (key, ahjId, typeId) => said.get(`${key} ${cellKey(ahjId, typeId)}`) ?? [],
    troubles,
    complaints,
    requests: 0,
    begin(next) {
      fault = next;
      // A fault of a limit ends by itself, since clients wait for as long as it lasts.
      if (next === "429" || next === "429-bare") setTimeout(() => fault === next && (fault = null), 600_000);
    },
    forgetLimits: () => told.clear(),
    closePages: () => void (pages += 1),
  };
  return service;
}
