/** The reference service in a process of its own, which delays each answer by the same time. It ends with its parent. */
import { serve } from "@hono/node-server";
import { createService } from "../../../reference-service/service";
import { addedLatencyMs } from "./service-process";

const service = createService();

/** Size in bytes, as in the reference service's own server. */
const maxHeaderSize = 65_536;

const server = serve(
  {
    async fetch(request: Request) {
      await new Promise((resolve) => setTimeout(resolve, addedLatencyMs));
      return service.fetch(request);
    },
    port: 0,
    hostname: "127.0.0.1",
    // Connections outlast the pauses between two benches.
    serverOptions: { maxHeaderSize, keepAliveTimeout: 120_000 },
  },
  ({ port }) => process.send?.({ port }),
);

process.once("disconnect", () => {
  server.close();
  process.exit(0);
});
