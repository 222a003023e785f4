import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../src/errors";
import { decidedService, rateHeaders } from "./decided-service";
import {
  createTransport,
  type ExchangeOptions,
  type TransportDependencies,
} from "../../../src/engine/transport/exchange";

const key = "secret-key-0123456789";

/** A service that gives the answers in turn, and repeats the last one. */
function scripted(...given: (Partial<TransportDependencies> | (() => Response | Promise<Response>))[]) {
  const answers = given.filter((one) => typeof one === "function");
  const dependencies = given.filter((one) => typeof one === "object");
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch = vi.fn(async (url: string, init: RequestInit) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ url, init });
    init.signal?.throwIfAborted();
    return answer ? answer() : new Response();
  });
  const transport = createTransport(
    { baseUrl: "https://service.test", key },
    { fetch: fetch as unknown as typeof globalThis.fetch, random: () => 0.5, ...dependencies[0] },
  );
  const get = (options?: ExchangeOptions) => transport.send({ method: "GET", path: "/v1/ahjs" }, options);
  return { sent, get, transport };
}

const ok = () => new Response("{}", { status: 200 });
const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    new Response("", { status: code, headers });
const networkError = () => Promise.reject(new TypeError("Failed to fetch"));
const never = (signal?: AbortSignal) => (): Promise<Response> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));

