import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { nginxConfiguration } from "../../deployment/nginx-configuration";
import { answerHeaders } from "../../deployment/relay";
import { startServer } from "../../deployment/file-server";
import { certificate } from "../../workbench/certificate";
import { addInFixture } from "./add-in-fixture";
import { ask, askInTinyChunks, type Question } from "./ask";
import { bytesBelow } from "./bytes-below";
import { type RunningNginx, startNginx } from "./start-nginx";
import { startUpstream, type Upstream } from "./upstream";

const { dist, folder } = addInFixture();
const address = { hostname: "regdata-for-excel.tools.a-company.test", folder: "/excel/" };
afterAll(() => rmSync(folder, { recursive: true }));

describe("answers that a company's nginx keeps", () => {
  const keptForMs = 4_000;
  const key = "the-company's-key";
  let upstream: Upstream;
  let nginx: RunningNginx;
  beforeAll(async () => {
    upstream = await startUpstream();
    nginx = await startNginx({ address, dist, service: upstream.baseUrl, cacheMinutes: keptForMs / 60_000 });
  }, 120_000);
  beforeEach(() => upstream.reset());
  afterAll(async () => {
    await nginx.stop();
    await upstream.close();
  });

  let questions = 0;
  /** A matrix that nobody has asked for yet. */
  const newMatrix = (): Question => ({
    port: nginx.port,
    path: "/v1/reports/matrix",
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ ahj_ids: [(questions += 1)], data_point_type_ids: [1003] }),
  });
  /** Each answer is another one, tells a limit, and comes with these headers. */
  const answerInTurn = (headers: Record<string, string> = {}, status = 200) => {
    let answers = 0;
    upstream.answerWith((request, response) => {
      request.resume();
      setTimeout(() => {
        response.writeHead(status, { "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1", ...headers });
        response.end(`answer ${(answers += 1)}`);
      }, 100);
    });
  };

  it("two hundred colleagues who ask the same with one key cost one request", async () => {
    answerInTurn();
    const question = newMatrix();
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(question)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set(["200 answer 1"]),
    );
    expect(upstream.asked.map(({ request }) => request)).toEqual(["POST /v1/reports/matrix"]);
  });

  it("another key, another body, another address is asked on its own", async () => {
    answerInTurn();
    const question = newMatrix();
    const page = (path: string): Question => ({ ...question, path, method: "GET", body: undefined });
    const others: Question[] = [
      question,
      { ...question, headers: { ...question.headers, "X-API-Key": `${key}2` } },
      { ...question, headers: {} },
      { ...question, body: newMatrix().body },
      { ...question, path: "/v1/reports/export" },
      page("/v1/ahjs?page=1"),
      page("/v1/ahjs?page=2"),
    ];
    const texts = [];
    for (const other of [...others, ...others]) texts.push((await ask(other)).body.toString());
    const first = others.map((_, at) => `answer ${at + 1}`);
    expect(texts).toEqual([...first, ...first]);
  });

  it("another type of body is asked on its own", async () => {
    answerInTurn();
    const question = newMatrix();
    const asText = { ...question, headers: { ...question.headers, "Content-Type": "text/plain" } };
    const texts = [];
    for (const each of [question, asText, question, asText]) texts.push((await ask(each)).body.toString());
    expect(texts).toEqual(["answer 1", "answer 2", "answer 1", "answer 2"]);
  });

  it("a body that nginx has laid into a file passes for no other", async () => {
    answerInTurn();
    const question = newMatrix();
    // The lengths of the chunks fill the memory that a body is read into.
    const body = (digit: string) => digit.repeat(700_000);
    const others = [
      { ...question, body: body("1") },
      { ...question, body: body("2") },
      { ...question, body: body("2"), headers: { ...question.headers, "X-API-Key": "another-key" } },
    ];
    const texts = [];
    for (const other of others) texts.push(/answer \d/.exec(await askInTinyChunks(other))?.[0]);
    expect(texts).toEqual(["answer 1", "answer 2", "answer 3"]);
  });

  it("nothing is kept, and nobody waits for another, where no digest can be made", async () => {
    const unable = await startNginx({
      address,
      dist,
      service: upstream.baseUrl,
      cacheMinutes: 1,
      answerCache: `export default {
        digest() { throw new Error("unable"); },
        tellAge() {},
      };`,
    });
    answerInTurn();
    const { port } = unable;
    const [one, other] = [newMatrix(), newMatrix()].map((question) => ({ ...question, port }));
    const texts = await Promise.all(
      [one, other, one, other].map(async (each) => (await ask(each!)).body.toString()),
    );
    expect(new Set(texts).size).toBe(4);
    expect(bytesBelow(join(unable.folder, "kept")).includes("answer")).toBe(false);
    await unable.stop();
  });

  it("an answer from here says how old it is, and nothing of a limit or clock that are past", async () => {
    answerInTurn({ Date: new Date(Date.now() - 2_000).toUTCString() });
    const question = newMatrix();
    const [asked, kept] = [await ask(question), await ask(question)];
    expect(asked.headers).toMatchObject({ "x-ratelimit-remaining": "59", "x-ratelimit-reset": "1" });
    expect(asked.headers.age).toBeUndefined();
    expect(Number(kept.headers.age)).toBeGreaterThanOrEqual(2);
    expect(Number(kept.headers.age)).toBeLessThanOrEqual(4);
    expect(Object.keys(kept.headers).filter((name) => /^(x-ratelimit|date)/.test(name))).toEqual([]);
    expect(kept.headers["cache-control"]).toBe(answerHeaders["Cache-Control"]);
  });

  it("is asked anew when its time is over", async () => {
    answerInTurn();
    const question = newMatrix();
    await ask(question);
    expect((await ask(question)).body.toString()).toBe("answer 1");
    await after(keptForMs + 1_100);
    expect((await ask(question)).body.toString()).toBe("answer 2");
  });

  it.each([
    ["an unknown key", 401, {}],
    ["no right", 403, {}],
    ["nothing there", 404, {}],
    ["too many requests", 429, { "Retry-After": "1" }],
    ["a fault", 500, {}],
    ["a redirect", 302, { Location: "/v1/units-of-measure" }],
    ["what the service wants kept by nobody", 200, { "Cache-Control": "private, no-store" }],
  ])("%s is not kept", async (_, status, headers) => {
    answerInTurn(headers, status);
    const question = newMatrix();
    expect((await ask(question)).status).toBe(status);
    expect((await ask(question)).body.toString()).toBe("answer 2");
  });

  it("is kept though the service thinks of other caches", async () => {
    answerInTurn({
      "Cache-Control": "private, max-age=0",
      Vary: "X-API-Key",
      "Set-Cookie": "a=b",
      Expires: "0",
    });
    const question = newMatrix();
    await ask(question);
    const { body, headers } = await ask(question);
    expect(body.toString()).toBe("answer 1");
    expect(headers["set-cookie"]).toBeUndefined();
  });

  it("is not kept when it broke off", async () => {
    upstream.answerWith((_, response) => {
      response.write("answer");
      setTimeout(() => response.destroy(), 50);
    });
    const question = newMatrix();
    await expect(ask(question)).rejects.toThrow();
    answerInTurn();
    expect((await ask(question)).body.toString()).toBe("answer 1");
  });

  it("is fetched to the end for the others when the first to ask has gone", async () => {
    answerInTurn();
    const question = newMatrix();
    const stop = new AbortController();
    const first = ask({ ...question, signal: stop.signal }).catch(() => "gone");
    await vi.waitFor(() => expect(upstream.asked).toHaveLength(1), { interval: 10 });
    const second = ask(question);
    stop.abort();
    expect(await first).toBe("gone");
    expect((await second).body.toString()).toBe("answer 1");
    expect(upstream.asked).toHaveLength(1);
  });

  it("neither the key nor the question can be read in what is kept", async () => {
    answerInTurn();
    const path = "/v1/geoid/a-marked-geoid";
    await ask({ port: nginx.port, path, headers: { "X-API-Key": key } });
    const kept = bytesBelow(join(nginx.folder, "kept"));
    expect(kept.includes("answer 1")).toBe(true);
    for (const secret of [key, "a-marked-geoid", "ahj_ids"]) expect(kept.includes(secret)).toBe(false);
    expect(bytesBelow(nginx.folder).includes(key)).toBe(false);
  });
});

