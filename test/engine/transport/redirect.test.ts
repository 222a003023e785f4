import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTransport } from "../../../src/engine/transport/exchange";

const servers: Server[] = [];

/** A server on a port of its own, with the requests that it got. */
async function listening(answer: { status: number; location?: string }) {
  const asked: { url: string | undefined; key: string | string[] | undefined }[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push({ url, key: headers["x-api-key"] });
    response.writeHead(answer.status, answer.location ? { Location: answer.location } : {}).end("{}");
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let stranger: Awaited<ReturnType<typeof listening>>;
beforeEach(async () => {
  stranger = await listening({ status: 200 });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe("an answer that leads to another host", () => {
  it("is not followed, whatever its status", async () => {
    const statuses = [301, 302, 303, 307, 308];
    await Promise.all(
      statuses.map(async (status) => {
        const service = await listening({ status, location: `${stranger.url}/v1/ahjs` });
        const transport = createTransport(
          { baseUrl: service.url, key: "a-key" },
          { fetch, signal: new AbortController().signal, random: () => 0 },
        );
        const sending = transport.send({ method: "GET", path: "/v1/ahjs" });
        await expect(sending).rejects.toMatchObject({ kind: "unreachable" });
        expect(service.asked[0]).toEqual({ url: "/v1/ahjs", key: "a-key" });
      }),
    );
    expect(stranger.asked).toEqual([]);
  });
});
