import { describe, expect, it } from "vitest";
import { createService } from "../../reference-service/service";
import type { Interception } from "../recorded-service";
import { pass, playExcel, result, start } from "./excel";

playExcel();

const mixedUp = "It is about something else than what was asked for.";
const refused = { code: "#N/A", message: expect.stringContaining(mixedUp) as string };

/** Answers these requests as if another address, or another body, had been asked for: a gateway mixes up its answers. */
function mixingUp(
  pattern: RegExp,
  other: (url: URL, body: object | undefined) => object | undefined | void,
  isMixed = () => true,
): Interception {
  const service = createService();
  return async (request) => {
    const url = new URL(request.url);
    if (!isMixed() || !pattern.test(url.pathname)) return undefined;
    const sent = request.method === "POST" ? ((await request.clone().json()) as object) : undefined;
    const body = other(url, sent) ?? sent;
    const { method, headers } = request;
    return service.fetch(new Request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
  };
}

describe("an answer that a gateway has mixed up is shown by no formula, and not kept:", () => {
  it("the details of another AHJ", async () => {
    start({ intercept: mixingUp(/\/v1\/ahjs\/\d+$/, (url) => void (url.pathname = "/v1/ahjs/10243")) });
    expect(await result("AHJ", "ahj:11805", "county")).toMatchObject(refused);
  });

  it("the AHJ of another geoID", async () => {
    start({ intercept: mixingUp(/\/v1\/geoid\/\d+$/, (url) => void (url.pathname = "/v1/geoid/06003")) });
    expect(await result("AHJ", "06001")).toMatchObject(refused);
  });

  it("the results of another collection", async () => {
    start();
    const [, [first], [second]] = (await result("COLLECTIONS")) as [unknown, [string], [string]];
    const intercept = mixingUp(/\/data$/, (url) => void (url.pathname = url.pathname.replace(first, second)));
    start({ intercept });
    expect(await result("COLLECTION", first, "06001")).toMatchObject(refused);
  });

  it.each([
    ["of another AHJ", { ahj_ids: [10_244] }],
    ["of another question", { data_point_type_ids: [1030] }],
  ])("the values %s", async (_, other) => {
    let isMixed = true;
    const intercept = mixingUp(
      /\/v1\/(data-points|reports\/matrix)$/,
      (url, body) => {
        for (const [name, ids] of Object.entries(other))
          if (url.searchParams.has(name)) url.searchParams.set(name, String(ids));
        return body && { ...body, ...other };
      },
      () => isMixed,
    );
    start({ intercept });
    expect(await result("VALUE", "06001", 1003, "updated_at")).toMatchObject(refused);
    expect(await result("VALUE", "06001", 1056)).toMatchObject(refused);
    expect(await result("VALUE", "06001", 1056, "status")).toBe("unreachable");
    isMixed = false;
    await pass(60_000);
    expect(await result("VALUE", "06001", 1056)).toBe(30);
  });
});

describe("an answer in another encoding than UTF-8", () => {
  const inLatin1 = (type: string): Interception => {
    const service = createService();
    return async (request) => {
      const answer = await service.fetch(request.clone());
      if (!request.url.endsWith("/matrix")) return answer;
      const text = (await answer.text()).replaceAll(/"value":"[^"]*"/g, '"value":"§ 5, Cañon"');
      const bytes = new Uint8Array(Buffer.from(text, "latin1"));
      return new Response(bytes, { headers: { "Content-Type": type } });
    };
  };

  it("is read as its Content-Type says", async () => {
    start({ intercept: inLatin1("application/json; charset=ISO-8859-1") });
    expect(await result("VALUE", "06001", 1003)).toBe("§ 5, Cañon");
  });

  it.each(["application/json", "application/json; charset=utf-8", "application/json; charset=x-none"])(
    "is refused as %s, and shown with no replacement character",
    async (type) => {
      start({ intercept: inLatin1(type) });
      expect(await result("VALUE", "06001", 1003)).toMatchObject({
        code: "#N/A",
        message: expect.stringContaining("The answer is not what a regulatory data service sends.") as string,
      });
    },
  );

  it("is UTF-8, though its Content-Type says otherwise, if its bytes are; a replacement character that was published stays", async () => {
    const service = createService();
    start({
      async intercept(request) {
        const answer = await service.fetch(request.clone());
        if (!request.url.endsWith("/matrix")) return answer;
        const text = (await answer.text()).replaceAll(/"value":"[^"]*"/g, '"value":"Cañon \ufffd \\ud800"');
        return new Response(text, { headers: { "Content-Type": "application/json; charset=iso-8859-1" } });
      },
    });
    expect(await result("VALUE", "06001", 1003)).toMatch(/^Cañon \ufffd /);
  });
});
