import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { ensureNginx } from "../../scripts/relay/nginx-program";
import { nginxConfiguration, type NginxSettings } from "../../deployment/nginx-configuration";

export interface RunningNginx {
  port: number;
  /** Holds everything that nginx writes: logs and temporary files. */
  folder: string;
  pid: number;
  stop(): Promise<void>;
}

type Settings = Pick<NginxSettings, "address" | "service" | "dist"> &
  Partial<Pick<NginxSettings, "certificate" | "trustedFile">>;

/** Starts an nginx of its own with the filled template, on a free port of this machine. */
export async function startNginx(settings: Settings): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const port = await freePort();
  const configuration = nginxConfiguration({
    listen: `127.0.0.1:${port}`,
    certificate: null,
    trustedFile: "/etc/ssl/certs/ca-certificates.crt",
    logFolder: `${folder}/logs`,
    ...settings,
  });
  for (const name of ["conf.d", "logs"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "conf.d/regdata.conf"), configuration);
  writeFileSync(join(folder, "nginx.conf"), mainConfiguration(folder));

  const nginx = spawn(ensureNginx(), ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return running(nginx, port, folder);
}

/** Resolves when nginx listens; rejects if it ends instead. */
export async function running(nginx: ChildProcess, port: number, folder: string): Promise<RunningNginx> {
  const ended = once(nginx, "exit");
  while (!(await isOpen(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with code ${nginx.exitCode}`);
    await after(20);
  }
  return {
    port,
    folder,
    pid: nginx.pid ?? 0,
    async stop() {
      nginx.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** The configuration that Debian has around `conf.d`, with every folder in one place, and with the container's number of connections. */
function mainConfiguration(folder: string): string {
  const container = readFileSync(resolve("deployment/container/nginx.conf"), "utf8");
  const asContainer = (name: string) => new RegExp(`${name} \\d+;`).exec(container)?.[0];
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
${asContainer("worker_rlimit_nofile")}
pid ${folder}/nginx.pid;
error_log ${folder}/logs/error.log;
events {
  ${asContainer("worker_connections")}
}
http {
  types {
    text/html html;
    text/css css;
    text/xml xml;
    text/plain txt;
    application/javascript js;
    application/json json;
    image/png png;
  }
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  include ${folder}/conf.d/*.conf;
}
`;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}
