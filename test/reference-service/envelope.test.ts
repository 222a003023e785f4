import { describe, expect, it, vi } from "vitest";
import type { Page } from "../../src/engine/api/schemas";
import { allItems, asking } from "./asking";

const ask = asking("demo-national");

interface HasId {
  id: number;
}

describe("Response envelope", () => {
  it.each(["/", "/v1", "/v1/ahjs/", "/v1/reports", "/v2/ahjs", "/v1/ahjs/10001/more"])(
    "an unknown path is 404 with the error envelope: %s",
    async (path) => {
      const { status, body } = await ask.get(path);
      expect(status).toBe(404);
      expect(body).toMatchObject({ response_type: "error", error: "NOT_FOUND", status_code: 404 });
    },
  );

  it("an unknown path is 404 without a key as well", async () => {
    expect((await asking(null).get("/nothing")).status).toBe(404);
  });

  it("a request whose body breaks off is no fault of the service", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error("aborted"));
      },
    });
    const init = { method: "POST", body, duplex: "half" };
    const answer = await ask.send("/v1/reports/matrix", init);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ response_type: "error", error: "BODY_INCOMPLETE", status_code: 400 });
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  it("a method that a path does not have is 405 and names those it has", async () => {
    const { status, headers, body } = await ask.get("/v1/reports/matrix");
    expect(status).toBe(405);
    expect(headers.get("Allow")).toBe("POST");
    expect(body).toMatchObject({ response_type: "error", error: "METHOD_NOT_ALLOWED", status_code: 405 });
  });
});

describe("Pagination", () => {
  it("page and page_size have defaults: the first page of 100", async () => {
    const { body } = await ask.get<Page<HasId>>("/v1/data-points/types");
    expect(body.data.pagination).toMatchObject({ page: 1, page_size: 100 });
    expect(body.data.items).toHaveLength(100);
  });

  it("the pages together are the list, each item once", async () => {
    const ids: number[] = [];
    for (let page = 1; page <= 8; page += 1) {
      const { body } = await ask.get<Page<HasId>>("/v1/data-points/types", { page, page_size: 47 });
      ids.push(...body.data.items.map(({ id }) => id));
    }
    const whole = await allItems<HasId>(ask, "/v1/data-points/types");
    expect(whole).toHaveLength(334);
    expect(ids).toEqual(whole.map(({ id }) => id));
  });

  it("a page past the end is 200 and empty", async () => {
    const { status, body } = await ask.get<Page<HasId>>("/v1/data-points/types", { page: 8, page_size: 50 });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      items: [],
      pagination: { page: 8, page_size: 50, total: 334, total_pages: 7 },
    });
  });

  it("so is one beyond every number", async () => {
    for (const page of ["99999999999999999999999", "9".repeat(400)]) {
      for (const path of ["/v1/data-points", "/v1/categories"]) {
        const { status, body } = await ask.get<Page<HasId>>(path, { page });
        expect(status).toBe(200);
        expect(body.data.items).toEqual([]);
        expect(Number.isInteger(body.data.pagination.page)).toBe(true);
      }
    }
  });

  it("an empty list has no pages", async () => {
    const { body } = await asking("demo-none").get<Page<HasId>>("/v1/ahjs");
    expect(body.data.pagination).toEqual({ page: 1, page_size: 100, total: 0, total_pages: 0 });
  });

  const lists = [
    "/v1/ahjs",
    "/v1/data-points",
    "/v1/data-points/types",
    "/v1/categories",
    "/v1/units-of-measure",
    "/v1/collections",
  ];

  it.each(lists)(
    "a page or page_size that is no whole number, or too large a page_size, is 422: %s",
    async (path) => {
      for (const query of [
        { page_size: "ten" },
        { page_size: "1.5" },
        { page_size: "" },
        { page: "x" },
        { page: "1e3" },
        { page_size: "99999999999999999999" },
      ]) {
        expect((await ask.get(path, query)).status, JSON.stringify(query)).toBe(422);
      }
    },
  );
});

describe("Validation error (422)", () => {
  it.each(["ahj_ids", "data_point_type_ids", "category_ids"])(
    "a malformed list of %s is 422",
    async (name) => {
      for (const list of ["", ",", "1,,2", "1,", "1;2", "one", "1.5", "1 2", "0x10"]) {
        expect((await ask.get("/v1/data-points", { [name]: list })).status, list).toBe(422);
      }
    },
  );

  it("blanks around the commas of a list do not matter", async () => {
    const answers = async (list: string) => (await ask.get("/v1/data-points", { ahj_ids: list })).text;
    expect(await answers("10001, 10002 ,10003")).toBe(await answers("10001,10002,10003"));
    const states = await ask.get("/v1/ahjs", { state_code: "OR, WA" });
    expect(states.text).toBe((await ask.get("/v1/ahjs", { state_code: "OR,WA" })).text);
  });

  it("an id beyond every number of the service is an unknown one", async () => {
    const { status, body } = await ask.get("/v1/data-points", { ahj_ids: "10001,99999999999999999999" });
    expect(status).toBe(200);
    expect(body.warnings).toMatchObject([{ excluded_ahj_ids: [1e20] }]);
    const none = await ask.get("/v1/data-points", { data_point_type_ids: "99999999999999999999" });
    expect(none.body.data).toMatchObject({ items: [] });
  });

  it("a parameter given twice is 422 and not half passed over", async () => {
    const { status, body } = await ask.get("/v1/data-points?ahj_ids=10001&ahj_ids=10002");
    expect(status).toBe(422);
    expect(body.detail).toEqual([
      { loc: ["query", "ahj_ids"], msg: "must be given once", type: "invalid_type" },
    ]);
  });

  it("an unknown parameter is ignored", async () => {
    expect((await ask.get("/v1/ahjs", { colour: "blue", page_size: 1 })).status).toBe(200);
  });
});
