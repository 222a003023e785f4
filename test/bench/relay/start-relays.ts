import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startNginx } from "../../deployment/start-nginx";
import { firstMessage } from "../service/service-process";

/** A server that relays to the service, as a process of its own. */
export interface Relay {
  name: string;
  baseUrl: string;
  /** The process's peak memory so far, in MB. */
  peakMb(): number;
  stop(): Promise<void>;
}

/** nginx, whose log tells how much it has sent. */
export interface NginxRelay extends Relay {
  /** The bytes of all bodies so far, as they went out: compressed where the client takes it. */
  sentBytes(): number;
}

export async function startRelays(service: string): Promise<[NginxRelay, Relay]> {
  const address = { hostname: "addin.test", folder: "/" };
  const nginx = await startNginx({ address, dist: resolve("dist"), service });
  // nginx's master process only watches its one worker, which does the work and is the one to measure.
  const children = readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, "utf8");
  const desk = fork(join(import.meta.dirname, "serve-process.ts"), [service]);
  const { port } = await firstMessage<{ port: number }>(desk);
  return [
    {
      name: "nginx",
      baseUrl: `http://127.0.0.1:${nginx.port}`,
      peakMb: () => peakMb(parseInt(children)),
      sentBytes: () => loggedBytes(readFileSync(join(nginx.folder, "logs/access.log"), "utf8")),
      stop: nginx.stop,
    },
    {
      name: "npm run serve",
      baseUrl: `http://127.0.0.1:${port}`,
      peakMb: () => peakMb(desk.pid ?? 0),
      async stop() {
        desk.disconnect();
      },
    },
  ];
}

function peakMb(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

/** The sum of the log's last field but one, in the format of `deployment/nginx.conf.template`. */
function loggedBytes(log: string): number {
  return [...log.matchAll(/ (\d+) [\d.]+$/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}
