import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { SideOfMonth } from "../../../reference-service/answers/month-of-changes";
import type { RateLimits } from "../../../reference-service/http/key-limit";
import type { Credentials } from "../../../src/engine/transport/exchange";
import type { SentRequest } from "./recorder";

/** The latency of a service somewhere in the country. On loopback alone the number of requests would hardly count. */
export const addedLatencyMs = 30;

export interface ServiceProcess {
  credentials: Credentials;
  /** Answers from now on as before or after a month in which some rules change, and notes what it is asked. */
  setMonth(month: SideOfMonth): void;
  /** Allows from now on so many requests, in windows that begin anew, and notes what it is asked. */
  setLimits(limits: RateLimits): void;
  /** The requests since noting began, or since the last call. */
  takeNoted(): Promise<NotedRequest[]>;
  stop(): Promise<void>;
}

/** A request as the service saw it: from its head until the last of the answer was handed over. */
export interface NotedRequest extends SentRequest {
  startMs: number;
  endMs: number;
}

export type ServiceOrder = { month: SideOfMonth } | { limits: RateLimits } | "tell noted";

/** The reference service on a free port of this machine, in another process, for a key that may see everything. */
export async function startService(): Promise<ServiceProcess> {
  const child = fork(join(import.meta.dirname, "slow-service.ts"));
  const { port } = await firstMessage<{ port: number }>(child);
  const order = (message: ServiceOrder) => void child.send(message);
  return {
    credentials: { baseUrl: `http://127.0.0.1:${port}`, key: "demo-national" },
    setMonth: (month) => order({ month }),
    setLimits: (limits) => order({ limits }),
    takeNoted() {
      order("tell noted");
      return firstMessage<NotedRequest[]>(child);
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    },
  };
}

/** The first message of a child process; rejects if it ends without one. */
export function firstMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as Message));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a process of the bench ended with code ${code}`)));
  });
}
