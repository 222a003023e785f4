/** The reference service in a process of its own, each answer late by the same time. Ends with its parent. */
import { serve } from "@hono/node-server";
import { createService } from "../../../reference-service/service";
import { addedLatencyMs } from "./service-process";

const service = createService();

/** In bytes, as the reference service's own server. */
const maxHeaderSize = 65_536;

const server = serve(
  {
    async fetch(request: Request) {
      await new Promise((resolve) => setTimeout(resolve, addedLatencyMs));
      return service.fetch(request);
    },
    port: 0,
    hostname: "127.0.0.1",
    // Connections outlive the pauses between two benches.
    serverOptions: { maxHeaderSize, keepAliveTimeout: 120_000 },
  },
  ({ port }) => process.send?.({ port }),
);

process.once("disconnect", () => {
  server.close();
  process.exit(0);
});
