/** The add-in and its way to the service for one desk: what nginx does for a company. */
import { createServer } from "node:https";
import { createServer as createPlainServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { proxy } from "hono/proxy";
import { headersOf } from "./file-headers";
import {
  answerHeaders,
  largestBodyBytes,
  passedAnswerHeaders,
  passedRequestHeaders,
  relayedMethods,
  relayTimeoutMs,
} from "./relay";

export interface ServeSettings {
  /** The service's base address, without a trailing slash and without `/v1`. */
  service: string;
  /** The built add-in. */
  dist: string;
  /** Below which path the files lie, as the manifest says; begins and ends with a slash. */
  folder: string;
  /** 0 takes any free port. */
  port: number;
  /** In PEM; null serves in the clear. */
  certificate: { key: string; cert: string } | null;
}

/** Serves this computer alone. Rejects with a sentence when the port is taken. */
export async function startServer(
  settings: ServeSettings,
): Promise<{ port: number; close(): Promise<void> }> {
  const { port, certificate } = settings;
  const server = createAdaptorServer({
    fetch: routes(settings).fetch,
    ...(certificate ? { createServer, serverOptions: certificate } : { createServer: createPlainServer }),
  });
  await new Promise<void>((done, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      fail(cause.code === "EADDRINUSE" ? new Error(`Port ${port} is already in use.`, { cause }) : cause),
    );
    server.listen(port, "127.0.0.1", done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

/** In lower case. */
const passes = new Set(["Content-Length", ...passedAnswerHeaders].map((name) => name.toLowerCase()));

function routes({ service, dist, folder }: ServeSettings): Hono {
  const app = new Hono();
  app.use("/v1/*", withAnswerHeaders);
  app.all("/v1/*", onlyRelayed, bodyLimit({ maxSize: largestBodyBytes }), (context) =>
    relay(context, service),
  );
  app.use(compress(), etag(), async (context, next) => {
    await next();
    if (!context.res.ok) return;
    for (const [name, value] of headersOf(context.req.path)) context.header(name, value);
  });
  app.get(
    `${folder}*`,
    serveStatic({ root: dist, rewriteRequestPath: (path) => path.slice(folder.length - 1) }),
  );
  app.notFound((context) => context.text("There is nothing here.", 404));
  return app;
}

async function withAnswerHeaders(context: Context, next: () => Promise<void>): Promise<void> {
  await next();
  for (const [name, value] of Object.entries(answerHeaders)) context.header(name, value);
}

async function onlyRelayed(context: Context, next: () => Promise<void>): Promise<Response | void> {
  const methods = relayedMethods(context.req.path);
  if (methods.length === 0) return context.notFound();
  if (methods.includes(context.req.method)) return next();
  return context.text("", 405, { Allow: methods.join(", ") });
}

async function relay({ req }: Context, service: string): Promise<Response> {
  const { pathname, search } = new URL(req.url);
  const answer = await proxy(`${service}${pathname}${search}`, {
    method: req.method,
    headers: Object.fromEntries(passedRequestHeaders.map((name) => [name, req.header(name)])),
    ...(req.method === "POST" && { body: await req.arrayBuffer() }),
    // Followed here, it would take the key to wherever it leads; the add-in refuses it.
    redirect: "manual",
    signal: AbortSignal.any([req.raw.signal, AbortSignal.timeout(relayTimeoutMs)]),
  }).catch((failure: Error) => new Response(null, { status: failure.name === "TimeoutError" ? 504 : 502 }));
  for (const name of [...answer.headers.keys()]) {
    if (!passes.has(name)) answer.headers.delete(name);
  }
  return answer;
}
