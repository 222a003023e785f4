/** Serves the add-in and relays its requests to the service for one computer, as nginx does for a company. */
import { createServer } from "node:https";
import { createServer as createPlainServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { proxy } from "hono/proxy";
import { parseUrl } from "../src/url";
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
  /** The folder of the built add-in. */
  dist: string;
  /** The path below which the files lie, as the manifest names it; begins and ends with a slash. */
  folder: string;
  /** The host name of the manifest, which the server answers to as well as to this computer's own names. */
  hostname: string;
  /** 0 takes any free port. */
  port: number;
  /** Key and certificate in PEM; null serves without TLS. */
  certificate: { key: string; cert: string } | null;
}

/** Starts a server that only this computer can reach. Rejects with a sentence if the port is taken. */
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

/** The names of the service's headers that are passed on, in lower case. */
const passes = new Set(["Content-Length", ...passedAnswerHeaders].map((name) => name.toLowerCase()));

/** The names by which a computer calls itself. */
const ownNames = ["localhost", "127.0.0.1", "[::1]"];

function routes({ service, dist, folder, hostname }: ServeSettings): Hono<Served> {
  const app = new Hono<Served>();
  app.use(onlyFor([...ownNames, hostname]), withoutStreamErrors);
  // Hono would write a stack trace to the log.
  app.onError((error, context) =>
    error instanceof HTTPException ? error.getResponse() : context.body(null, 500),
  );
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

/** Node's server gives these with a request. */
interface Served {
  Bindings: { outgoing: ServerResponse };
}

/** Refuses requests for other names: a web page whose own name leads to this computer would read the answers as its own (DNS rebinding). */
function onlyFor(names: readonly string[]) {
  return async ({ req, text }: Context<Served>, next: () => Promise<void>): Promise<Response | void> => {
    // A request may name a host in its first line and another one in its header.
    const asked = [req.url, `http://${req.header("Host")}`].map((address) => parseUrl(address)?.hostname);
    if (asked.every((name) => name !== undefined && names.includes(name))) return next();
    return text("This server answers to no such name.", 421);
  };
}

/**
 * Ends the connection where a body breaks off, so that nobody takes the answer for whole. Node's server would do the same, and write a stack
 * trace to the log.
 */
async function withoutStreamErrors(context: Context<Served>, next: () => Promise<void>): Promise<void> {
  await next();
  const { res, env } = context;
  const reader = res.body?.getReader();
  if (!reader) return;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const read = await reader.read().catch(() => null);
      if (read?.value) controller.enqueue(read.value);
      if (read && !read.done) return;
      if (!read) env.outgoing.destroy();
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  context.res = new Response(body, res);
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
    // The redirect is passed on, and the add-in refuses it: following it here would send the key to wherever it leads.
    redirect: "manual",
    signal: AbortSignal.any([req.raw.signal, AbortSignal.timeout(relayTimeoutMs)]),
  }).catch((failure: Error) => new Response(null, { status: failure.name === "TimeoutError" ? 504 : 502 }));
  for (const name of [...answer.headers.keys()]) {
    if (!passes.has(name)) answer.headers.delete(name);
  }
  return answer;
}
