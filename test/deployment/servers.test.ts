import { once } from "node:events";
import { connect } from "node:net";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/engine/api/client";
import { endpoints } from "../../src/engine/api/endpoints";
import { readAddInAddress } from "../../deployment/addin-address";
import { fileHeaders, headersOf } from "../../deployment/file-headers";
import { startServer } from "../../deployment/file-server";
import { createTransport } from "../../src/engine/transport/exchange";
import { addInFixture, hashedScript } from "./add-in-fixture";
import { ask, begin, type Question } from "./ask";
import { bytesBelow } from "./bytes-below";
import { startNginx } from "./start-nginx";
import { startUpstream, type Upstream } from "./upstream";

const key = "demo-national";
const markedKey = "a-key-that-must-not-be-written-anywhere";

const hexOf = (header: unknown) => Buffer.from(String(header), "latin1").toString("hex");

const linesOf = (written: Buffer) => written.toString().split("\n").filter(Boolean);

/** The lines that were added since `before`; lines of other files may stand before and after them. */
function without(before: readonly string[], lines: readonly string[]): string[] {
  const old = [...before];
  return lines.filter((line) => {
    const at = old.indexOf(line);
    if (at >= 0) old.splice(at, 1);
    return at < 0;
  });
}

/** Texts like keys: in other case, longer than many programs read, and with bytes that are no UTF-8 or stand for such bytes. */
const likeKeys = [
  "Key-of-Somebody-0123456789-0123456789",
  "key-of-somebody-0123456789-0123456789",
  "key-of-somebody-0123456789-012345678",
  "key-of-somebody-0123456789-0123456780",
  ...["6b6579ff", "6b6579fe", "6b6579efbfbd"].map((hex) => Buffer.from(hex, "hex").toString("latin1")),
];

/** Request headers that identify the asker, with values that can be found again. */
const sayingWhoAsks = {
  Authorization: "Bearer of-somebody",
  "Proxy-Authorization": "Basic of-somebody",
  Cookie: "session=of-somebody",
  Origin: "https://somebody.test",
  Referer: "https://somebody.test/excel/taskpane.html",
  "User-Agent": "Excel of somebody",
  "Accept-Language": "de-somebody",
  "Accept-Charset": "somebody",
  "X-Forwarded-For": "somebody",
  "X-Real-IP": "somebody",
  Forwarded: "for=somebody",
  Via: "1.1 somebody",
  From: "somebody",
  DNT: "somebody",
  Range: "somebody=0-3",
  "If-None-Match": '"somebody"',
  "Sec-CH-UA": "somebody",
  "X-Requested-With": "somebody",
  "X-Of-Somebody": "somebody",
};

/**
 * Answer headers that would act on the browser in the name of the server: the ones of the security review of 23 November 2026, and others
 * of their kind.
 */
const actingOnBrowsers = {
  "Set-Cookie": "session=1",
  "Set-Cookie2": "session=1",
  "Clear-Site-Data": '"*"',
  "Cache-Control": "public, max-age=3600",
  Expires: "Thu, 01 Jan 2099 00:00:00 GMT",
  Pragma: "cache",
  ETag: '"of-the-service"',
  "Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT",
  Vary: "*",
  "Strict-Transport-Security": "max-age=1; includeSubDomains",
  "Alt-Svc": 'h3="other.test:443"; ma=86400',
  "Public-Key-Pins": 'pin-sha256="x"; max-age=5',
  "Expect-CT": 'max-age=1, report-uri="https://other.test"',
  NEL: '{"report_to":"x","max_age":9999999}',
  "Report-To": '{"group":"x","max_age":9999999,"endpoints":[{"url":"https://other.test/r"}]}',
  "Reporting-Endpoints": 'default="https://other.test/r"',
  "Content-Security-Policy": "default-src 'none'; report-uri https://other.test/",
  "Content-Security-Policy-Report-Only": "default-src 'none'; report-uri https://other.test/",
  "Referrer-Policy": "unsafe-url",
  "Service-Worker-Allowed": "/",
  "Access-Control-Allow-Origin": "https://other.test",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Allow-Headers": "X-Any",
  "Access-Control-Allow-Methods": "DELETE",
  "Access-Control-Allow-Private-Network": "true",
  "Access-Control-Expose-Headers": "X-Any",
  "Access-Control-Max-Age": "86400",
  "Timing-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Cross-Origin-Opener-Policy": "unsafe-none",
  "Cross-Origin-Embedder-Policy": 'require-corp; report-to="x"',
  "X-Frame-Options": "DENY",
  "WWW-Authenticate": 'Basic realm="enter your API key"',
  "Proxy-Authenticate": 'Basic realm="enter your API key"',
  "X-Accel-Redirect": "/excel/taskpane.html",
  Link: "<https://other.test/x>; rel=preload",
  Refresh: "0; url=https://other.test/",
  SourceMap: "https://other.test/m",
  "Speculation-Rules": '"https://other.test/rules.json"',
  "Origin-Trial": "token",
  "Permissions-Policy": "camera=*",
  "Document-Policy": "x",
  "Accept-CH": "Sec-CH-UA-Model",
  Server: "of-the-service",
};
const fixture = addInFixture();
const address = await readAddInAddress(fixture.dist);
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await upstream.close();
  rmSync(fixture.folder, { recursive: true });
});