/** The failure that a promise ends in. It listens from the start, so that fake timers may run first. */
function failureOf(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(
    () => Promise.reject(new Error("did not fail")),
    (thrown: unknown) => thrown as Failure,
  );
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-03-12T12:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a request", () => {
  it("carries the key in its header, to the address it was entered for, and refuses redirects", async () => {
    const { sent, get } = scripted(ok);
    await get();
    expect(sent[0]?.url).toBe("https://service.test/v1/ahjs");
    expect(sent[0]?.init).toMatchObject({
      method: "GET",
      redirect: "error",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    expect(Object.fromEntries(new Headers(sent[0]?.init.headers))).toEqual({
      accept: "application/json, text/csv",
      "x-api-key": key,
    });
    expect(new Request("https://service.test", sent[0]?.init).body).toBeNull();
  });

  it("sends its body as JSON", async () => {
    const { sent, transport } = scripted(ok);
    await transport.send({ method: "POST", path: "/v1/ahjs", body: { ahj_ids: [1, 2] } });
    const request = new Request("https://service.test", sent[0]?.init);
    expect(request.method).toBe("POST");
    expect(request.headers.get("Content-Type")).toBe("application/json");
    expect(await request.json()).toEqual({ ahj_ids: [1, 2] });
  });

  it("is not sent if only kept answers may be used", async () => {
    const { sent, get } = scripted(ok);
    expect((await failureOf(get({ keptOnly: true }))).kind).toBe("not-asked");
    expect(sent).toHaveLength(0);
  });

  it("gives back any answer with its status", async () => {
    const { get } = scripted(status(404));
    expect(await get()).toMatchObject({ status: 404, body: "" });
  });

  it("gives a file byte for byte, and the text of a refusal", async () => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0xff, 0x00, 0x41]);
    const { transport } = scripted(
      () => new Response(bytes),
      () => new Response("no such file", { status: 404 }),
    );
    const ask = () => transport.send({ method: "GET", path: "/v1/file", isFile: true });
    const good = await ask();
    expect([new Uint8Array(good.file ?? new ArrayBuffer()), good.body]).toEqual([bytes, ""]);
    const refused = await ask();
    expect([refused.file, refused.body, refused.status]).toEqual([undefined, "no such file", 404]);
  });

  it("gives no file if none is wanted", async () => {
    const { get } = scripted(() => new Response("text"));
    expect(await get()).toMatchObject({ body: "text" });
    expect((await get()).file).toBeUndefined();
  });

  it("is taken if its answer came whole, even late, but not if its caller has left or all were ended", async () => {
    const slow = () => {
      let finish = () => {};
      const { buffer } = new TextEncoder().encode("whole");
      const bytes = new Promise<ArrayBuffer>((resolve) => (finish = () => resolve(buffer)));
      const response = new Response();
      response.arrayBuffer = () => bytes;
      return { answer: () => response, finish };
    };
    const late = slow();
    const lateReply = scripted(late.answer).get();
    await vi.advanceTimersByTimeAsync(600_000);
    late.finish();
    expect((await lateReply).body).toBe("whole");

    const left = slow();
    const stop = new AbortController();
    const leftReply = failureOf(scripted(left.answer).get({ signal: stop.signal }));
    await vi.advanceTimersByTimeAsync(0);
    stop.abort();
    left.finish();
    expect(await leftReply).toMatchObject({ kind: "cancelled" });

    const ended = slow();
    const { get, transport } = scripted(ended.answer);
    const endedReply = failureOf(get());
    await vi.advanceTimersByTimeAsync(0);
    transport.endAll(new Failure("wrong-key"));
    ended.finish();
    expect(await endedReply).toMatchObject({ kind: "wrong-key" });
  });

  it("that waits for the limit ends with the failure that ends all requests", async () => {
    const { get, transport } = scripted(status(429, { "Retry-After": "30" }));
    const waiting = failureOf(get());
    await vi.advanceTimersByTimeAsync(1_000);
    transport.endAll(new Failure("no-rights"));
    expect(await waiting).toMatchObject({ kind: "no-rights" });
  });

  it("is not sent once the session has ended", async () => {
    const { get, sent } = scripted(ok, { signal: AbortSignal.abort() });
    expect(await failureOf(get())).toMatchObject({ kind: "cancelled" });
    expect(sent).toEqual([]);
  });

  it("keeps the browser's words about a network error for support", async () => {
    const { get } = scripted(networkError);
    const failure = failureOf(get());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await failure).toMatchObject({ kind: "unreachable", cause: { message: "Failed to fetch" } });
  });

  it("is tried three times more after network errors, each time later", async () => {
    const { sent, get } = scripted(networkError);
    const failure = failureOf(get());
    await vi.advanceTimersByTimeAsync(499);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toHaveLength(4);
    expect((await failure).kind).toBe("unreachable");
  });

  it.each([502, 503, 504])("is tried again after a %i", async (code) => {
    const { sent, get } = scripted(status(code), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(500);
    expect((await reply).status).toBe(200);
    expect(sent).toHaveLength(2);
  });

  it("is not tried again after a 502 or 504 if its caller would rather ask for less", async () => {
    for (const code of [502, 504]) {
      const { sent, get } = scripted(status(code), ok);
      expect((await get({ retryCutOff: false })).status).toBe(code);
      expect(sent).toHaveLength(1);
    }
    const { get } = scripted(status(503), ok);
    const reply = get({ retryCutOff: false });
    await vi.advanceTimersByTimeAsync(500);
    expect((await reply).status).toBe(200);
  });

  it.each(["20x", "x20", "1.5x", "soon", "Thu, 12 Mar 2026 11:59:00 GMT"])(
    "is tried again as usual if a 503 asks for %s",
    async (retryAfter) => {
      const { sent, get } = scripted(status(503, { "Retry-After": retryAfter }), ok);
      const reply = get();
      await vi.advanceTimersByTimeAsync(499);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await reply).status).toBe(200);
    },
  );

  it("is given up after three more tries, with the last answer", async () => {
    const { sent, get } = scripted(status(503));
    const reply = get();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await reply).status).toBe(503);
    expect(sent).toHaveLength(4);
  });

  it("is given up when its tries together would take longer than a minute", async () => {
    const { sent, get } = scripted(status(503, { "Retry-After": "31" }));
    const reply = get();
    await vi.advanceTimersByTimeAsync(31_000);
    expect((await reply).status).toBe(503);
    expect(sent).toHaveLength(2);
  });

  it("is tried again no sooner than a 503 asks for, and not at all if that is too late", async () => {
    const { sent, get } = scripted(status(503, { "Retry-After": "20" }), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await reply).status).toBe(200);

    const latest = scripted(status(503, { "Retry-After": "60" }), ok);
    const inTime = latest.get({ giveUpAtMs: Date.now() + 60_000 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await inTime).status).toBe(200);
    const late = scripted(status(503, { "Retry-After": "61" }), ok);
    expect((await late.get()).status).toBe(503);
    const impatient = scripted(status(503, { "Retry-After": "20" }), ok);
    expect((await impatient.get({ giveUpAtMs: Date.now() + 10_000 })).status).toBe(503);
    expect([...late.sent, ...impatient.sent]).toHaveLength(2);
  });

  it("is not tried again after a 500", async () => {
    const { sent, get } = scripted(status(500), ok);
    expect((await get()).status).toBe(500);
    expect(sent).toHaveLength(1);
  });

  it("ends as timeout when no answer comes", async () => {
    const fetch = vi.fn((_url: string, init: RequestInit) => never(init.signal ?? undefined)());
    const transport = createTransport(
      { baseUrl: "https://service.test", key },
      { fetch: fetch as unknown as typeof globalThis.fetch },
    );
    const failure = failureOf(transport.send({ method: "GET", path: "/v1/ahjs" }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await failure).kind).toBe("timeout");
  });

  it("can be cancelled while it is under way, waiting for a retry, and waiting for a limit", async () => {
    for (const answer of [networkError, status(429, { "Retry-After": "30" })]) {
      const stop = new AbortController();
      const { sent, get } = scripted(answer);
      const failure = failureOf(get({ signal: stop.signal }));
      await vi.advanceTimersByTimeAsync(10);
      stop.abort();
      expect((await failure).kind).toBe("cancelled");
      expect(sent).toHaveLength(1);
    }
    const stop = new AbortController();
    const fetch = vi.fn((_url: string, init: RequestInit) => never(init.signal ?? undefined)());
    const transport = createTransport(
      { baseUrl: "https://service.test", key },
      { fetch: fetch as unknown as typeof globalThis.fetch },
    );
    const failure = failureOf(transport.send({ method: "GET", path: "/" }, { signal: stop.signal }));
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    expect((await failure).kind).toBe("cancelled");
  });

  it("is answered, but not sent again, if the limit is the reason for which nobody waits for it any more", async () => {
    const { send, sent, ends, request } = decidedService();
    const stop = new AbortController();
    await send(["answered"], { signal: stop.signal });
    await request("answered").answer(rateHeaders(5, 60));
    await send(["counted", "late"], { signal: stop.signal });
    stop.abort(new Failure("rate-limited"));
    await send(["after"], { signal: stop.signal });
    for (const path of ["counted", "late"]) expect(sent.map((one) => one.path)).toContain(path);
    await request("counted").answer(rateHeaders(4, 60));
    await request("late").answer({ "Retry-After": "1" }, 429);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends.counted).toMatchObject({ status: 200 });
    expect(ends.late).toMatchObject({ kind: "cancelled" });
    expect(ends.after).toMatchObject({ kind: "cancelled" });
    expect(sent.filter(({ path }) => path === "late" || path === "after")).toHaveLength(1);
  });

  it("adds one listener to a signal that many share, and leaves none on its caller's signal", async () => {
    const [own, session] = [new AbortController(), new AbortController()];
    const listeners = () => [own, session].map(({ signal }) => getEventListeners(signal, "abort").length);
    const { sent, get } = scripted({ signal: session.signal }, networkError, ok);
    const ends = Array.from({ length: 40 }, () => get({ signal: own.signal }));
    expect(listeners()).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all(ends);
    expect(sent).toHaveLength(41);
    // The session ends with its transport.
    expect(listeners()).toEqual([0, 1]);
  });

  it("leaves no timer behind", async () => {
    const { get } = scripted(networkError, status(503), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await reply).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never has its key in a failure", async () => {
    const { get } = scripted(networkError);
    const failure = failureOf(get());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(JSON.stringify(await failure) + String(await failure)).not.toContain(key);
  });
});

