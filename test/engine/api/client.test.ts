import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../../src/engine/api/client";
import type { Failure } from "../../../src/errors";
import { createTransport, type ExchangeOptions } from "../../../src/engine/transport/exchange";
import { connected, untilAborted } from "../../recorded-service";

// A refusal is masked by a script that is loaded on demand, which in Node takes longer than the other answers.
await import("../../../src/key-forms");

describe("a CSV file", () => {
  const matrix = { ahj_ids: [1], data_point_type_ids: [1056] };
  /** The file that a client gets if the service answers with this text and this media type. */
  function exported(text: string, contentType: string | null) {
    const { client } = connected("demo-national", {
      intercept: () => {
        const answer = new Response(text);
        answer.headers.delete("Content-Type");
        if (contentType !== null) answer.headers.set("Content-Type", contentType);
        return Promise.resolve(answer);
      },
    });
    return client.exportMatrix(matrix).then(({ data: { bytes, charset }, warnings }) => ({
      ...{ text: new TextDecoder().decode(bytes), charset, warnings },
    }));
  }

  it.each([
    ["text/csv", null],
    [" TEXT/CSV ; charset=utf-8", "utf-8"],
    ['text/csv; header=present; charset="windows-1252" ', "windows-1252"],
    ["text/csv; charset=", null],
    ["text/csv; mycharset=utf-8", null],
  ])("of media type %j has the character set %j and its bytes as they came", async (contentType, charset) => {
    expect(await exported("a,b\r\n1,2\r\n", contentType)).toEqual({
      ...{ text: "a,b\r\n1,2\r\n", charset, warnings: [] },
    });
  });

  it.each(["text/html", "application/json", "text/csv2", null])(
    "of media type %j is refused",
    async (contentType) => {
      await expect(exported("<p>Log in</p>", contentType)).rejects.toMatchObject({
        kind: "unexpected-answer",
        detail: "It is not a CSV file, so nothing was saved.",
      });
    },
  );
});

describe("a refused key", () => {
  const wholeList = { page: 1, page_size: 500 };
  const endOf = <Result>(promise: Promise<Result>) => promise.catch((thrown: unknown) => thrown as Failure);

  /** A client whose second request is answered with `answer`, which the test calls when it wants; later requests wait. */
  function refusing(answer: () => Response) {
    let refuse = () => {};
    const decided = new Promise<void>((resolve) => (refuse = resolve));
    let isOver = false;
    const connection = connected("demo-national", {
      async intercept(request) {
        if (isOver || connection.requests.length === 1) return undefined;
        if (connection.requests.length > 2) return untilAborted(request);
        await decided;
        isOver = true;
        return answer();
      },
    });
    return { ...connection, refuse: () => refuse() };
  }

  const unauthorized = () => new Response("", { status: 401 });
  const aboutKey = () =>
    Response.json({ detail: [{ loc: ["header", "x-api-key"], msg: "Field required" }] }, { status: 422 });

  /** Asks for pages, and waits until as many requests are sent as may be under way. */
  async function askForPages(
    { client, requests }: ReturnType<typeof refusing>,
    count: number,
    options?: ExchangeOptions,
  ) {
    const ends = Array.from({ length: count }, (_, page) =>
      endOf(client.listTypes({ page: page + 1, page_size: 5 }, options)),
    );
    await ends[0];
    // The first answer raises the number of requests in flight.
    await vi.waitFor(() => expect(requests.length, "requests under way").toBeGreaterThan(2));
    for (let sent = 0; sent < requests.length;) {
      sent = requests.length;
      for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    }
    return ends;
  }

  it("stops all requests under way or waiting with its failure, and sends nothing more", async () => {
    const service = refusing(unauthorized);
    const { requests, refuse } = service;
    const ends = await askForPages(service, 66);
    const sent = requests.length;
    expect(sent).toBeGreaterThan(2);
    expect(sent).toBeLessThan(10);
    refuse();
    const [first, refused, ...others] = await Promise.all(ends);
    expect(first).toHaveProperty("data");
    expect(refused).toMatchObject({ kind: "wrong-key", status: 401 });
    expect(others).toHaveLength(64);
    for (const end of others) expect(end).toBe(refused);
    expect(requests).toHaveLength(sent);
  });

  it("lets later calls be sent: the user may have mended it", async () => {
    const service = refusing(unauthorized);
    const { client, requests, refuse } = service;
    const ends = await askForPages(service, 9);
    refuse();
    await Promise.all(ends);
    const sent = requests.length;
    expect((await client.listTypes(wholeList)).data.items).toHaveLength(334);
    expect(requests).toHaveLength(sent + 1);
  });

  it("may be reported by a 422 about its header", async () => {
    const service = refusing(aboutKey);
    const { refuse } = service;
    const ends = await askForPages(service, 30);
    refuse();
    const [, refused, ...others] = await Promise.all(ends);
    expect(refused).toMatchObject({ kind: "wrong-key", status: 422 });
    for (const end of others) expect(end).toBe(refused);
  });

  it("is not concluded from a 403 of another call, which may concern one endpoint only", async () => {
    const { client } = connected("demo-national", {
      intercept: ({ url }) =>
        url.includes("units") ? Response.json({ error: "FORBIDDEN" }, { status: 403 }) : undefined,
    });
    const [units, types] = await Promise.all([
      endOf(client.listUnits({})),
      endOf(client.listTypes(wholeList)),
    ]);
    expect(units).toMatchObject({ kind: "no-rights", status: 403 });
    expect(types).toHaveProperty("data");
  });

  it("leaves a call that its caller stops cancelled", async () => {
    const service = refusing(unauthorized);
    const { refuse } = service;
    const stop = new AbortController();
    const ends = await askForPages(service, 9, { signal: stop.signal });
    stop.abort();
    refuse();
    const [, ...others] = await Promise.all(ends);
    expect(others).toMatchObject(Array(8).fill({ kind: "cancelled" }));
  });

  it("counts once for the requests that were under way together: a call in between goes on", async () => {
    const answers: ((answer: Response) => void)[] = [];
    const signals: (AbortSignal | null | undefined)[] = [];
    const fetch: typeof globalThis.fetch = (_, init) => {
      signals.push(init?.signal);
      return new Promise((resolve, reject) => {
        answers.push(resolve);
        init?.signal?.addEventListener("abort", reject);
      });
    };
    const service = { baseUrl: "https://service.test", key: "k3y" };
    const client = createClient(createTransport(service, { fetch, random: () => 0.5 }));
    const units = () => new Response('{"response_type":"success","data":[]}');
    const together = [endOf(client.listUnits({})), endOf(client.listCategories({}))];
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[0]?.(new Response("", { status: 401 }));
    const refused = await together[0];
    expect(refused).toMatchObject({ kind: "wrong-key" });
    expect(await together[1]).toBe(refused);
    const later = endOf(client.listUnits({}));
    await vi.waitFor(() => expect(answers).toHaveLength(3));
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, false]);
    answers[2]?.(units());
    expect(await later).toMatchObject({ data: [] });
  });

  it("leaves no listener on the callers' signal, which has one listener however many calls share it", async () => {
    const service = refusing(unauthorized);
    const { refuse } = service;
    const { signal } = new AbortController();
    const ends = await askForPages(service, 30, { signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    refuse();
    await Promise.all(ends);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
