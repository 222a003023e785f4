import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nginxConfiguration } from "../../deployment/nginx-configuration";
import {
  answerHeaders,
  hiddenAnswerHeaders,
  largestBodyBytes,
  passedAnswerHeaders,
  passedRequestHeaders,
  relayedRoutes,
  relayTimeoutMs,
} from "../../deployment/relay";
import { startServer } from "../../deployment/file-server";
import { certificate } from "../../workbench/certificate";
import { addInFixture } from "./add-in-fixture";
import { ask } from "./ask";
import { startNginx } from "./start-nginx";
import { startUpstream, type Upstream } from "./upstream";

const { dist, folder } = addInFixture();
const address = { hostname: "regdata-for-excel.tools.a-company.test", folder: "/excel/" };
afterAll(() => rmSync(folder, { recursive: true }));

describe("nginx.conf.template", () => {
  const template = readFileSync(resolve("deployment/nginx.conf.template"), "utf8");
  const found = (pattern: RegExp) => [...template.matchAll(pattern)].map(([, ...groups]) => groups);

  it("passes on the endpoints of relay.ts with their methods, and no others", () => {
    const [[routes = ""] = []] = found(/_method \{\n([^}]*)\n\}/g);
    expect(routes.split("\n")).toEqual(
      relayedRoutes.map(({ method, pattern }) => `  "~^${pattern}(\\?|$)" ${method};`),
    );
  });

  it("tells the service the parts of a request that relay.ts lists", () => {
    expect(found(/proxy_set_header (\S+) \$http_/g).flat()).toEqual([...passedRequestHeaders]);
  });

  it("puts the headers of relay.ts on answers, and hides those that it lists", () => {
    expect(Object.fromEntries(found(/add_header (\S+) "(.*)" always;/g))).toEqual(answerHeaders);
    expect(found(/proxy_hide_header (\S+);/g).flat()).toEqual([...hiddenAnswerHeaders]);
    const hidden = new Set<string>(hiddenAnswerHeaders);
    expect(hidden.size).toBe(hiddenAnswerHeaders.length);
    expect(passedAnswerHeaders.filter((name) => hidden.has(name))).toEqual([]);
  });

  it("keeps no answer and writes down neither query nor header", () => {
    expect(template).not.toMatch(/proxy_(cache|store)/);
    const [[line = ""] = []] = found(/log_format \S+ '(.*)';/g);
    expect(line.split(" ").sort()).toEqual(
      [
        "$remote_addr",
        "$time_iso8601",
        "$request_method",
        "$regdata_${ID}_path",
        "$status",
        "$body_bytes_sent",
        "$request_time",
      ].sort(),
    );
    expect(found(/error_log \S+ (\w+);/g)).toEqual([["error"]]);
  });

  it("takes the largest body and waits as long as relay.ts says", () => {
    expect(found(/client_max_body_size (\d+);/g)).toEqual([[String(largestBodyBytes)]]);
    expect(found(/client_body_buffer_size (\d+);/g)).toEqual([[String(2 * largestBodyBytes)]]);
    const wait = `${relayTimeoutMs / 1_000}s`;
    expect(found(/proxy_(?:send|read)_timeout (\S+);/g)).toEqual([[wait], [wait]]);
  });
});

describe("nginx's access log", () => {
  it("has the same seven fields whatever a request's path is", async () => {
    const {
      port,
      folder: written,
      stop,
    } = await startNginx({ address, dist, service: "http://127.0.0.1:9" });
    const paths = [
      "/x%20200%201%200.1",
      "/x?asked=06001",
      '/x"%22\\x20y',
      "/%0a127.0.0.1",
      "/v1/ahjs%3Fa%20b",
    ];
    for (const path of paths) await ask({ port, path, headers: { Host: address.hostname } });
    // nginx can read neither of these as a request.
    for (const sent of ["GET /a b c HTTP/1.1\r\n\r\n", "nonsense of somebody\r\n\r\n"]) {
      const socket = connect(port, "127.0.0.1");
      socket.end(sent).resume();
      await once(socket, "close");
    }
    // The first line is of the wait for nginx to answer.
    const linesOf = () =>
      readFileSync(join(written, "logs", "access.log"), "utf8")
        .trim()
        .split("\n")
        .slice(1);
    // A line is written once its answer is sent, so the last one may be late.
    await expect.poll(() => linesOf().length, { timeout: 10_000 }).toBe(paths.length + 2);
    const lines = linesOf();
    const form = /^127\.0\.0\.1 [\d:T+-]+ (?:GET|-) \S+ \d{3} \d+ [\d.]+$/;
    for (const line of lines) expect(line).toMatch(form);
    expect(lines.join()).not.toContain("asked");
    await stop();
  });
});

describe("an add-in at the root of its server", () => {
  it("has the service beside it", async () => {
    const upstream = await startUpstream();
    const { port, stop } = await startNginx({
      address: { ...address, folder: "/" },
      dist,
      service: upstream.baseUrl,
    });
    const statusOf = async (path: string) =>
      (await ask({ port, path, headers: { "X-API-Key": "demo-national" } })).status;
    expect(await statusOf("/taskpane.html")).toBe(200);
    expect(await statusOf("/v1/categories")).toBe(200);
    expect(await statusOf("/v1/admin")).toBe(404);
    expect(await statusOf("/nothing.html")).toBe(404);
    await stop();
    await upstream.close();
  }, 120_000);
});

describe("a setting that nginx would misread", () => {
  it.each(['/srv/"regdata"', "/srv/$uri", "C:\\regdata"])("such as %s is refused", (logFolder) => {
    const settings = { address, dist, service: "https://data.test", listen: "443", certificate: null };
    expect(() => nginxConfiguration({ ...settings, trustedFile: "t", logFolder })).toThrow("misread");
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
      return new Set(nginxConfiguration({ ...settings, ...rest }).match(/\bregdata_\w+/g));
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

  it("shows the key from nginx to no service whose certificate nobody vouches for", async () => {
    const { port, stop } = await startNginx({ address, dist, service: upstream.baseUrl });
    expect((await ask({ port, ...service })).status).toBe(502);
    expect(upstream.asked).toEqual([]);
    await stop();
  });

  it("is spoken by npm run serve, too, which shows the key to no such service either", async () => {
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
