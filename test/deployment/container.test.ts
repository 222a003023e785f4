import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { config } from "../../src/config";
import { ensureNginx } from "../../scripts/relay/nginx-program";
import { addInFixture, hashedScript } from "./add-in-fixture";
import { ask } from "./ask";
import { freePort, running, type RunningNginx } from "./start-nginx";
import { startUpstream, type Upstream } from "./upstream";

/** The statements of the Containerfile in their order, each on one line. */
const all = readFileSync(resolve("Containerfile"), "utf8")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter(Boolean)
  .map((line) => ({ name: line.split(" ")[0] ?? "", words: line.slice(line.indexOf(" ") + 1) }));
/** The first stage runs the README's commands, the last one serves. */
const [commands, statements] = [
  all.slice(
    0,
    all.findLastIndex(({ name }) => name === "FROM"),
  ),
  all.slice(all.findLastIndex(({ name }) => name === "FROM")),
];
const allOf = (name: string, of = statements) =>
  of.filter((each) => each.name === name).map(({ words }) => words);

const { dist, folder: fixtureFolder } = addInFixture();
afterAll(() => rmSync(fixtureFolder, { recursive: true }));

/** As `npm run nginx` writes it. */
function configurationFor(service: string, out: string, ...options: string[]): string {
  const program = ["--import", "tsx", "scripts/relay/nginx.ts"];
  execFileSync("node", [...program, "--service", service, "--dist", dist, "--out", out, ...options]);
  return readFileSync(join(out, "addin.test.conf"), "utf8");
}

