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

describe("a list of which the service counts more than it lists", () => {
  /** The service without the first record of a list, which the total still counts. */
  const lacking = (pattern: RegExp, isThere = () => false): Interception => {
    const service = createService();
    return async (request) => {
      if (isThere() || !pattern.test(new URL(request.url).pathname)) return undefined;
      const body = (await (await service.fetch(request.clone())).json()) as { data: { items: unknown[] } };
      body.data.items.splice(0, 1);
      return Response.json(body);
    };
  };
  const gap = (what: string) => ({
    code: "#N/A",
    message: expect.stringContaining(`The service counts 1 ${what} that it does not list.`) as string,
  });
  const types = /\/v1\/data-points\/types$/;

  it.each([
    ["AHJS", ["NV"], /\/v1\/ahjs$/, "jurisdiction"],
    ["TYPES", [], types, "question"],
    ["TYPES", [], /\/v1\/categories$/, "category"],
    ["CATEGORIES", [], /\/v1\/categories$/, "category"],
    ["COLLECTIONS", [], /\/v1\/collections$/, "collection"],
  ] as const)(
    "is read once more, then told as a gap and not shown: %s(%j)",
    async (name, args, pattern, what) => {
      let isThere = false;
      const { requests } = start({ intercept: lacking(pattern, () => isThere) });
      expect(await result(name, ...args)).toMatchObject(gap(what));
      const firstPages = requests.filter(
        (each) => pattern.test(each.replace(/^GET |\?.*$/g, "")) && /page=1&/.test(each),
      );
      expect(firstPages.length).toBeGreaterThanOrEqual(2);
      // The list is not kept, so the whole one is shown as soon as it is there.
      isThere = true;
      await pass(86_400_000);
      expect(await result(name, ...args)).toBeInstanceOf(Array);
    },
  );

  it("says of no question and no collection that there is none", async () => {
    start();
    const [, [id, name]] = (await result("TYPES")) as [unknown, [number, string]];
    const [, ...collections] = (await result("COLLECTIONS")) as [unknown, ...[string][]];
    start({ intercept: lacking(types) });
    expect(await result("VALUE", "06001", name)).toMatchObject(gap("question"));
    expect(await result("VALUE", "06001", id, "updated_at")).toMatchObject(gap("question"));
    start({ intercept: lacking(/\/v1\/collections$/) });
    const shown = await Promise.all(collections.map(([each]) => result("COLLECTION", each, "06001")));
    expect(shown.filter((each) => each instanceof Error)).toMatchObject([gap("collection")]);
  });

  it("still shows what it lists, wherever the whole list is not needed", async () => {
    start({ intercept: lacking(/\/v1\/(data-points\/types|collections)$/) });
    expect(await result("VALUE", "06001", "Electrical Code in Force")).toMatch(/NEC/);
    expect(await result("VALUE", "06001", 1003, "updated_at")).not.toBeInstanceOf(Error);
  });
});

describe("a 404 without words of the service, such as a gateway's page", () => {
  const page = () =>
    new Response("<html>Not here</html>", { status: 404, headers: { "Content-Type": "text/html" } });

  it.each([
    ["the details", /\/v1\/ahjs\/\d+$/, ["AHJ", "ahj:11805", "county"]],
    ["a geoID", /\/v1\/geoid\/\d+$/, ["AHJ", "06001"]],
    ["an AHJ id", /\/v1\/ahjs\/\d+$/, ["AHJ", "ahj:11805"]],
  ] as const)("says nothing about %s of an AHJ", async (_, pattern, [name, ...args]) => {
    start({ intercept: (request) => (pattern.test(new URL(request.url).pathname) ? page() : undefined) });
    expect(await result(name, ...args)).toMatchObject({
      code: "#N/A",
      message: expect.stringContaining(
        "The service did not find this, or you have no access to it.",
      ) as string,
    });
  });
});
