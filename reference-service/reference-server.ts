/**
 * Runs the reference service on a socket of this machine: `npm run service -- --port 8080 --limits 60,1000,10000`. `--quirks
 * other-order,string-ids` gives it other readings of docs/interface.md; `--gazetteer FILE`, once for each Census Gazetteer file, the real
 * country's jurisdictions.
 */
import { serve } from "@hono/node-server";
import { loadGazetteer } from "./geography/gazetteer";
import { readOptions } from "./options";
import { createService } from "./service";

const hostname = "127.0.0.1";

/** In bytes. Lists of ids stand in the address, which counts as a header, and Node's own limit is only 16 KiB. */
const maxHeaderSize = 65_536;

function quit(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

const options = readOptions(process.argv.slice(2));
if ("problem" in options) quit(options.problem);
if ("help" in options) {
  console.log(options.help);
  process.exit(0);
}
const { port, gazetteer, ...played } = options;
const { fetch } = createService({
  ...played,
  ...(gazetteer && { geography: loadGazetteer(gazetteer, quit) }),
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
