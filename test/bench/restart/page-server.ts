import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { withLocalOfficeJs } from "../../../workbench/workbench-server";

export interface PageServer {
  url: string;
  stop(): void;
}

/** Serves a page with one script. */
export async function servePage(scriptPath: string): Promise<PageServer> {
  const script = await readFile(scriptPath);
  const page = '<!doctype html><meta charset="utf-8"><title>Restart</title><script src="page.js"></script>';
  return serve(page, async () => script);
}

/** Serves the page of the built add-in, with another script in place of office.js. */
export async function serveAddin(folder: string, officePath: string): Promise<PageServer> {
  const page = withLocalOfficeJs(await readFile(join(folder, "taskpane.html"), "utf8"));
  return serve(page, (name) => readFile(name === "office.js" ? officePath : join(folder, name)));
}

/**
 * Serves on an address that stays the same from visit to visit, since a browser's storage belongs to an origin. The page allows its memory
 * to be measured.
 */
async function serve(page: string, scriptNamed: (name: string) => Promise<Buffer>): Promise<PageServer> {
  const server = createServer(({ url = "/" }, response) => {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    if (!url.endsWith(".js")) return response.setHeader("Content-Type", "text/html").end(page);
    scriptNamed(basename(url)).then(
      (script) => response.setHeader("Content-Type", "text/javascript").end(script),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
