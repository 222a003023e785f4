import { resolve } from "node:path";
import { proxy } from "hono/proxy";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readAddInAddress } from "../../../deployment/addin-address";
import { contentSecurityPolicy } from "../../../deployment/content-security-policy";
import { formulaValue } from "../../../src/workbook/sheet/values/cell-value";
import { startWorkbench } from "../../../workbench/workbench-server";
import { startNginx } from "../../deployment/start-nginx";
import { startUpstream } from "../../deployment/upstream";
import { importFees } from "../imports/import-fees";
import { closeBrowser, openWorkbench, sampleClient, type Workbench } from "../open-workbench";

const dist = resolve("dist");
const address = await readAddInAddress(dist);
const upstream = await startUpstream();
const service = upstream.baseUrl;
const client = sampleClient();
const stops: (() => Promise<void>)[] = [];
let workbench: Workbench | undefined;
afterEach(async () => {
  await workbench?.close();
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(async () => {
  await closeBrowser();
  await upstream.close();
});

/** A workbench that gets the add-in and every answer from the server on `port`. */
async function openServed(port: number): Promise<Workbench> {
  const origin = `http://127.0.0.1:${port}`;
  const { url, close } = await startWorkbench({
    port: 0,
    addinDir: dist,
    addinUrl: origin + address.folder,
    pageDir: resolve("build/workbench"),
    mount: (request) => {
      const { pathname, search } = new URL(request.url);
      return proxy(origin + pathname + search, request);
    },
  });
  stops.push(close);
  return openWorkbench({ url });
}

// test/deployment/servers.test.ts shows that the other server gives and passes on the same.
describe("served by nginx", () => {
  it("the add-in answers a formula and imports a matrix, under the server's security policy", async () => {
    const geoids = ["06001", "06037", "32003"];
    const ahjs = await Promise.all(geoids.map(async (geoid) => (await client.resolveGeoid({ geoid })).data));
    const { data } = await client.matrix({ ahj_ids: ahjs.map(({ id }) => id), data_point_type_ids: [1056] });
    const fees = ahjs.map(({ id }) =>
      formulaValue(data.rows.find(({ ahj }) => ahj.id === id)?.values[1056]?.value ?? "", "USD"),
    );
    upstream.reset();
    const { port, stop } = await startNginx({ address, dist, service });
    stops.push(stop);
    workbench = await openServed(port);
    const page = await workbench.page.request.get(new URL("addin/taskpane.html", workbench.page.url()).href);
    expect(page.headers()["content-security-policy"]).toBe(contentSecurityPolicy(null));

    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001",1056)']]);
    expect(await workbench.values("A1")).toEqual([[fees[0]]]);

    await importFees(workbench, geoids);
    const [table] = await workbench.tables();
    const [, ...rows] = await workbench.values(table?.address ?? "");
    expect(rows.map((row) => row[4])).toEqual(fees);

    // The lists of categories and collections are asked for at once, so either may pass first.
    expect(upstream.asked.map(({ request }) => request).toSorted()).toEqual(workbench.requests.toSorted());
    expect(await workbench.problems()).toEqual([]);
  });
});
