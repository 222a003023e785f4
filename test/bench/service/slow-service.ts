/** The reference service in a process of its own, which delays each answer by the same time. It ends with its parent. */
import { performance } from "node:perf_hooks";
import { type Http2Bindings, type HttpBindings, serve } from "@hono/node-server";
import { createService } from "../../../reference-service/service";
import { addedLatencyMs, type NotedRequest, type ServiceOrder } from "./service-process";

let service = createService();
/** Null as long as nobody wants to know. */
let noted: NotedRequest[] | null = null;

/** Size in bytes, as in the reference service's own server. */
const maxHeaderSize = 65_536;

const server = serve(
  {
    async fetch(request: Request, { outgoing }: HttpBindings | Http2Bindings) {
      if (noted) await note(noted, request, outgoing);
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

async function note(
  all: NotedRequest[],
  request: Request,
  outgoing: (HttpBindings | Http2Bindings)["outgoing"],
) {
  const { pathname, search } = new URL(request.url);
  const startMs = performance.now();
  outgoing.once("close", () => all.push({ ...sent, startMs, endMs: performance.now() }));
  const body = request.method === "POST" ? await request.clone().text() : null;
  const sent = { method: request.method, path: pathname + search, body };
}

process.on("message", (order: ServiceOrder) => {
  if (order === "tell noted") process.send?.(noted?.splice(0) ?? []);
  else {
    service = createService(order);
    noted = [];
  }
});

process.once("disconnect", () => {
  server.close();
  process.exit(0);
});
