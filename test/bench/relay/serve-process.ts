/** Runs `npm run serve` in a process of its own: takes the service's address as argument, sends the port back, and ends with its parent. */
import { resolve } from "node:path";
import { startServer } from "../../../deployment/file-server";

const [service = ""] = process.argv.slice(2);
const { port } = await startServer({
  service,
  dist: resolve("dist"),
  folder: "/",
  hostname: "localhost",
  port: 0,
  certificate: null,
});
process.once("disconnect", () => process.exit());
process.send?.({ port });
