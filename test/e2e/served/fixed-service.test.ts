import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createService } from "../../../reference-service/service";
import { startWorkbench } from "../../../workbench/workbench-server";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openTab } from "../pane-steps";

const output = "build/fixed-service";
let server: { url: string; close(): Promise<void> };
let workbench: Workbench;

beforeAll(async () => {
  // Minimizing takes most of a build's time. Here most of it comes from webpack's cache, since only names and addresses differ from the
  // tested build, which is also minimized.
  const choices = ["settings=test/e2e/served/fixed-service.json", `output=${output}`, "types=unchecked"];
  const { status, stdout, stderr } = spawnSync(
    "npx",
    ["webpack", ...choices.flatMap((choice) => ["--env", choice]), "--no-optimization-minimize"],
    { encoding: "utf8", shell: process.platform === "win32" },
  );
  expect(status, stdout + stderr).toBe(0);
  const service = createService();
  server = await startWorkbench({
    port: 0,
    addinDir: resolve(output),
    pageDir: resolve("build/workbench"),
    mount: (request) => service.fetch(request),
  });
}, 300_000);
afterEach(() => workbench.close());
afterAll(async () => {
  await closeBrowser();
  await server.close();
});

/** Opens the add-in with the service that the build names; the workbench's own plays it. */
async function openWithService(key: string | null) {
  workbench = await openWorkbench({ url: server.url, key });
  const asked: string[] = [];
  await workbench.page.route("https://service.test/**", async (route) => {
    const request = route.request();
    asked.push(request.url());
    const url = request.url().replace("https://service.test/regdata/", server.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  return asked;
}

describe("an add-in with a fixed service", () => {
  it("says where it connects, asks for the key alone, and sends it nowhere else", async () => {
    // An earlier build has saved a connection to another service, which is in use.
    const asked = await openWithService("demo-west");
    const { pane, requests } = workbench;
    await pane.getByText("Service: https://service.test/regdata", { exact: true }).waitFor();
    expect(await pane.getByLabel("Service address").count()).toBe(0);
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1003)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);
    expect(await workbench.errorMessage("A1")).toMatch(/not connected/);
    expect([requests, asked]).toEqual([[], []]);

    await pane.getByLabel("API key").fill("demo-national");
    await pane.getByRole("button", { name: "Connect", exact: true }).click();
    await openTab({ pane }, "Settings");
    await pane.getByText("service.test (in use)").waitFor();
    await workbench.setFormulas("A2", [['=REGDATA.VALUE("06001", 1056)']]);
    expect((await workbench.values("A2"))[0]?.[0]).not.toBe("#N/A");
    expect(asked.length).toBeGreaterThan(1);
    // A build without data types returns none, and its functions.json allows none.
    await workbench.setFormulas("A3", [['=REGDATA.CARD("06001", 1057)']]);
    expect(await workbench.values("A3")).toEqual([[110]]);
    expect(await workbench.card("A3")).toBeNull();
    const functionsFile = JSON.parse(readFileSync(resolve(output, "functions.json"), "utf8")) as object;
    expect(Object.keys(functionsFile)).toEqual(["functions", "enums"]);
    expect(await workbench.problems()).toEqual([]);

    await pane.getByRole("button", { name: "Add a connection…" }).click();
    expect(await pane.getByLabel("Service address").count()).toBe(0);
    await pane.getByRole("textbox", { name: "Name" }).fill("West");
    await pane.getByLabel("API key").fill("demo-west");
    await pane.getByRole("button", { name: "Add and use" }).click();
    await pane.getByText("West (in use)").waitFor();

    // The page's policy forbids any code to send anything elsewhere.
    const elsewhere = pane.locator("body").evaluate(() => fetch("https://elsewhere.test/"));
    await expect(elsewhere).rejects.toThrow();
    expect(workbench.violations.splice(0).join()).toContain("connect-src 'self' https://service.test");
  });
});