describe("a 429 answer", () => {
  const resetIn = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);

  it("waits for Retry-After or X-RateLimit-Reset, whichever ends later", async () => {
    const { sent, get } = scripted(
      () => status(429, { "Retry-After": "5", "X-RateLimit-Reset": resetIn(20) })(),
      ok,
    );
    const reply = get();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await reply).status).toBe(200);
  });

  it.each([
    ["1.25", 1_250],
    ["Thu, 12 Mar 2026 12:00:07 GMT", 7_000],
    // The header is too short a pause, over already, or unreadable: then the client chooses the pause.
    ["0.2", 1_000],
    ["0", 1_000],
    ["Thu, 12 Mar 2026 11:59:00 GMT", 1_000],
    ["soon", 1_000],
    ["x20", 1_000],
    ["20x", 1_000],
  ])("with a Retry-After of %s waits %d ms", async (retryAfter, waitMs) => {
    const { sent, get } = scripted(status(429, { "Retry-After": retryAfter }), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await reply).status).toBe(200);
  });

  it("reads a Retry-After date against the service's own clock", async () => {
    const date = (offsetS: number) => new Date(Date.now() + 3_600_000 + offsetS * 1_000).toUTCString();
    const { sent, get } = scripted(status(429, { Date: date(0), "Retry-After": date(7) }), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(6_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await reply;
  });

  it("holds back every request of the same connection", async () => {
    const { sent, get } = scripted(status(429, { "Retry-After": "10" }), ok);
    const first = get();
    await vi.advanceTimersByTimeAsync(0);
    const second = get();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([first, second]);
    expect(sent).toHaveLength(3);
  });

  it("fails at once if the limit ends later than the caller can wait", async () => {
    const { get } = scripted(status(429, { "Retry-After": "61" }));
    const failure = failureOf(get({ giveUpAtMs: Date.now() + 60_000 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(await failure).toMatchObject({ kind: "rate-limited", untilMs: Date.now() + 61_000 });
    expect((await failure).message).toContain(
      new Date(Date.now() + 61_000).toLocaleTimeString(undefined, { timeStyle: "short" }),
    );
  });

  it("backs off 1, 2, 4 seconds if no header can be read", async () => {
    const { sent, get } = scripted(status(429), status(429), status(429), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(4_000);
    expect((await reply).status).toBe(200);
  });

  it("reads a reset against the service's own clock", async () => {
    // The service's clock is an hour ahead of ours.
    const ahead = new Date(Date.now() + 3_600_000);
    const headers = { Date: ahead.toUTCString(), "X-RateLimit-Reset": String(ahead.getTime() / 1000 + 7) };
    const { sent, get } = scripted(status(429, headers), ok);
    const reply = get();
    await vi.advanceTimersByTimeAsync(6_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await reply;
  });

  it("tells the caller that it waits, and until when", async () => {
    const { get } = scripted(status(429, { "Retry-After": "3" }), ok);
    const onWait = vi.fn();
    const startMs = Date.now();
    const reply = get({ onWait });
    await vi.advanceTimersByTimeAsync(3_000);
    await reply;
    expect(onWait).toHaveBeenCalledExactlyOnceWith(startMs + 3_000);
  });
});

describe("a text of the service", () => {
  it("is shown without the key, however it is written", async () => {
    const secret = "key/with+signs=";
    const transport = createTransport({ baseUrl: "https://service.test", key: secret }, { fetch });
    const forms = [secret, encodeURIComponent(secret), btoa(secret), secret];
    const withoutKey = await transport.masking();
    expect(withoutKey(`Not known: ${forms.join(", ")}!`)).toBe("Not known: ••••, ••••, ••••, ••••!");
  });
});
