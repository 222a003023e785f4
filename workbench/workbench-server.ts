import { createServer } from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { ServerType } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { proxy } from "hono/proxy";
import { certificate } from "./certificate";
import type { SetupInput } from "./page/setup";

export type WorkbenchSetup = Omit<SetupInput, "addinBase">;

export interface WorkbenchOptions {
  /** 0 takes any free port. */
  port: number;
  /** The built add-in: manifest.xml and what it names. */
  addinDir: string;
  /** Where a server gives the add-in out, with a slash at the end: fetched from there instead. */
  addinUrl?: string;
  /** The built page: index.html and its scripts. */
  pageDir: string;
  /** Handed to the page; a function is asked at each start of the page. */
  setup?: WorkbenchSetup | (() => Promise<WorkbenchSetup>);
  /** Answers everything below /v1/. */
  mount?: (request: Request) => Response | Promise<Response>;
  /** Where the certificate is kept, so that a browser has to be told only once a year. */
  certificateDir?: string;
}

const CDN_OFFICE_JS = "https://appsforoffice.microsoft.com/lib/1/hosted/office.js";
const ADDIN = "/addin/";
const OFFICE_JS = "/office-js/";
/** Scripts whose name tells their content, and those of the installed package: browsers keep them compiled. */
const unchanging = /^\/addin\/.*\.[0-9a-f]{8}\.js$|^\/office-js\//;

/** A page as built, but for the one address of office.js, which becomes that of the installed package. */
export function withLocalOfficeJs(html: string): string {
  return html.replace(CDN_OFFICE_JS, `${OFFICE_JS}office.js`);
}

/**
 * Serves the workbench to this computer over https: the page, the add-in, Microsoft's office.js as installed and
 * the mounted service. Rejects with a sentence when the port is taken.
 */
export async function startWorkbench(
  options: WorkbenchOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const { certificateDir = join("build", "certificate") } = options;
  const credentials = await certificate(certificateDir);
  const { fetch } = routes(options);
  const listen = (hostname: string, port: number) =>
    new Promise<ServerType>((done, fail) => {
      const server = createAdaptorServer({ fetch, createServer, serverOptions: credentials });
      server.once("error", fail);
      server.listen(port, hostname, () => done(server));
    });

  const server = await listen("127.0.0.1", options.port).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "EADDRINUSE"
      ? new Error(`Port ${options.port} is already in use.`, { cause })
      : cause;
  });
  const { port } = server.address() as AddressInfo;
  // "localhost" may mean either address; a computer without IPv6 does with the first.
  const twin = await listen("::1", port).catch(() => null);
  const stop = (running: ServerType) =>
    new Promise<void>((done) => {
      running.close(() => done());
      if ("closeAllConnections" in running) running.closeAllConnections();
    });
  return {
    url: `https://localhost:${port}/`,
    close: async () => void (await Promise.all([stop(server), twin && stop(twin)])),
  };
}

function routes({ addinDir, addinUrl, pageDir, setup, mount }: WorkbenchOptions): Hono {
  const officeJsDir = dirname(createRequire(import.meta.url).resolve("@microsoft/office-js/dist/office.js"));
  const below = (prefix: string, root: string) =>
    serveStatic({ root, rewriteRequestPath: (path) => path.slice(prefix.length - 1) });
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("Cache-Control", unchanging.test(context.req.path) ? "max-age=86400" : "no-store");
  });
  if (mount) app.all("/v1/*", (context) => mount(context.req.raw));
  app.get("/workbench/setup.json", async (context) => {
    const told = typeof setup === "function" ? await setup() : setup;
    return context.json({ addinBase: ADDIN, ...told });
  });
  app.get(`${ADDIN}*`, async (context, next) => {
    await next();
    if (context.res.headers.get("Content-Type")?.startsWith("text/html") !== true) return;
    // As Latin-1 every byte is one character and stays what it is.
    const html = Buffer.from(await context.res.arrayBuffer()).toString("latin1");
    const { status } = context.res;
    const headers = new Headers(context.res.headers);
    headers.delete("Content-Length");
    context.res = undefined;
    context.res = new Response(Buffer.from(withLocalOfficeJs(html), "latin1"), { status, headers });
  });
  app.get(
    `${ADDIN}*`,
    addinUrl === undefined
      ? below(ADDIN, addinDir)
      : (context) => proxy(addinUrl + context.req.path.slice(ADDIN.length)),
  );
  app.get(`${OFFICE_JS}*`, below(OFFICE_JS, officeJsDir));
  app.get("*", serveStatic({ root: pageDir }));
  app.notFound((context) => context.text(`There is nothing at ${context.req.path}.`, 404));
  return app;
}
