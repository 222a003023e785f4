import type { Locator } from "@playwright/test";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench, workbenchUrl } from "../open-workbench";
import { openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.locator("main");
const shownScreen = () => workbench.pane.getByRole("tabpanel");

async function pasteGeoids(geoids: string) {
  await shownScreen().getByRole("button", { name: "Paste a list" }).click();
  await shownScreen().getByLabel("geoIDs, one a line").fill(geoids);
  await shownScreen().getByRole("button", { name: "Add the list" }).click();
}

describe("connecting", () => {
  it("checks the key, keeps it masked, and can forget it", async () => {
    workbench = await openWorkbench({ key: null });
    await screen().getByLabel("Service address").fill(workbenchUrl());
    await screen().getByLabel("API key").fill("not-a-key-of-anybody");
    await screen().getByRole("button", { name: "Connect" }).click();
    await screen()
      .getByText(/does not accept this API key/)
      .waitFor();

    await screen().getByLabel("API key").fill("demo-national");
    await screen().getByRole("button", { name: "Connect" }).click();
    await openTab(workbench, "Settings");
    await screen()
      .getByText(/, key ••••onal/)
      .waitFor();

    await screen()
      .getByRole("button", { name: /^Forget / })
      .click();
    await screen().getByText("This deletes the key", { exact: false }).waitFor();
    expect(
      await screen()
        .getByText(/, key ••••onal/)
        .count(),
    ).toBe(1);
    await screen().getByRole("button", { name: "Forget it" }).click();
    await screen().getByLabel("Service address").waitFor();
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1002)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);
    const stored = await workbench.page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain("demo-national");
  });

  it("refuses to send a key over plain http, or to an address that is none", async () => {
    workbench = await openWorkbench({ key: null });
    await screen().getByLabel("Service address").fill("http://service.example");
    await screen().getByLabel("API key").fill("demo-national");
    await screen().getByRole("button", { name: "Connect" }).click();
    await screen()
      .getByText(/Only https/)
      .waitFor();
    expect(workbench.requests).toEqual([]);
  });

  it("shows an address as the browser reads it, and sends no key there before it is confirmed", async () => {
    workbench = await openWorkbench({ key: null });
    const { origin } = new URL(workbenchUrl());
    const address = screen().getByLabel("Service address");
    await address.fill(`${origin}/a/..`);
    await screen().getByLabel("API key").fill("demo-national");
    await screen().getByRole("button", { name: "Connect", exact: true }).click();
    await screen().getByText(`Your key would be sent to ${origin}. Is that your service?`).waitFor();
    expect(workbench.requests).toEqual([]);
    await address.fill("https://g\u043e\u043ed.example");
    await screen().getByRole("button", { name: "Connect", exact: true }).click();
    await screen()
      .getByText(/would be sent to https:\/\/xn--gd-[a-z0-9]+\.example\./)
      .waitFor();
    await screen().getByRole("button", { name: "Cancel" }).click();
    await address.fill(`${origin}/a/..`);
    await screen().getByRole("button", { name: "Connect", exact: true }).click();
    await screen().getByRole("button", { name: "Connect to it" }).click();
    await workbench.pane.getByRole("button", { name: "Settings" }).waitFor();
  });

  it("completes an address without its scheme, and sends no key there before it is confirmed", async () => {
    workbench = await openWorkbench({ key: null });
    const { origin, host } = new URL(workbenchUrl());
    await screen().getByLabel("Service address").fill(host);
    await screen().getByLabel("API key").fill("demo-national");
    await screen().getByRole("button", { name: "Connect", exact: true }).click();
    await screen().getByText(`Your key would be sent to ${origin}. Is that your service?`).waitFor();
    expect(workbench.requests).toEqual([]);
    await screen().getByRole("button", { name: "Connect to it" }).click();
    await workbench.pane.getByText(/^Connected\. This key covers [\d,]+ jurisdictions\./).waitFor();
  });

  it("says that a key covers nothing", async () => {
    workbench = await openWorkbench({ key: null });
    await screen().getByLabel("Service address").fill(workbenchUrl());
    await screen().getByLabel("API key").fill("demo-none");
    await screen().getByRole("button", { name: "Connect", exact: true }).click();
    await workbench.pane.getByText(/Connected, but this key covers no jurisdictions/).waitFor();
  });

  it("has formulas answered that had no key before, and leaves those with a value", async () => {
    workbench = await openWorkbench({ key: null });
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1002)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);
    await screen().getByLabel("Service address").fill(workbenchUrl());
    await screen().getByLabel("API key").fill("demo-national");
    await screen().getByRole("button", { name: "Connect" }).click();
    await workbench.pane.getByText(/1 formula that waited is being answered\./).waitFor();
    await workbench.page.waitForFunction(() =>
      String(window.workbench.getValues("A1")[0]?.[0]).includes("IRC"),
    );
  });
});

