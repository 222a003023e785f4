import { createServer } from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { ServerType } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { type AddinPlace, type PlacedAddin, placeAddin } from "./addin/addin-source";
import { certificate } from "./certificate";
import type { SetupInput } from "./page/setup";

export type WorkbenchSetup = Omit<SetupInput, "addin">;

export interface WorkbenchOptions extends AddinPlace {
  /** 0 takes any free port. */
  port: number;
  /** The address to listen at, such as 0.0.0.0 for all of the machine's. By default only this computer is answered. */
  host?: string | undefined;
  /** The built page: index.html and its scripts. */
  pageDir: string;
  /** Handed to the page; a function is asked at each start of the page. */
  setup?: WorkbenchSetup | (() => Promise<WorkbenchSetup>);
  /** Answers everything below /v1/. */
  mount?: (request: Request) => Response | Promise<Response>;
  /** Where the certificate is kept, so that a browser has to be told only once a year. */
  certificateDir?: string;
}

/**
 * Microsoft's addresses of office.js, of the time since September 2026 and of the time before: its versions, the preview, the readable form
 * and the part for functions alone.
 */
const cdnOfficeJs =
  /https:\/\/(?:officeapis\.public\.onecdn\.static\.microsoft|appsforoffice(?:\.edog)?\.(?:microsoft|officeapps\.live|cdn\.partner\.office365)\.(?:com|cn)\/lib)\/[\w.]+\/(?:hosted\/)?((?:office|custom-functions-runtime)(?:\.debug)?\.js)(?=["'?\s>])/g;
const ADDIN = "/addin/";
const OFFICE_JS = "/office-js/";
/** Scripts whose name tells their content, and those of the installed package: browsers keep them compiled. */
const unchanging = /^\/addin\/.*\.[0-9a-f]{8}\.js$|^\/office-js\//;

/** A page as built, but for the addresses of office.js, which become those of the installed package. */
export function withLocalOfficeJs(html: string): string {
  return html.replaceAll(cdnOfficeJs, `${OFFICE_JS}$1`);
}

/**
 * Serves the workbench over https, to this computer unless `host` says otherwise: the page, the add-in, Microsoft's office.js as installed
 * and the mounted service. Rejects with a sentence when the port is taken.
 */
export async function startWorkbench(
  options: WorkbenchOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const { certificateDir = join("build", "certificate"), host } = options;
  const credentials = await certificate(certificateDir);
  const { fetch } = routes(options);
  const listen = (hostname: string, port: number) =>
    new Promise<ServerType>((done, fail) => {
      const server = createAdaptorServer({
        fetch,
        createServer,
        serverOptions: credentials,
        overrideGlobalObjects: false,
      });
      server.once("error", fail);
      server.listen(port, hostname, () => done(server));
    });

  const server = await listen(host ?? "127.0.0.1", options.port).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "EADDRINUSE"
      ? new Error(`Port ${options.port} is already in use.`, { cause })
      : cause;
  });
  const { port } = server.address() as AddressInfo;
  // "localhost" may mean either address; a computer without IPv6 does with the first.
  const twin = host === undefined ? await listen("::1", port).catch(() => null) : null;
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

function routes({ pageDir, setup, mount, ...place }: WorkbenchOptions): Hono {
  const officeJsDir = dirname(createRequire(import.meta.url).resolve("@microsoft/office-js/dist/office.js"));
  const below = (prefix: string, root: string) =>
    serveStatic({ root, rewriteRequestPath: (path) => path.slice(prefix.length - 1) });
  /** As of the page's last start: the add-in may be built anew while the workbench runs. */
  let placed: Promise<PlacedAddin> | undefined;
  const addinAnswer = async (path: string) => {
    placed ??= placeAddin(place);
    return asServed(await (await placed).get(path));
  };

  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("Cache-Control", unchanging.test(context.req.path) ? "max-age=86400" : "no-store");
  });
  if (mount) app.all("/v1/*", (context) => mount(context.req.raw));
  app.get("/workbench/setup.json", async (context) => {
    placed = placeAddin(place);
    const { manifest, root } = await placed;
    const told = typeof setup === "function" ? await setup() : setup;
    return context.json({ addin: { base: ADDIN, root, manifest }, ...told });
  });
  app.get(`${ADDIN}*`, async (context, next) => {
    const answer = await addinAnswer(context.req.path.slice(ADDIN.length) + searchOf(context.req.url));
    return answer.status === 404 ? next() : answer;
  });
  app.get(`${OFFICE_JS}*`, below(OFFICE_JS, officeJsDir));
  app.get("*", serveStatic({ root: pageDir }));
  // Files that a page of the add-in asks for by a path from its own server's root, such as /assets/icon.png.
  app.get("*", async (context, next) => {
    const { pathname } = new URL((await placed)?.root ?? "https://addin.invalid/none/");
    if (!context.req.path.startsWith(pathname)) return next();
    const answer = await addinAnswer(context.req.path.slice(pathname.length) + searchOf(context.req.url));
    return answer.status === 404 ? next() : answer;
  });
  app.notFound((context) => context.text(`There is nothing at ${context.req.path}.`, 404));
  app.onError((error, context) => context.text(error.message, 502));
  return app;
}

const searchOf = (url: string) => new URL(url).search;

async function asServed(answer: Response): Promise<Response> {
  const headers = new Headers(answer.headers);
  if (headers.get("Content-Type")?.startsWith("text/html") !== true) return new Response(answer.body, answer);
  // As Latin-1 every byte is one character and stays what it is.
  const html = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  headers.delete("Content-Length");
  return new Response(Buffer.from(withLocalOfficeJs(html), "latin1"), { status: answer.status, headers });
}
