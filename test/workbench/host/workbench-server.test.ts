import { createPrivateKey, X509Certificate } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorkbench, withLocalOfficeJs } from "../../../workbench/workbench-server";

const directory = mkdtempSync(join(tmpdir(), "workbench-"));
const addinDir = join(directory, "addin");
const options = {
  port: 0,
  addinDir,
  pageDir: join(directory, "page"),
  certificateDir: directory,
  setup: { storage: { key: "value" }, excelApi: "1.17" },
  mount: async (asked: Request) =>
    new Response(`${asked.method} ${new URL(asked.url).pathname} ${await asked.text()}`, { status: 418 }),
};
let server: Awaited<ReturnType<typeof startWorkbench>>;

beforeAll(async () => {
  mkdirSync(options.pageDir);
  cpSync(join(import.meta.dirname, "../fixture-addin"), addinDir, { recursive: true });
  writeFileSync(
    join(addinDir, "bytes.html"),
    Buffer.from([0xef, 0xbb, 0xbf, 0x3c, 0xff, 0x00, 0xe9, 0x0d, 0x0a]),
  );
  writeFileSync(join(options.pageDir, "index.html"), "<p>the page</p>");
  writeFileSync(join(directory, "secret.txt"), "secret");
  server = await startWorkbench(options);
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

/** Asks without Node's fetch, which would not accept the certificate. */
function get(path: string, { method = "GET", body = "" } = {}) {
  return new Promise<{ status: number; type: string; caching: string; body: Buffer }>((done, fail) => {
    const asked = request(
      new URL(server.url).origin + path,
      { method, rejectUnauthorized: false, path },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () =>
          done({
            status: answer.statusCode ?? 0,
            type: answer.headers["content-type"] ?? "",
            caching: answer.headers["cache-control"] ?? "",
            body: Buffer.concat(parts),
          }),
        );
      },
    );
    asked.on("error", fail);
    asked.end(body);
  });
}

describe("the workbench's server", () => {
  it("gives the add-in's page byte for byte, but for the address of office.js", async () => {
    const built = readFileSync(join(addinDir, "taskpane.html"));
    const served = await get("/addin/taskpane.html");
    expect(served.type).toMatch(/^text\/html/);
    const cdn = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js";
    expect(built.includes(cdn)).toBe(true);
    expect(
      served.body.equals(
        Buffer.from(built.toString("latin1").replace(cdn, "/office-js/office.js"), "latin1"),
      ),
    ).toBe(true);
  });

  it("leaves a page without that address as it is, whatever its bytes", async () => {
    expect(withLocalOfficeJs("<p>office.js</p>")).toBe("<p>office.js</p>");
    const { body } = await get("/addin/bytes.html");
    expect(body.equals(readFileSync(join(addinDir, "bytes.html")))).toBe(true);
  });

  it.each([
    ["/addin/manifest.xml", /xml/],
    ["/addin/functions.json", /json/],
    ["/addin/addin.js", /javascript/],
    ["/addin/icon.svg", /svg/],
  ])("gives %s as built, with its type", async (path, type) => {
    const { body, ...served } = await get(path);
    expect(served).toEqual({ status: 200, type: expect.stringMatching(type) as string, caching: "no-store" });
    expect(body.equals(readFileSync(join(addinDir, path.slice("/addin/".length))))).toBe(true);
  });

  it("lets browsers keep a script whose name tells its content", async () => {
    expect((await get("/addin/addin.0a1b2c3d.js")).caching).toBe("max-age=86400");
  });

  it("gives Microsoft's office.js as installed", async () => {
    const { status, body, caching } = await get("/office-js/office.js");
    expect([status, body.includes("Office JavaScript API library")]).toEqual([200, true]);
    expect(caching).toBe("max-age=86400");
  });

  it("gives the page, its setup and the mounted service", async () => {
    expect((await get("/")).body.toString()).toBe("<p>the page</p>");
    expect(JSON.parse((await get("/workbench/setup.json")).body.toString())).toEqual({
      addinBase: "/addin/",
      storage: { key: "value" },
      excelApi: "1.17",
    });
    const answer = await get("/v1/collections", { method: "POST", body: "{}" });
    expect([answer.status, answer.body.toString()]).toEqual([418, "POST /v1/collections {}"]);
  });

  it("says in plain words that a page does not exist", async () => {
    for (const path of ["/addin/nope.js", "/nope", "/addin/../secret.txt", "/addin/%2e%2e/secret.txt"]) {
      const { status, body } = await get(path);
      expect([path, status, body.toString()]).toEqual([
        path,
        404,
        expect.stringMatching(/^There is nothing at /),
      ]);
    }
  });

  it("says in plain words that its port is taken", async () => {
    const port = Number(new URL(server.url).port);
    await expect(startWorkbench({ ...options, port })).rejects.toThrow(`Port ${port} is already in use.`);
  });

  it("keeps its certificate between starts", async () => {
    const before = readFileSync(join(directory, "cert.pem"), "utf8");
    await (await startWorkbench(options)).close();
    expect(readFileSync(join(directory, "cert.pem"), "utf8")).toBe(before);
  });

  it.each([
    ["of another certificate", () => readFileSync(join(directory, "key.pem"))],
    ["that was written in part", () => readFileSync(join(directory, "key.pem")).subarray(0, 60)],
    ["that is empty", () => ""],
  ])("makes a new certificate for a key %s", async (_, key) => {
    const certificateDir = mkdtempSync(join(directory, "pair-"));
    await (await startWorkbench({ ...options, certificateDir })).close();
    writeFileSync(join(certificateDir, "key.pem"), key());
    await (await startWorkbench({ ...options, certificateDir })).close();
    const [kept, cert] = ["key.pem", "cert.pem"].map((file) =>
      readFileSync(join(certificateDir, file), "utf8"),
    );
    expect(new X509Certificate(cert ?? "").checkPrivateKey(createPrivateKey(kept ?? ""))).toBe(true);
  });
});
