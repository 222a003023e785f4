/** `npm run serve` in a process of its own: the service's address comes as argument, the port goes back. Ends with its parent. */
import { resolve } from "node:path";
import { startServer } from "../../../deployment/file-server";

const [service = ""] = process.argv.slice(2);
const { port } = await startServer({
  service,
  dist: resolve("dist"),
  folder: "/",
  port: 0,
  certificate: null,
});
process.once("disconnect", () => process.exit());
process.send?.({ port });
