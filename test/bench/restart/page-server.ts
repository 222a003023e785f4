import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PageServer {
  url: string;
  stop(): void;
}

/**
 * Serves the page on an address that stays the same from visit to visit, since a browser's storage belongs to an origin. The page allows
 * its memory to be measured.
 */
export async function servePage(scriptPath: string): Promise<PageServer> {
  const script = await readFile(scriptPath);
  const page = '<!doctype html><meta charset="utf-8"><title>Restart</title><script src="page.js"></script>';
  const server = createServer(({ url }, response) => {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    if (url === "/page.js") response.setHeader("Content-Type", "text/javascript").end(script);
    else response.setHeader("Content-Type", "text/html").end(page);
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