interface Running {
  port: number;
  /** Everything that the server has written. */
  written(): Buffer;
  stop(): Promise<void>;
}

const servers: {
  name: string;
  /** The log lines of three requests: to an endpoint, to a path without one, to a file. */
  noted: RegExp[];
  start(service: string): Promise<Running>;
}[] = [
  {
    name: "nginx",
    noted: ["/v1/ahjs 200", "/v1/admin 404", "/excel/taskpane.html 200"].map(
      (each) => new RegExp(`^127\\.0\\.0\\.1 \\d{4}-\\d\\d-\\d\\dT[\\d:+-]+ GET ${each} \\d+ [\\d.]+$`),
    ),
    async start(service) {
      const { port, folder, stop } = await startNginx({ address, dist: fixture.dist, service });
      const written = () => bytesBelow(folder);
      // The question that showed that it runs is written down after its answer.
      await vi.waitFor(() => expect(written().includes("GET / 404")).toBe(true));
      return { port, stop, written };
    },
  },
  {
    name: "npm run serve",
    noted: [],
    async start(service) {
      // Spies of Vitest would be gone before the first test begins.
      const said: string[] = [];
      const { stdout, stderr } = process;
      const listened = [
        ...[stdout, stderr].map((stream) => {
          const { write } = stream;
          stream.write = (text) => said.push(String(text)) > 0;
          return () => void (stream.write = write);
        }),
        ...(["log", "info", "warn", "error"] as const).map((level) => {
          const { [level]: before } = console;
          console[level] = (...words) => void said.push(words.join(" "));
          return () => void (console[level] = before);
        }),
      ];
      const { port, close } = await startServer({
        ...address,
        service,
        dist: fixture.dist,
        port: 0,
        certificate: null,
      });
      return {
        port,
        written: () => Buffer.from(said.join("\n")),
        async stop() {
          for (const end of listened) end();
          await close();
        },
      };
    },
  },
];

