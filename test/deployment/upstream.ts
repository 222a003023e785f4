import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createService } from "../../reference-service/service";
import { noLimits } from "../reference-service/limits";

/** A request as it reached the service. */
export interface Asked {
  request: string;
  headers: IncomingHttpHeaders;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The reference service on a socket of this machine, as a relay reaches it. */
export interface Upstream {
  baseUrl: string;
  port: number;
  asked: Asked[];
  /** Makes this function answer instead of the service, until the next `reset`. */
  answerWith(answer: Answer): void;
  /** Lets the service answer again, and forgets all requests so far. */
  reset(): void;
  close(): Promise<void>;
}

export async function startUpstream(certificate?: { key: string; cert: string }): Promise<Upstream> {
  const asked: Asked[] = [];
  const service: Answer = getRequestListener(createService({ limits: noLimits }).fetch, {
    overrideGlobalObjects: false,
  });
  let answer = service;
  const listener: Answer = (request, response) => {
    asked.push({ request: `${request.method} ${request.url}`, headers: request.headers });
    answer(request, response);
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    port,
    asked,
    answerWith(other) {
      answer = other;
    },
    reset() {
      answer = service;
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