describe("Containerfile", () => {
  it("has two stages, from Debian and no registry by name, and Debian's nginx in the last one", () => {
    expect(allOf("FROM", all)).toEqual(["${DEBIAN} AS commands", "${DEBIAN}"]);
    expect(allOf("ARG", all)).toEqual([expect.stringMatching(/^DEBIAN=debian:[a-z]+-slim$/)]);
    const [install = ""] = allOf("RUN");
    expect(install).toMatch(/^apt-get update\s+&& apt-get install .*\bnginx\b/);
    expect(all.map(({ words }) => words).join("\n")).not.toMatch(/\bcurl\b|\bwget\b|https?:/);
  });

  it("has in the first stage all that the README's commands need, and starts the workbench for other machines", () => {
    const [install, packages] = allOf("RUN", commands);
    for (const name of ["nodejs", "npm", "chromium-headless-shell", "nginx-light"]) {
      expect(install?.split(/\s+/)).toContain(name);
    }
    expect(packages).toBe("npm ci");
    expect(allOf("COPY", commands)).toEqual(["package.json package-lock.json .npmrc ./", ". ."]);
    const [start = ""] = allOf("CMD", commands);
    expect(JSON.parse(start)).toEqual(["npm", "start", "--", "--no-open", "--host", "0.0.0.0"]);
    expect(readFileSync(resolve(".dockerignore"), "utf8").split("\n")).toEqual(
      expect.arrayContaining(["node_modules", "build/*", "!build/nginx"]),
    );
  });

  it("runs nginx as an ordinary user, who owns nothing in the image", () => {
    expect(allOf("USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    const names = statements.map(({ name }) => name);
    expect(names.slice(names.indexOf("USER") + 1)).toEqual(["EXPOSE", "STOPSIGNAL", "CMD"]);
    expect(statements.map(({ words }) => words).join("\n")).not.toMatch(/chown|setcap|sudo/);
  });

  it("copies what is built, and the add-in to where npm run nginx expects it", () => {
    expect(allOf("COPY")).toEqual([
      "deployment/container/nginx.conf /etc/nginx/nginx.conf",
      "build/nginx/ /etc/nginx/conf.d/",
      "dist/ /srv/regdata/",
    ]);
    const out = mkdtempSync(join(tmpdir(), "configuration-"));
    const configuration = configurationFor("https://data.test", out);
    rmSync(out, { recursive: true });
    expect(configuration).toContain('alias "/srv/regdata/";');
    // An ordinary user cannot open a port below 1024.
    expect(/^ {2}listen (.*);$/m.exec(configuration)?.[1]).toBe('"8080"');
    expect(allOf("EXPOSE")).toEqual(["8080"]);
  });
});

it("the container's nginx has connections for 1,000 workbooks that open at once, in one worker", () => {
  const configuration = readFileSync(resolve("deployment/container/nginx.conf"), "utf8");
  const figure = (name: string) => Number(new RegExp(`\\b${name} (\\d+);`).exec(configuration)?.[1]);
  // Each request takes a connection to nginx and one from nginx to the service.
  expect(figure("worker_connections")).toBeGreaterThanOrEqual(1_000 * config.concurrentRequests * 2);
  expect(figure("worker_rlimit_nofile")).toBeGreaterThan(figure("worker_connections"));
});

describe("the container's nginx", () => {
  const [user = 0, group = 0] = (allOf("USER")[0] ?? "").split(":").map(Number);
  const isRoot = process.getuid?.() === 0;
  let upstream: Upstream;
  let server: RunningNginx;
  let said = "";

  /** Runs the image's command and files from a folder of their own, as the image's user; outside root, as the current user. */
  beforeAll(async () => {
    upstream = await startUpstream();
    const folder = mkdtempSync(join(tmpdir(), "container-"));
    const inFolder = (name: string) => join(folder, name);
    const port = await freePort();
    const nginx = ensureNginx();
    const { stderr } = spawnSync(nginx, ["-V"], { encoding: "utf8" });
    const [, mainFile = "/etc/nginx/nginx.conf"] = /--conf-path=(\S+)/.exec(stderr) ?? [];
    for (const name of ["etc", "tmp", "logs"]) mkdirSync(inFolder(name));
    copyFileSync(resolve("deployment/container/nginx.conf"), inFolder("etc/nginx.conf"));
    copyFileSync(join(dirname(mainFile), "mime.types"), inFolder("etc/mime.types"));
    configurationFor(
      upstream.baseUrl,
      inFolder("etc/conf.d"),
      ...["--listen", `127.0.0.1:${port}`, "--files", dist, "--logs", inFolder("logs")],
    );
    for (const path of [folder, fixtureFolder]) chmodSync(path, 0o755);
    if (isRoot) for (const name of ["tmp", "logs"]) chownSync(inFolder(name), user, group);

    const [, ...words] = JSON.parse(allOf("CMD")[0] ?? "[]") as string[];
    const places: Record<string, string> = {
      "/tmp/": `${inFolder("tmp")}/`,
      "/etc/nginx/nginx.conf": inFolder("etc/nginx.conf"),
    };
    const child = spawn(
      nginx,
      words.map((word) => places[word] ?? word),
      {
        stdio: ["ignore", "pipe", "pipe"],
        ...(isRoot && { uid: user, gid: group }),
      },
    );
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (said += String(part)));
    server = await running(child, port, folder);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await upstream.close();
  });

  it("starts as an ordinary user without a warning, and gives out files with their types", async () => {
    const typeOf = async (name: string) => {
      const { status, headers } = await ask({ port: server.port, path: `/excel/${name}` });
      return [status, headers["content-type"]];
    };
    expect(await typeOf("taskpane.html")).toEqual([200, "text/html; charset=utf-8"]);
    expect(await typeOf("functions.json")).toEqual([200, "application/json"]);
    expect(await typeOf(hashedScript)).toEqual([200, "application/javascript; charset=utf-8"]);
    expect(await typeOf("assets/icon-32.png")).toEqual([200, "image/png"]);
    expect(said).toBe("");
    if (process.platform === "linux") {
      const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe("0");
    }
  });

  it("relays the largest body and a large answer, and writes below its prefix alone", async () => {
    upstream.answerWith(async (request, response) => {
      let received = 0;
      for await (const part of request) received += (part as Buffer).length;
      response.end(JSON.stringify({ received, padding: "x".repeat(3_000_000) }));
    });
    const { status, body } = await ask({
      port: server.port,
      method: "POST",
      path: "/v1/reports/matrix",
      headers: { "X-API-Key": "demo-national" },
      body: "x".repeat(1_700_000),
    });
    expect(status).toBe(200);
    expect((JSON.parse(body.toString()) as { received: number }).received).toBe(1_700_000);
    expect(readdirSync(join(server.folder, "tmp")).sort()).toEqual(
      ["client_body", "fastcgi", "nginx.pid", "proxy", "scgi", "uwsgi"].sort(),
    );
    expect(readdirSync(join(server.folder, "logs")).sort()).toEqual(["access.log", "error.log"]);
  });
});