describe.each(servers)("$name", ({ start, noted }) => {
  let server: Running;
  beforeAll(async () => {
    server = await start(upstream.baseUrl);
  }, 120_000);
  afterAll(() => server.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    ask({ port: server.port, path, headers });
  const askService = (question: Partial<Question>) =>
    ask({
      port: server.port,
      path: "/v1/categories",
      ...question,
      headers: { "X-API-Key": key, ...question.headers },
    });

  describe("the add-in's files", () => {
    it.each([
      ["taskpane.html", /^text\/html/],
      ["manifest.xml", /^(text|application)\/xml/],
      ["functions.json", /^application\/json/],
      ["help/help.css", /^text\/css/],
      ["assets/icon-32.png", /^image\/png/],
      [hashedScript, /^(text|application)\/javascript/],
    ])("%s comes whole, with its type and the headers that file-headers.ts lists", async (name, type) => {
      const { status, headers, body } = await get(`/excel/${name}`);
      expect(status).toBe(200);
      expect(body).toEqual(readFileSync(join(fixture.dist, name)));
      expect(headers["content-type"]).toMatch(type);
      const listed = new Map(headersOf(`/excel/${name}`));
      for (const rule of fileHeaders) {
        expect(headers[rule.name.toLowerCase()], rule.name).toBe(listed.get(rule.name));
      }
      // Excel on the web shows the page in a frame.
      expect(headers["x-frame-options"]).toBeUndefined();
      expect(headers["content-security-policy"]).not.toContain("frame-ancestors");
    });

    it("a hashed script is kept for a year; a file without a hash is asked for again, unchanged in few bytes", async () => {
      const caching = async (name: string) => (await get(`/excel/${name}`)).headers["cache-control"];
      expect(await caching(hashedScript)).toBe("public, max-age=31536000, immutable");
      for (const name of ["taskpane.html", "functions.json", "manifest.xml", "library.js", "help/help.css"]) {
        expect(await caching(name)).toBe("no-cache");
      }
      expect((await get("/excel/gone.0a1b2c3d.js")).headers["cache-control"]).toBeUndefined();

      const { etag = "" } = (await get("/excel/taskpane.html")).headers;
      const again = await get("/excel/taskpane.html", { "If-None-Match": etag });
      expect(again.status).toBe(304);
      expect(again.body).toHaveLength(0);
    });

    it("functions.json and shortcuts.json alone may be read by Excel's own page", async () => {
      const allowed = async (name: string) =>
        (await get(`/excel/${name}`, { Origin: "https://excel.officeapps.live.com" })).headers[
          "access-control-allow-origin"
        ];
      expect(await allowed("functions.json")).toBe("*");
      expect(await allowed("shortcuts.json")).toBe("*");
      expect(await allowed("taskpane.html")).toBeUndefined();
    });

    it("scripts are compressed for browsers that take it", async () => {
      const { headers, body } = await get(`/excel/${hashedScript}`, { "Accept-Encoding": "gzip" });
      const built = readFileSync(join(fixture.dist, hashedScript));
      expect(headers["content-encoding"]).toBe("gzip");
      expect(headers.vary).toMatch(/accept-encoding/i);
      expect(body.length).toBeLessThan(built.length / 4);
      expect(gunzipSync(body)).toEqual(built);
    });

    it.each([
      "/",
      "/taskpane.html",
      "/excel/",
      "/excel/help/",
      "/excel/nothing.html",
      "/secret.txt",
      "/excel/../secret.txt",
      "/excel/../../secret.txt",
      "/excel/%2e%2e/secret.txt",
      "/excel/..%2fsecret.txt",
    ])("there is nothing at %s", async (path) => {
      const { status, body } = await get(path);
      expect([400, 403, 404]).toContain(status);
      expect(body.toString()).not.toContain("secret");
    });
  });

  it.each(["/excel", "/excel/help", "/excel/assets", "/v1", "/excel/nothing", "/v1/nothing"])(
    "says nothing at %s of the host that the request claims, and sends nobody there",
    async (path) => {
      const { headers, body } = await get(path, { Host: "claimed.test" });
      expect(JSON.stringify(headers) + body.toString()).not.toContain("claimed.test");
      expect(headers.location ?? `${path}/`).toBe(`${path}/`);
    },
  );

  describe("the service behind it", () => {
    it("answers all fourteen endpoints as if asked directly", async () => {
      const asked = async (baseUrl: string) => {
        upstream.reset();
        const client = createClient(createTransport({ baseUrl, key }, { fetch }));
        const geoid = "06001";
        const ahj_id = (await client.resolveGeoid({ geoid })).data.id;
        const collection_id = (await client.listCollections({})).data.items[0]?.id ?? "";
        const question = { ahj_ids: [ahj_id], data_point_type_ids: [1003, 1012] };
        const answers = {
          listAhjs: await client.listAhjs({ state: "CA", page: 2, page_size: 5 }),
          getAhj: await client.getAhj({ ahj_id }),
          resolveGeoid: await client.resolveGeoid({ geoid }),
          listDataPoints: await client.listDataPoints({ ...question, page_size: 10 }),
          listTypes: await client.listTypes({ page_size: 500 }),
          listCategories: await client.listCategories({}),
          listUnits: await client.listUnits({}),
          matrix: await client.matrix(question),
          exportMatrix: await client.exportMatrix(question),
          listCollections: await client.listCollections({}),
          getCollection: await client.getCollection({ collection_id }),
          runCollection: await client.runCollection({ collection_id, geoids: [geoid] }),
          exportCollection: await client.exportCollection({ collection_id, geoids: [geoid] }),
          runCollectionForGeoid: await client.runCollectionForGeoid({ collection_id, geoid }),
        };
        for (const answer of Object.values(answers)) answer.atMs = 0;
        return { answers, requests: upstream.asked.map(({ request }) => request) };
      };
      const relayed = await asked(`http://127.0.0.1:${server.port}`);
      expect(relayed).toEqual(await asked(upstream.baseUrl));
      expect(Object.keys(relayed.answers)).toEqual(Object.keys(endpoints));
    });

    it.each([
      ["GET", "/v1/", 404],
      ["GET", "/v1/admin", 404],
      ["GET", "/v1/ahjs/", 404],
      ["GET", "/v1/ahjs/1/secrets", 404],
      ["GET", "//v1/ahjs", 404],
      ["GET", "/v1/ahjs/1%2fsecrets", 404],
      ["GET", "/v1/ahjs/%2e%2e", 404],
      ["GET", "/v1/ahjs/..%2f..%2fadmin", 404],
      ["GET", "/v2/ahjs", 404],
      ["POST", "/v1/ahjs", 405],
      ["DELETE", "/v1/collections/1", 405],
      ["PUT", "/v1/collections/1", 405],
      ["HEAD", "/v1/ahjs", 405],
      ["OPTIONS", "/v1/ahjs", 405],
      ["GET", "/v1/reports/matrix", 405],
    ])("refuses %s %s with %d, and the service hears nothing of it", async (method, path, status) => {
      const answer = await askService({ method, path });
      expect(answer.status).toBe(status);
      if (status === 405) expect(answer.headers.allow).toMatch(/^(GET|POST)$/);
      expect(upstream.asked).toEqual([]);
    });

    it("is asked anew for each request, so a refresh shows what the service says now", async () => {
      let answers = 0;
      upstream.answerWith((request, response) => {
        request.resume();
        response.setHeader("Cache-Control", "public, max-age=3600");
        response.end(`answer ${(answers += 1)}`);
      });
      const matrix = { method: "POST", path: "/v1/reports/matrix", body: '{"ahj_ids":[1]}' };
      const texts = [];
      for (const question of [{}, {}, matrix, matrix]) {
        texts.push((await askService(question)).body.toString());
      }
      expect(texts).toEqual(["answer 1", "answer 2", "answer 3", "answer 4"]);
    });

    it("is told the key and the question, and nothing else about the asker", async () => {
      upstream.answerWith((request, response) => {
        request.resume();
        response.end("{}");
      });
      const { status } = await askService({
        method: "POST",
        path: "/v1/reports/matrix",
        headers: {
          ...sayingWhoAsks,
          Accept: "application/json, text/csv",
          "Content-Type": "application/json",
        },
        body: '{"ahj_ids":[1],"data_point_type_ids":[1003]}',
      });
      expect(status).toBe(200);
      const { headers = {} } = upstream.asked[0] ?? {};
      expect(headers).toMatchObject({
        "x-api-key": key,
        accept: "application/json, text/csv",
        "content-type": "application/json",
        host: new URL(upstream.baseUrl).host,
      });
      expect(JSON.stringify(headers)).not.toMatch(/somebody/i);
      // The last three headers come from Node's fetch and are the same for everybody.
      const known =
        /^(x-api-key|accept|content-type|content-length|host|connection|accept-encoding|accept-language|sec-fetch-mode|user-agent)$/;
      expect(Object.keys(headers).filter((name) => !known.test(name))).toEqual([]);
    });

    it("gives each key its own answer, however little the keys differ", async () => {
      upstream.answerWith((request, response) => {
        request.resume();
        response.setHeader("Cache-Control", "public, max-age=3600");
        response.end(`answer to ${hexOf(request.headers["x-api-key"])}`);
      });
      for (const each of likeKeys) {
        const { body } = await askService({ headers: { "X-API-Key": each } });
        expect(body.toString()).toBe(`answer to ${hexOf(each)}`);
      }
    });

    it("says nothing in this server's name: nothing that acts on the browser beyond the answer itself", async () => {
      upstream.answerWith((_, response) => {
        response.writeHead(200, { ...actingOnBrowsers, "Content-Type": "text/html" });
        response.end("<script>alert(1)</script>");
      });
      const { headers, body } = await askService({});
      expect(body.toString()).toBe("<script>alert(1)</script>");
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      const heard = Object.entries(actingOnBrowsers).filter(([name, value]) =>
        headers[name.toLowerCase()]?.includes(value),
      );
      expect(heard).toEqual([]);
    });

    it("says all that the add-in reads: type, file, age, rate limit, clock and how long to wait", async () => {
      const told = {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": 'attachment; filename="answers.csv"',
        Age: "90",
        Date: "Sun, 01 Jun 2025 12:00:00 GMT",
        "Retry-After": "17",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "1748779217",
      };
      upstream.answerWith((_, response) => response.writeHead(429, told).end("a,b"));
      const { status, headers } = await askService({});
      expect(status).toBe(429);
      for (const [name, value] of Object.entries(told)) expect(headers[name.toLowerCase()], name).toBe(value);
    });

    it("takes the largest matrix; what is larger is refused before the service hears of it", async () => {
      const ids = (count: number) => Array.from({ length: count }, (_, at) => 1_000_000_000 + at);
      const matrix = (body: string) =>
        askService({
          method: "POST",
          path: "/v1/reports/matrix",
          headers: { "Content-Type": "application/json" },
          body,
        });
      const body = JSON.stringify({ ahj_ids: ids(160_000), data_point_type_ids: ids(1) });
      let received = 0;
      upstream.answerWith(async (request, response) => {
        for await (const part of request) received += (part as Buffer).length;
        response.end("{}");
      });
      expect((await matrix(body)).status).toBe(200);
      expect(received).toBe(body.length);
      expect(upstream.asked[0]?.headers).toMatchObject({
        "content-length": String(body.length),
        "content-type": "application/json",
      });

      upstream.reset();
      expect((await matrix(body + " ".repeat(2_000))).status).toBe(413);
      expect(upstream.asked).toEqual([]);
    });

    it("is not followed to an address that would get the key elsewhere", async () => {
      const elsewhere = `http://127.0.0.1:${upstream.port}/v1/units-of-measure`;
      upstream.answerWith((_, response) => response.writeHead(307, { Location: elsewhere }).end());
      const { status, headers } = await askService({});
      expect([status, headers.location]).toEqual([307, elsewhere]);
      expect(upstream.asked).toHaveLength(1);
    });

    it.each(["identity", "gzip"])("is heard before it has finished, in %s", async (encoding) => {
      let finish: () => void = () => undefined;
      upstream.answerWith((_, response) => {
        response.setHeader("Content-Type", "application/json");
        response.write("[1");
        finish = () => response.end(",2]");
      });
      const answer = await begin({
        port: server.port,
        path: "/v1/categories",
        headers: { "Accept-Encoding": encoding },
      });
      const [first] = (await once(answer, "data")) as [Buffer];
      expect(first.length).toBeGreaterThan(0);
      finish();
      const rest = (await answer.toArray()) as Buffer[];
      const whole = Buffer.concat([first, ...rest]);
      const isCompressed = answer.headers["content-encoding"] === "gzip";
      expect((isCompressed ? gunzipSync(whole) : whole).toString()).toBe("[1,2]");
    });

    it.each([
      ["before it has answered", false],
      ["while it answers", true],
    ])("stops working when its answer is wanted no more, %s", async (_, hasBegun) => {
      const ended = new Promise((resolve) => {
        upstream.answerWith((_, response) => {
          if (hasBegun) response.write("[1");
          response.once("close", resolve);
        });
      });
      const stop = new AbortController();
      const answer = begin({ port: server.port, path: "/v1/categories", signal: stop.signal });
      answer.catch(() => undefined);
      await vi.waitFor(() => expect(upstream.asked).toHaveLength(1));
      if (hasBegun) (await answer).on("error", () => undefined);
      stop.abort();
      await Promise.race([ended, after(5_000).then(() => Promise.reject(new Error("it still works")))]);
    });

    it("is not believed when its answer breaks off", async () => {
      upstream.answerWith((_, response) => {
        response.write('{"response_type":"success"');
        setTimeout(() => response.destroy(), 50);
      });
      const outcome = await askService({}).then(
        ({ status }) => status,
        () => "broken off",
      );
      expect(outcome).not.toBe(200);
    });

    it("is reported as out of reach when it closes the connection", async () => {
      upstream.answerWith((request) => request.destroy());
      expect((await askService({})).status).toBe(502);
    });

    it("has no question written down, nor a header, while all goes well", async ({ onTestFinished }) => {
      // A server may write its line after its answer has come, so this one has heard no other question.
      const quiet = await start(upstream.baseUrl);
      onTestFinished(() => quiet.stop());
      const before = linesOf(quiet.written());
      const headers = {
        Accept: "text/of-somebody",
        "User-Agent": "somebody",
        Referer: "https://somebody.test/",
      };
      const statuses = [];
      for (const path of [
        "/v1/ahjs?geoids=06001",
        "/v1/admin?asked=06001",
        "/excel/taskpane.html?asked=06001",
      ]) {
        statuses.push(
          (await ask({ port: quiet.port, path, headers: { "X-API-Key": key, ...headers } })).status,
        );
      }
      expect(statuses).toEqual([200, 404, 200]);
      const expected = noted.map((each) => expect.stringMatching(each) as string);
      await vi.waitFor(() => expect(without(before, linesOf(quiet.written()))).toEqual(expected));
    });

    it("has its key written down nowhere, whatever goes wrong", async () => {
      const headers = { "X-API-Key": markedKey };
      expect((await askService({ headers })).status).toBe(401);
      await askService({ headers, path: "/v1/admin" });
      await askService({ headers: { X_API_Key: markedKey } });
      await askService({
        headers,
        method: "POST",
        path: "/v1/reports/matrix",
        body: "x".repeat(2_000_000),
      }).catch(() => undefined);
      upstream.answerWith((request) => request.destroy());
      await askService({ headers, path: "/v1/ahjs?page=2" });
      expect(server.written().includes(markedKey)).toBe(false);
    });
  });
});

describe("npm run serve", () => {
  const start = () =>
    startServer({ ...address, service: upstream.baseUrl, dist: fixture.dist, port: 0, certificate: null });

  it("answers to this computer's names and the manifest's, and to no page whose own name leads here", async () => {
    const server = await start();
    const statusOf = async (path: string, host: string) =>
      (await ask({ port: server.port, path, headers: { Host: host, "X-API-Key": key } })).status;
    const own = ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", address.hostname];
    for (const name of own.flatMap((each) => [each, `${each}:3000`]))
      for (const path of ["/excel/taskpane.html", "/v1/categories"])
        expect(await statusOf(path, name), name).toBe(200);
    upstream.reset();
    const others = [
      "other.test",
      "localhost.other.test",
      "other.test:3000",
      "127.0.0.1.other.test",
      "0.0.0.0",
    ];
    for (const name of [...others, "localhost@other.test", "x y"])
      for (const path of ["/excel/taskpane.html", "/v1/categories", `http://localhost/v1/categories`])
        expect(await statusOf(path, name), name).toBeOneOf([400, 421]);
    expect(await statusOf("http://other.test/v1/categories", "localhost")).toBe(421);
    expect(upstream.asked).toEqual([]);
    await server.close();
  });

  it("writes nothing down when an answer or a question breaks off", async () => {
    const said: unknown[] = [];
    for (const level of ["log", "info", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((...words) => void said.push(words));
    const server = await start();
    const headers = { "X-API-Key": markedKey };
    for (const length of [undefined, "100"]) {
      for (const type of ["application/json", "text/csv"]) {
        upstream.answerWith((_, response) => {
          response.writeHead(200, { "Content-Type": type, ...(length && { "Content-Length": length }) });
          response.write("{");
          setTimeout(() => response.destroy(), 20);
        });
        await expect(ask({ port: server.port, path: "/v1/categories", headers })).rejects.toThrow();
      }
    }
    // The asker goes away in the middle of its question, and in the middle of the answer.
    const half = connect(server.port, "127.0.0.1");
    half.write("POST /v1/reports/matrix HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    await after(50);
    half.destroy();
    upstream.answerWith((_, response) => response.write("{"));
    const leaving = connect(server.port, "127.0.0.1");
    leaving.write("GET /v1/categories HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(leaving, "data");
    leaving.destroy();
    await after(100);
    expect(said).toEqual([]);
    await server.close();
  });

  it("is for this computer alone: it answers on 127.0.0.1 and on no other address, not even of loopback", async () => {
    const server = await startServer({
      ...address,
      service: upstream.baseUrl,
      dist: fixture.dist,
      port: 0,
      certificate: null,
    });
    const answers = (host: string) =>
      new Promise<boolean>((resolve) => {
        const socket = connect(server.port, host, () => resolve(true)).on("error", () => resolve(false));
        void once(socket, "ready").then(
          () => socket.destroy(),
          () => undefined,
        );
      });
    expect(await answers("127.0.0.1")).toBe(true);
    for (const other of ["127.0.0.2", "::1"]) expect(await answers(other), other).toBe(false);
    await server.close();
  });

  it("passes on no header of the service that relay.ts does not list", async () => {
    const server = await startServer({
      ...address,
      service: upstream.baseUrl,
      dist: fixture.dist,
      port: 0,
      certificate: null,
    });
    upstream.answerWith((_, response) => response.writeHead(200, { "X-Of-Tomorrow": "1" }).end("{}"));
    const { headers } = await ask({ port: server.port, path: "/v1/categories" });
    expect(headers["x-of-tomorrow"]).toBeUndefined();
    await server.close();
  });
});
