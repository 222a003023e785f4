/**
 * The reference service on a socket of this machine: `npm run service -- --port 8080 --limits 60,1000,10000`, also
 * with other readings of the interface: `--quirks other-order,string-ids`; and with the real country's jurisdictions:
 * `--gazetteer FILE`, once for each Census Gazetteer file.
 */
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { loadGazetteer } from "./gazetteer";
import { parseQuirkNames, quirkNames, quirks, type QuirkName } from "./quirks";
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

function parseQuirks(text: string): QuirkName[] {
  const parsed = parseQuirkNames(text);
  return "problem" in parsed ? quit(`--quirks: ${parsed.problem}`) : parsed.names;
}

const usage =
  "Use: npm run service -- [--port N] [--limits MINUTE,HOUR,DAY] [--quirks NAME,NAME] [--gazetteer FILE]... [--help]";

function help(): string {
  const width = Math.max(...quirkNames.map(({ length }) => length));
  const list = quirkNames.map((name) => `  ${name.padEnd(width)}  ${quirks[name].changes}`);
  return [
    usage,
    "",
    "--gazetteer reads a Census Gazetteer file of counties, places or county subdivisions (unpacked), in place of the",
    "generated ones; give it once for each file. Their rules stay invented.",
    "",
    "Quirks, other lawful readings of what the interface leaves open:",
    ...list,
  ].join("\n");
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        port: { type: "string", default: "8080" },
        limits: { type: "string" },
        quirks: { type: "string" },
        gazetteer: { type: "string", multiple: true },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return quit(`${(error as Error).message}\n${usage}`);
  }
}

const options = readOptions();
if (options.help) {
  console.log(help());
  process.exit(0);
}
const port = parsePort(options.port);
const { fetch } = createService({
  ...(options.limits !== undefined && { limits: parseLimits(options.limits) }),
  ...(options.quirks !== undefined && { quirks: parseQuirks(options.quirks) }),
  ...(options.gazetteer !== undefined && { geography: loadGazetteer(options.gazetteer, quit) }),
});

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
