import { createService } from "../../reference-service/service";
import type { QuirkName } from "../../reference-service/quirks/quirks";
import type { Interception } from "../recorded-service";
import { untilAborted } from "../recorded-service";
import { chosen, key } from "./operations";
import { type ExpectedOutcomes, fails, kept, older, type Outcome, partly, right } from "./outcomes";
import { type Fault, limitEndsAtMs } from "./run";

const service = createService();

/** Browsers give this same message for every cause. */
const refused = () => Promise.reject<Response>(new TypeError("Failed to fetch"));
const always =
  (answer: (request: Request) => Response | Promise<Response>) => (): Interception => (request) =>
    answer(request);
/** Disturbs only the first answers. */
const firstly =
  (times: number, answer: (request: Request) => Response | Promise<Response>) => (): Interception => {
    let sent = 0;
    return (request) => (sent++ < times ? answer(request) : undefined);
  };
const error = (status: number, name: string, description: string) =>
  Response.json({ response_type: "error", error: name, description }, { status });
const blank = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });
const html = (status: number) =>
  new Response("<!doctype html><title>Sign in</title><p>Welcome to the network.", {
    status,
    headers: { "Content-Type": "text/html" },
  });

/** The service's answer with its text changed. */
async function changed(request: Request, change: (text: string) => BodyInit): Promise<Response> {
  const answer = await service.fetch(request.clone());
  return new Response(change(await answer.text()), { status: answer.status, headers: answer.headers });
}

function broken(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new TypeError("network error"));
      isSent = true;
      controller.enqueue(new TextEncoder().encode(text.slice(0, text.length / 2)));
    },
  });
}

const secondsFromNow = (seconds: number) => String(Math.ceil(Date.now() / 1_000) + seconds);
const shown = () => ({ Date: new Date().toUTCString() });

/** A redirect, which fetch handles by the request's own policy: a request that follows it gets another host's values. */
async function redirected(request: Request): Promise<Response> {
  if (request.redirect === "error") return refused();
  return changed(request, (text) => text.replaceAll("NEC", "Elsewhere"));
}

const quirk = (name: QuirkName) => () => {
  const other = createService({ quirks: [name] });
  return (request: Request) => other.fetch(request.clone());
};

type List = { data: { items: unknown[]; pagination: Record<string, number> } };

/** Serves lists of values in small pages; `cut` says which of the items a page has, and the total. */
function inPages(
  cut: (items: unknown[], page: number, reading: number) => { items: unknown[]; total: number },
): () => Interception {
  return () => {
    const readings = new Map<string, number>();
    return async (request) => {
      const url = new URL(request.url);
      if (!/\/data$|\/v1\/data-points$/.test(url.pathname)) return undefined;
      const page = Number(url.searchParams.get("page"));
      url.searchParams.set("page", "1");
      const path = url.pathname;
      if (page === 1) readings.set(path, (readings.get(path) ?? 0) + 1);
      const answer = (await (await service.fetch(new Request(url, request))).json()) as List;
      const { items, total } = cut(answer.data.items, page, readings.get(path) ?? 1);
      const pagination = { page, page_size: pageSize, total, total_pages: Math.ceil(total / pageSize) };
      return Response.json({ ...answer, data: { ...answer.data, items, pagination } });
    };
  };
}
const pageSize = 5;
const pageOf = (items: unknown[], page: number, from = 0) =>
  items.slice((page - 1) * pageSize + from, page * pageSize + from);

/** Removes a record while page 1 is read, so that page 2 begins one record late. */
const shifting = (times: number) =>
  inPages((items, page, reading) => {
    const isShifted = page > 1 && reading <= times;
    return { items: pageOf(items, page, isShifted ? 1 : 0), total: items.length };
  });

/** Answers completely, but only just in time. */
const slow = (): Interception => async (request) => {
  const answer = await service.fetch(request.clone());
  return new Promise((resolve) => setTimeout(() => resolve(answer), 29_000));
};

