/**
 * Asks the reference service through the engine, in a process without Excel, a page or React, and prints the answer. engine.test.ts
 * starts it.
 */
import { createService } from "../../reference-service/service";
import { createClient } from "../../src/engine/api/client";
import { createLookup } from "../../src/engine/lookup/lookup";
import { createTransport } from "../../src/engine/transport/exchange";

const credentials = { baseUrl: "https://service.example", key: "demo-national" };
const service = createService();
const client = createClient(
  createTransport(credentials, {
    fetch: async (input, init) => service.fetch(new Request(input as string, init)),
  }),
);
const { values } = await createLookup(client).ask({ questions: [{ ahj: "06001", type: 1003 }] });
const foreign = ["Excel", "Office", "document", "window"].filter((name) => name in globalThis);
console.log(JSON.stringify({ values, foreign }));