describe("searching jurisdictions", () => {
  it("by name and state works while typing, by keyboard alone", async () => {
    workbench = await openWorkbench();
    const search = screen().getByRole("combobox", { name: "Search jurisdictions" });
    await search.focus();
    await workbench.page.keyboard.type("orleans la");
    await workbench.pane.getByRole("option", { name: /Orleans Parish, LA · county · 22071/ }).waitFor();
    await workbench.page.keyboard.press("ArrowDown");
    await workbench.page.keyboard.press("Enter");
    await screen().getByText("1 jurisdiction chosen").waitFor();
  });
});

describe("what is chosen", () => {
  it("is removed by keyboard alone, which goes on from there", async () => {
    workbench = await openWorkbench();
    const { keyboard } = workbench.page;
    const button = (name: string) => shownScreen().getByRole("button", { name });
    const hasFocus = (element: Locator) =>
      element.evaluate((node) => node === node.ownerDocument.activeElement);
    await pasteGeoids("06001 06003 06005");
    await shownScreen().getByText("3 jurisdictions chosen").waitFor();
    await button("Clear jurisdictions").focus();
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    expect(await hasFocus(button("Remove Alpine County, CA"))).toBe(true);
    await keyboard.press("Enter");
    await shownScreen().getByText("2 jurisdictions chosen").waitFor();
    expect(await hasFocus(button("Remove Amador County, CA"))).toBe(true);
    await keyboard.press("Enter");
    await shownScreen().getByText("1 jurisdiction chosen").waitFor();
    expect(await hasFocus(button("Clear jurisdictions"))).toBe(true);
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await shownScreen().getByText("0 jurisdictions chosen").waitFor();
    expect(await hasFocus(button("Clear jurisdictions"))).toBe(true);
    await keyboard.press("Tab");
    expect(await hasFocus(button("Next: What"))).toBe(true);
    expect(await button("Clear jurisdictions").count()).toBe(0);
  });
});

describe("the ribbon", () => {
  it("opens help", async () => {
    workbench = await openWorkbench();
    const [help] = await Promise.all([
      workbench.page.context().waitForEvent("page"),
      workbench.page.evaluate(() => window.workbench.press("RegData.Help")),
    ]);
    await help.waitForURL(/help\/help\.html/);
    expect(await help.title()).toBe("Help: RegData for Excel");
  });
});

describe("the help of the pane", () => {
  it("is the page of the screen that is shown", async () => {
    workbench = await openWorkbench();
    const { page, pane } = workbench;
    for (const [screen, title] of [
      ["Get data", "Get data"],
      ["In this workbook", "Imports and refreshing"],
      ["Source", "The source of a cell"],
      ["Settings", "Connection and request limits"],
    ] as const) {
      await openTab(workbench, screen);
      const [help] = await Promise.all([
        page.context().waitForEvent("page"),
        pane.getByRole("button", { name: "Help for this screen" }).click(),
      ]);
      await help.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      await help.close();
    }
  });
});

describe("a pasted list most of which is in no directory", () => {
  it("is sent only after a question, with five examples, which Cancel ends too", async () => {
    workbench = await openWorkbench({ key: "demo-national" });
    const sent: string[] = [];
    workbench.page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    const own = Array.from({ length: 30 }, (_, at) => `48${12_001 + 2 * at}`);
    await pasteGeoids(["06001", ...own].join("\n"));
    const question = shownScreen().getByText(/Of this list, 1 geoID is in your subscription, and 30 are not/);
    await question.waitFor();
    expect(await question.textContent()).toContain("such as 4812001, 4812003, 4812005, 4812007, 4812009.");
    expect(sent.filter((path) => path.includes("geoid") || path.includes("collections"))).toEqual([]);
    await shownScreen().getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await shownScreen().getByRole("button", { name: "Add the list" }).click();
    await question.waitFor();
    await workbench.page.keyboard.press("Enter");
    await shownScreen().getByText("1 jurisdiction chosen").waitFor();
    await shownScreen().getByText("30 geoIDs not found").waitFor();
    expect(sent.filter((path) => path.includes("geoid") || path.includes("collections"))).toEqual([]);
  });
});
