import { describe, expect, it } from "vitest";
import { outage, pass, playExcel, result, start } from "./excel";
import { countByPath } from "../recorded-service";

playExcel();

describe("formulas that are refreshed", () => {
  it("ask for their own answers again; all others are still answered from the cache", async () => {
    const { app, requests } = start();
    const [one, other] = [await result("VALUE", "06001", 1056), await result("VALUE", "06037", 1003)];
    await pass(1_000);
    requests.length = 0;
    expect(await app.askAnew(() => result("VALUE", "06001", 1056))).toBe(one);
    expect(countByPath(requests)).toEqual({ "POST /v1/reports/matrix": 1 });
    requests.length = 0;
    expect(await result("VALUE", "06037", 1003)).toBe(other);
    expect(await result("VALUE", "06001", 1056)).toBe(one);
    expect(requests).toEqual([]);
  });

  it("share the answer to a question that several of them ask", async () => {
    const { app, requests } = start();
    await result("VALUE", "06001", 1056);
    await pass(1_000);
    requests.length = 0;
    await app.askAnew(async () => {
      await result("VALUE", "06001", 1056);
      await pass(1_000);
      await result("VALUE", "06001", 1056);
    });
    expect(countByPath(requests)).toEqual({ "POST /v1/reports/matrix": 1 });
  });

  it("show the last answer if the service can't be asked, and are counted", async () => {
    const service = outage();
    const { app } = start({ intercept: service.intercept });
    const value = await result("VALUE", "06001", 1056);
    await pass(1_000);
    service.isDown = true;
    const before = await app.idle();
    expect(await app.askAnew(() => result("VALUE", "06001", 1056))).toBe(value);
    expect(app.notices().oldAnswers).toMatchObject({ count: 1 });
    expect((await app.idle()) - before).toBe(1);
  });

  it("are counted as old until the service has answered them, even if a formula shows them again", async () => {
    const service = outage();
    const { app } = start({ intercept: service.intercept });
    const value = await result("VALUE", "06001", 1056);
    await pass(1_000);
    service.isDown = true;
    await app.askAnew(() => result("VALUE", "06001", 1056));
    service.isDown = false;
    expect(await result("VALUE", [["06001"], ["06037"]], 1056)).toEqual([[value], [expect.anything()]]);
    expect(app.notices().oldAnswers).toMatchObject({ count: 1 });
    await app.askAnew(() => result("VALUE", "06001", 1056));
    expect(app.notices().oldAnswers).toBeNull();
  });

  it("ask again while another refresh, which began before them, ends", async () => {
    const { app, requests } = start();
    await result("VALUE", "06001", 1056);
    await result("VALUE", "06037", 1056);
    await pass(1_000);
    requests.length = 0;
    let end = () => {};
    const first = app.askAnew(() => new Promise<void>((resolve) => (end = resolve)));
    await pass(1_000);
    await app.askAnew(async () => {
      await result("VALUE", "06001", 1056);
      end();
      await first;
      await result("VALUE", "06037", 1056);
    });
    expect(countByPath(requests)).toEqual({ "POST /v1/reports/matrix": 2 });
    await pass(1_000);
    await result("VALUE", "06001", 1056);
    expect(requests).toHaveLength(2);
  });

  it("run a collection again", async () => {
    const { app, requests } = start();
    const [[, [name = ""] = []] = []] = [(await result("COLLECTIONS")) as string[][]];
    await result("COLLECTION", name, [["06001"]]);
    await pass(1_000);
    requests.length = 0;
    await result("COLLECTION", name, [["06001"]]);
    expect(requests.filter((request) => request.includes("execute"))).toEqual([]);
    await app.askAnew(() => result("COLLECTION", name, [["06001"]]));
    expect(requests.some((request) => request.includes("/v1/collections/"))).toBe(true);
  });
});
