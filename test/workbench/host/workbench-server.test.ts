import { createPrivateKey, X509Certificate } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AddinPlace, parseAddinPlace } from "../../../workbench/addin/addin-source";
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
const globals = { Request: globalThis.Request, Response: globalThis.Response };

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

/** Node's fetch would not take the certificate. */
function get(path: string, { method = "GET", body = "" } = {}, url = server.url) {
  return new Promise<{ status: number; type: string; caching: string; body: Buffer }>((done, fail) => {
    const asked = request(
      new URL(url).origin + path,
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
  it("leaves Request and Response as Node has them", () => {
    expect({ Request: globalThis.Request, Response: globalThis.Response }).toEqual(globals);
    expect(new Response("whole")).toBeInstanceOf(globals.Response);
  });

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

  it.each([
    ["https://officeapis.public.onecdn.static.microsoft/1/office.js", "office.js"],
    ["https://officeapis.public.onecdn.static.microsoft/beta/office.js", "office.js"],
    ["https://officeapis.public.onecdn.static.microsoft/beta/office.debug.js", "office.debug.js"],
    [
      "https://officeapis.public.onecdn.static.microsoft/1.1/custom-functions-runtime.js",
      "custom-functions-runtime.js",
    ],
    ["https://appsforoffice.microsoft.com/lib/1.1/hosted/office.js", "office.js"],
    ["https://appsforoffice.microsoft.com/lib/beta/hosted/office.debug.js", "office.debug.js"],
    ["https://appsforoffice.edog.officeapps.live.com/lib/beta/hosted/office.debug.js", "office.debug.js"],
    [
      "https://appsforoffice.microsoft.com/lib/1.1/hosted/custom-functions-runtime.js",
      "custom-functions-runtime.js",
    ],
  ])("takes what stands at %s from the installed package, too", async (address, name) => {
    const script = (src: string) => `<script src="${src}"></script>`;
    expect(withLocalOfficeJs(script(address) + script(address))).toBe(
      script(`/office-js/${name}`) + script(`/office-js/${name}`),
    );
    expect(withLocalOfficeJs(`<script src=${address}></script>`)).toBe(
      `<script src=/office-js/${name}></script>`,
    );
    expect((await get(`/office-js/${name}`)).status).toBe(200);
  });

  it.each([
    "https://appsforoffice.microsoft.com/lib/1/hosted/other.js",
    "https://officeapis.public.onecdn.static.microsoft/1/other.js",
    "https://officeapis.public.onecdn.static.microsoft.example.com/1/office.js",
  ])("leaves %s as it is", (address) => {
    const other = `<script src="${address}"></script>`;
    expect(withLocalOfficeJs(other)).toBe(other);
  });

  it("gives what the add-in's pages ask for from the root of their own server", async () => {
    const { status, body } = await get("/sample/addin.js");
    expect(status).toBe(200);
    expect(body.equals(readFileSync(join(addinDir, "addin.js")))).toBe(true);
    expect((await get("/other/addin.js")).status).toBe(404);
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
      addin: {
        base: "/addin/",
        root: "https://addin.example/sample/",
        manifest: readFileSync(join(addinDir, "manifest.xml"), "utf8"),
      },
      storage: { key: "value" },
      excelApi: "1.17",
    });
    const answer = await get("/v1/collections", { method: "POST", body: "{}" });
    expect([answer.status, answer.body.toString()]).toEqual([418, "POST /v1/collections {}"]);
  });

  it("says in plain words that there is nothing", async () => {
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

  // 127.0.0.2 is this computer as well, and an address of its own, on Linux alone.
  it.runIf(process.platform === "linux")("answers at other addresses only if it is told to", async () => {
    const elsewhere = (url: string) => get("/", {}, url.replace("localhost", "127.0.0.2"));
    await expect(elsewhere(server.url)).rejects.toThrow("ECONNREFUSED");
    const open = await startWorkbench({ ...options, host: "0.0.0.0" });
    expect((await elsewhere(open.url)).body.toString()).toBe("<p>the page</p>");
    await open.close();
  });

  it("keeps its certificate", async () => {
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

describe("an add-in's place", () => {
  const { certificateDir, pageDir } = options;
  const setupOf = async (place: AddinPlace) => {
    const other = await startWorkbench({ port: 0, certificateDir, pageDir, ...place });
    const { status, body } = await get("/workbench/setup.json", {}, other.url);
    const read = async (path: string) => (await get(path, {}, other.url)).body.toString();
    return { status, text: body.toString(), read, close: other.close };
  };

  it.each([
    ["dist", { addinDir: "dist" }],
    ["dist/manifest-local.xml", { addinDir: "dist", manifest: "manifest-local.xml" }],
    ["https://localhost:3000", { addinUrl: "https://localhost:3000/" }],
    ["https://localhost:3000/own", { addinUrl: "https://localhost:3000/own/" }],
    ["http://localhost/own/local.xml", { addinUrl: "http://localhost/own/", manifest: "local.xml" }],
  ])("is read from %s", (text, place) => {
    expect(parseAddinPlace(text)).toEqual(place);
  });

  it("may be a server with a certificate of this computer's own, by whose addresses the manifest goes", async () => {
    const files = join(directory, "developer");
    cpSync(addinDir, join(files, "sample"), { recursive: true });
    const developer = await startWorkbench({ port: 0, certificateDir, pageDir: files, addinDir });
    const own = join(files, "sample", "own.xml");
    writeFileSync(
      own,
      readFileSync(join(addinDir, "manifest.xml"), "utf8").replaceAll(
        "https://addin.example/",
        developer.url,
      ),
    );
    const { text, read, close } = await setupOf({
      addinUrl: `${developer.url}sample/`,
      manifest: "own.xml",
    });
    expect(JSON.parse(text)).toMatchObject({ addin: { root: developer.url } });
    expect(await read("/addin/sample/addin.js")).toBe(readFileSync(join(addinDir, "addin.js"), "utf8"));
    await close();
    await developer.close();
  });

  it.each([
    ["a folder without a manifest", () => ({ addinDir: directory }), /^There is no manifest\.xml in /],
    [
      "a folder with a unified manifest alone",
      () => {
        writeFileSync(join(directory, "page", "manifest.json"), "{}");
        return { addinDir: join(directory, "page") };
      },
      /does not read the unified manifest/,
    ],
    [
      "a folder that lacks the page",
      () => {
        mkdirSync(join(directory, "unbuilt"));
        cpSync(join(addinDir, "manifest.xml"), join(directory, "unbuilt", "manifest.xml"));
        return { addinDir: join(directory, "unbuilt") };
      },
      /names the page https:\/\/addin\.example\/sample\/taskpane\.html, which is not in .*Has the add-in been built\?/,
    ],
    [
      "a server that does not answer",
      () => ({ addinUrl: "https://127.0.0.1:1/" }),
      /^https:\/\/127\.0\.0\.1:1\/manifest\.xml could not be fetched\./,
    ],
  ])("that is %s is named in a sentence", async (_what, place, sentence) => {
    const { status, text, close } = await setupOf(place());
    expect([status, text]).toEqual([502, expect.stringMatching(sentence)]);
    await close();
  });
});
