/** The reference service on a socket of this machine: `npm run service -- --port 8080 --limits 60,1000,10000`. */
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import type { RateLimits } from "./rate-limit";
import { createService } from "./service";

const hostname = "127.0.0.1";

/** In bytes. Lists of ids stand in the address, which counts as a header; Node's own limit is 16 KiB. */
const maxHeaderSize = 65_536;

function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) quit(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}

function parseLimits(text: string): RateLimits {
  const [minute = 0, hour = 0, day = 0] = text.split(",").map(Number);
  if (!/^[1-9]\d*(,[1-9]\d*){2}$/.test(text)) {
    quit(`--limits takes requests per minute, hour and day, such as 30,600,5000, not "${text}".`);
  }
  return { minute, hour, day };
}

function readOptions(): { port: string; limits?: string | undefined } {
  try {
    return parseArgs({ options: { port: { type: "string", default: "8080" }, limits: { type: "string" } } })
      .values;
  } catch (error) {
    return quit(`${(error as Error).message}\nUse: npm run service -- [--port N] [--limits MINUTE,HOUR,DAY]`);
  }
}

const options = readOptions();
const port = parsePort(options.port);
const { fetch } = createService(options.limits === undefined ? {} : { limits: parseLimits(options.limits) });

const server = serve({ fetch, port, hostname, serverOptions: { maxHeaderSize } }, (info) => {
  console.log(`listening on http://${hostname}:${info.port}`);
});

server.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EADDRINUSE") quit(`Port ${port} is in use. Choose another one with --port.`);
  if (error.code === "EACCES") quit(`Port ${port} needs more rights. Choose one above 1023 with --port.`);
  throw error;
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
}