/** Refuses requests until this time, as the headers say. */
function refusedUntil(untilMs: number): Response {
  const seconds = Math.ceil((untilMs - Date.now()) / 1_000);
  return blank(429, {
    ...shown(),
    "Retry-After": String(seconds),
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": String(untilMs / 1_000),
  });
}
const limited = (): Interception => {
  const untilMs = Date.now() + 20_000;
  return () => (Date.now() < untilMs ? refusedUntil(untilMs) : undefined);
};
const dayUsedUp = (): Interception => () => refusedUntil(limitEndsAtMs);
const unavailableFor20S = (): Interception => {
  const untilMs = Date.now() + 20_000;
  return () => {
    const seconds = Math.ceil((untilMs - Date.now()) / 1_000);
    return seconds > 0 ? blank(503, { ...shown(), "Retry-After": String(seconds) }) : undefined;
  };
};

/** The AHJs that a request names. */
async function ahjsOf(request: Request): Promise<number[]> {
  const query = new URL(request.url).searchParams.get("ahj_ids");
  if (query !== null) return query.split(",").map(Number);
  if (request.method !== "POST") return [];
  return ((await request.clone().json()) as { ahj_ids: number[] }).ahj_ids;
}

/** Refuses every request about more than one AHJ for its size. */
async function refusedForSize(request: Request): Promise<Response | undefined> {
  if ((await ahjsOf(request)).length <= 1) return undefined;
  return request.method === "POST" ? error(413, "TOO_LARGE", "Ask for less.") : html(414);
}

/** Refuses the first request about a single AHJ. */
async function refusedChunk(request: Request): Promise<Response | undefined> {
  const chunk = await ahjsOf(request);
  const of = await chosen();
  if (chunk.length > 1) return refusedForSize(request);
  const isFirst = [of.new[0], of.kept[0]].some((ahj) => ahj?.id === chunk[0]);
  return isFirst ? error(403, "AHJ_ACCESS_DENIED", "Outside.") : undefined;
}

/** The same outcome for all operations but freezing, which asks nothing of the service. */
function all(outcome: Outcome, except: Omit<ExpectedOutcomes, "all"> = {}): ExpectedOutcomes {
  return { all: outcome, freeze: right(), ...except };
}

/** Outcomes while the service cannot be asked: kept answers are shown, if there are any. */
function unavailable(
  outcome: Outcome,
  { again, ...except }: Omit<ExpectedOutcomes, "all"> & { again: Outcome },
) {
  const { waitsS = 0, requests = 0 } = outcome;
  return all(outcome, { known: older({ waitsS, requests }), again, ...except });
}

/** Outcomes in which types may be the cause, so that the add-in looks them up. */
function askingForTypes(outcome: Outcome) {
  const looking = { ...outcome, requests: 2 };
  return all(outcome, { matrix: looking, known: looking, refresh: looking });
}

/** Outcomes of a cut-off answer: a matrix is asked again in halves, twice, because it may be too large. */
function cutOff(status: number) {
  const halved = { waitsS: 3.5, requests: 13 };
  const failed = fails("service-error", { status, ...fourTimes });
  return unavailable(failed, {
    matrix: { ...failed, ...halved },
    known: older(halved),
    refresh: { ...failed, ...halved },
    again: older({ waitsS: 7, requests: 19 }),
  });
}

const fault = (
  name: string,
  intercept: () => Interception,
  expected: ExpectedOutcomes,
  lastsMs?: number,
): Fault => ({
  name,
  play() {
    let playing: Interception | undefined;
    return { begin: () => (playing = intercept()), intercept: (request) => playing?.(request) };
  },
  expected,
  ...(lastsMs && { lastsMs }),
});

const fourTimes = { waitsS: 3.5, requests: 4 };
const twiceFourTimes = older({ waitsS: 7, requests: 8 });
const nothingCame = "The service sent nothing for this table. Nothing was written.";
const outside = "This jurisdiction is outside your subscription.";
const listChanged = "The service's list changed while it was read.";
const seen = (text: string) => `The service says: “${text}”`;