describe("two add-ins in one nginx", () => {
  it.each([
    ["a-b.test", "a.b-test"],
    ["a-b.test", "a_b.test"],
    ["a.b.test", "a-b-test"],
  ])("%s and %s share no name", (one, other) => {
    const namesOf = (hostname: string) => {
      const settings = {
        address: { hostname, folder: "/" },
        service: "https://data.test",
        dist,
        listen: "443",
      };
      const rest = { certificate: null, trustedFile: "t", logFolder: "l" };
      const cache = { minutes: 1, megabytes: 1, folder: "f" };
      return new Set(nginxConfiguration({ ...settings, ...rest, cache }).match(/\bregdata_\w+/g));
    };
    const others = namesOf(other);
    expect([...namesOf(one)].filter((name) => others.has(name))).toEqual([]);
  });
});

describe("https", () => {
  let own: { key: string; cert: string };
  let upstream: Upstream;
  const files = { keyFile: join(folder, "key.pem"), certFile: join(folder, "cert.pem") };
  const page = { path: "/excel/taskpane.html" };
  const service = { path: "/v1/categories", headers: { "X-API-Key": "demo-national" } };
  beforeAll(async () => {
    own = await certificate(folder);
    upstream = await startUpstream(own);
  });
  beforeEach(() => upstream.reset());
  afterAll(() => upstream.close());

  it("is spoken by nginx, which then has browsers keep to it, and to a service whose certificate it can check", async () => {
    const { port, stop } = await startNginx({
      address,
      dist,
      service: upstream.baseUrl,
      certificate: files,
      trustedFile: files.certFile,
    });
    for (const question of [page, service]) {
      const { status, headers } = await ask({ port, isSecure: true, ...question });
      expect(status).toBe(200);
      expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    }
    expect(upstream.asked[0]?.headers.host).toBe(new URL(upstream.baseUrl).host);
    await stop();
  });

  it("a service whose certificate nobody vouches for never sees the key, neither from nginx", async () => {
    const { port, stop } = await startNginx({ address, dist, service: upstream.baseUrl });
    expect((await ask({ port, ...service })).status).toBe(502);
    expect(upstream.asked).toEqual([]);
    await stop();
  });

  it("nor from npm run serve, which speaks https too", async () => {
    const { port, close } = await startServer({
      ...address,
      dist,
      service: upstream.baseUrl,
      port: 0,
      certificate: own,
    });
    expect((await ask({ port, isSecure: true, ...page })).status).toBe(200);
    expect((await ask({ port, isSecure: true, ...service })).status).toBe(502);
    expect(upstream.asked).toEqual([]);
    await close();
  });
});
