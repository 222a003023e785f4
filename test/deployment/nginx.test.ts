import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nginxConfiguration } from "../../deployment/nginx-configuration";
import { startServer } from "../../deployment/file-server";
import { certificate } from "../../workbench/certificate";
import { addInFixture } from "./add-in-fixture";
import { ask } from "./ask";
import { startNginx } from "./start-nginx";
import { startUpstream, type Upstream } from "./upstream";

const { dist, folder } = addInFixture();
const address = { hostname: "regdata-for-excel.tools.a-company.test", folder: "/excel/" };
afterAll(() => rmSync(folder, { recursive: true }));

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