const names = {
  new: ["Orange County", "San Diego County", "San Bernardino County"],
  kept: ["Alameda County", "Contra Costa County", "Los Angeles County"],
};
const outsideOf = (of: readonly string[]) => of.map((name) => `${name}: ${outside}`);

export const serviceFaults: Fault[] = [
  fault(
    "Refused connection, unknown host, bad certificate, no CORS",
    always(refused),
    unavailable(fails("unreachable", fourTimes), { again: twiceFourTimes }),
  ),
  fault("The first request fails", firstly(1, refused), all(right({ waitsS: 0.5, more: 1 }))),
  fault(
    "No answer",
    always(untilAborted),
    // A matrix is asked again in halves, twice, because it may be too large.
    unavailable(fails("timeout", { waitsS: 30 }), {
      matrix: fails("timeout", { waitsS: 90, requests: 6 }),
      known: older({ waitsS: 90, requests: 6 }),
      refresh: fails("timeout", { waitsS: 90, requests: 6 }),
      // Formulas have no time for both a matrix and its halves.
      again: older({ waitsS: 60, requests: 2 }),
    }),
  ),
  fault(
    "Each answer takes 29 s",
    slow,
    all(right({ waitsS: 29 }), {
      formula: right({ waitsS: 58 }),
      spill: right({ waitsS: 88 }),
      collection: right({ waitsS: 58 }),
      refresh: right({ waitsS: 88 }),
      again: right({ waitsS: 88 }),
    }),
  ),
  fault(
    "Breaks off in mid-answer",
    always((request) => changed(request, broken)),
    unavailable(fails("unreachable", fourTimes), { again: twiceFourTimes }),
  ),
  fault(
    "Truncated JSON",
    always((request) => changed(request, (text) => text.slice(0, text.length / 2))),
    all(fails("unexpected-answer")),
  ),
  fault(
    "A page of HTML with status 200",
    always(() => html(200)),
    all(fails("unexpected-answer")),
  ),
  fault(
    "JSON of another shape",
    always(() => Response.json({ response_type: "success", data: { hello: [key] } })),
    all(fails("unexpected-answer")),
  ),
  fault(
    "A redirect",
    always(redirected),
    unavailable(fails("unreachable", fourTimes), { again: twiceFourTimes }),
  ),
  fault(
    "401",
    always(() => error(401, "API_KEY_INVALID", `The key ${key} is not known.`)),
    all(fails("wrong-key")),
  ),
  fault(
    "401 without a body",
    always(() => blank(401)),
    all(fails("wrong-key")),
  ),
  fault(
    "403 to everything",
    always(() => blank(403)),
    all(fails("no-rights")),
  ),
  fault(
    "403 `AHJ_ACCESS_DENIED` to everything",
    always(() => error(403, "AHJ_ACCESS_DENIED", "Outside.")),
    all(fails("outside-subscription"), {
      formula: fails("outside-subscription", { requests: 2 }),
      matrix: partly([...outsideOf(names.new), nothingCame], { requests: 1 }),
      known: partly([...outsideOf(names.kept), nothingCame], { requests: 1 }),
      refresh: partly(outsideOf(names.kept), { requests: 1 }),
    }),
  ),
  fault(
    "403 `AHJ_ACCESS_DENIED` to one part of several",
    () => refusedChunk,
    all(partly(outsideOf(names.new.slice(0, 1)), { more: 5 }), {
      formula: kept(fails("outside-subscription", { requests: 2 })),
      spill: kept(fails("outside-subscription", { requests: 10 })),
      collection: partly(outsideOf(names.new.slice(0, 1)), { more: 2 }),
      known: partly(outsideOf(names.kept.slice(0, 1)), { more: 5 }),
      refresh: partly(outsideOf(names.kept.slice(0, 1)), { more: 7 }),
      again: fails("outside-subscription", { requests: 10 }),
    }),
  ),
  fault(
    "404 to everything",
    always(() => error(404, "NOT_FOUND", "Nothing here.")),
    all(fails("not-found", { detail: seen("Nothing here.") }), {
      formula: kept(fails("unknown-jurisdiction")),
    }),
  ),
  fault(
    "404 to everything, in HTML",
    always(() => html(404)),
    all(fails("not-found")),
  ),
  fault(
    "413 to everything",
    always(() => error(413, "TOO_LARGE", "Ask for less.")),
    all(fails("invalid-request", { status: 413, detail: seen("Ask for less.") }), {
      matrix: fails("invalid-request", { status: 413, detail: seen("Ask for less."), requests: 13 }),
      known: fails("invalid-request", { status: 413, detail: seen("Ask for less."), requests: 13 }),
      refresh: fails("invalid-request", { status: 413, detail: seen("Ask for less."), requests: 13 }),
    }),
  ),
  fault(
    "414 to everything",
    always(() => html(414)),
    askingForTypes(fails("invalid-request", { status: 414 })),
  ),
  fault(
    "413 or 414 to more than one jurisdiction",
    () => refusedForSize,
    all(right({ more: 5 }), {
      formula: right(),
      collection: right({ more: 2 }),
      refresh: right({ more: 9 }),
    }),
  ),
  fault(
    "422",
    always(() =>
      Response.json({ detail: [{ loc: ["body", "ahj_ids"], msg: `bad for ${key}` }] }, { status: 422 }),
    ),
    askingForTypes(fails("invalid-request", { status: 422, detail: seen("body.ahj_ids: bad for ••••") })),
  ),
  fault("429 with its headers, for 20 s", limited, all(right({ waitsS: 20, more: 1 }))),
  fault(
    "429 without headers, twice",
    firstly(2, () => html(429)),
    all(right({ waitsS: 3, more: 2 })),
  ),
  fault(
    "429 with a reset in the past, twice",
    firstly(2, () =>
      blank(429, { ...shown(), "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": secondsFromNow(-600) }),
    ),
    all(right({ waitsS: 3, more: 2 })),
  ),
  fault(
    "429, the day is used up",
    dayUsedUp,
    unavailable(fails("rate-limited", { detail: "It resets at 22:00." }), { again: older() }),
    10 * 3_600_000,
  ),
  fault(
    "500",
    always(() => error(500, "INTERNAL_ERROR", `It failed for ${key}.`)),
    unavailable(fails("service-error", { status: 500, detail: seen("It failed for ••••.") }), {
      again: older({ requests: 2 }),
    }),
  ),
  fault(
    "502",
    always(() => html(502)),
    cutOff(502),
  ),
  fault(
    "502 twice",
    firstly(2, () => html(502)),
    all(right({ waitsS: 1.5, more: 2 }), {
      // The matrix is asked again in parts.
      matrix: right({ more: 4 }),
      known: right({ more: 4 }),
      refresh: right({ more: 4 }),
    }),
  ),
  fault(
    "503",
    always(() => blank(503)),
    unavailable(fails("service-error", { status: 503, ...fourTimes }), { again: twiceFourTimes }),
  ),
  fault("503 with Retry-After, for 20 s", unavailableFor20S, all(right({ waitsS: 20, more: 1 }))),
  fault(
    "504",
    always(() => html(504)),
    cutOff(504),
  ),
  fault(
    "Pages shift while they are read",
    shifting(1),
    all(right(), { collection: right({ more: 15 }), refresh: right({ more: 3 }) }),
  ),
  fault(
    "Pages shift whenever they are read",
    shifting(Infinity),
    all(right(), { collection: partly(listChanged, { more: 15 }), refresh: right({ more: 3 }) }),
  ),
  fault(
    "The total grows while pages are read",
    inPages((items, page) => ({ items: pageOf(items, page), total: items.length + (page > 1 ? 2 : 0) })),
    all(right(), { collection: partly(listChanged, { more: 17 }), refresh: right({ more: 3 }) }),
  ),
  fault("Records come twice", quirk("duplicates"), all(right())),
  fault("Ids as texts", quirk("string-ids"), all(right())),
];
