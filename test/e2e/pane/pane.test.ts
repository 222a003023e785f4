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
  await shownScreen().getByLabel("geoIDs, one per line").fill(geoids);
  await shownScreen().getByRole("button", { name: "Add the list" }).click();
}

async function connect(key: string, address = workbenchUrl()) {
  await screen().getByLabel("Service address").fill(address);
  await screen().getByLabel("API key").fill(key);
  await screen().getByRole("button", { name: "Connect", exact: true }).click();
}

describe("connecting", () => {
  it("checks the key, keeps it masked, and can forget it; the next key may cover nothing", async () => {
    workbench = await openWorkbench({ key: null });
    await connect("not-a-key-of-anybody");
    await screen()
      .getByText(/does not accept this API key/)
      .waitFor();
    await connect("demo-national");
    await openTab(workbench, "Settings");
    const masked = screen().getByText(/^key ••••onal/);
    await masked.waitFor();

    await screen()
      .getByRole("button", { name: /^Forget / })
      .click();
    await screen().getByText("This deletes the key", { exact: false }).waitFor();
    expect(await masked.count()).toBe(1);
    await screen().getByRole("button", { name: "Forget it" }).click();
    await screen().getByLabel("Service address").waitFor();
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1002)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);
    const stored = await workbench.page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain("demo-national");

    await connect("demo-none");
    await workbench.pane.getByText(/Connected, but this key covers no jurisdictions/).waitFor();
  });

  it("goes on when the pane is closed at once, and keeps the key", async () => {
    workbench = await openWorkbench({ key: null });
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1002)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);
    await connect("demo-national");
    await workbench.page.getByRole("button", { name: "Close the pane" }).click();
    await expect.poll(() => workbench.values("A1")).not.toEqual([["#N/A"]]);
    await workbench.page.evaluate(() => window.workbench.press("RegData.OpenPane"));
    await openTab(workbench, "Settings");
    await screen()
      .getByText(/^key ••••onal/)
      .waitFor();
    expect(await workbench.problems()).toEqual([]);
  });

  it("shows an address as the browser reads it, and sends no key there before it is confirmed", async () => {
    workbench = await openWorkbench({ key: null });
    const { origin, host } = new URL(workbenchUrl());
    const asked = screen().getByText(`Your key would be sent to ${origin}. Is that your service?`);
    await connect("demo-national", `${origin}/a/..`);
    await asked.waitFor();
    await connect("demo-national", "https://g\u043e\u043ed.example");
    await screen()
      .getByText(/would be sent to https:\/\/xn--gd-[a-z0-9]+\.example\./)
      .waitFor();
    await screen().getByRole("button", { name: "Cancel" }).click();
    expect(workbench.requests).toEqual([]);
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1002)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);

    await connect("demo-national", host);
    await screen().getByRole("button", { name: "Connect to it" }).click();
    await workbench.pane.getByText(/^Connected\. This key covers [\d,]+ jurisdictions\./).waitFor();
    // A formula that was entered before there was a key is answered now.
    await workbench.pane.getByText(/1 formula without an answer asked again: 1 answered\./).waitFor();
    expect(String((await workbench.values("A1"))[0]?.[0])).toContain("IRC");
    // The notice goes with the next click.
    await openTab(workbench, "Source");
    await workbench.pane.getByText(/^Connected\./).waitFor({ state: "detached" });
  });
});

describe("a jurisdiction in the pane", () => {
  it("is found by name and state, and removed by keyboard alone, with the focus going on from there", async () => {
    workbench = await openWorkbench();
    const { keyboard } = workbench.page;
    const button = (name: string) => shownScreen().getByRole("button", { name });
    const hasFocus = (element: Locator) =>
      element.evaluate((node) => node === node.ownerDocument.activeElement);
    await screen().getByRole("combobox", { name: "Search jurisdictions" }).focus();
    await keyboard.type("orleans la");
    await workbench.pane.getByRole("option", { name: /Orleans Parish, LA · county · 22071/ }).waitFor();
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await shownScreen().getByText("1 jurisdiction chosen").waitFor();
    await pasteGeoids("06003 06005");
    await shownScreen().getByText("3 jurisdictions chosen").waitFor();
    await button("Clear jurisdictions").focus();
    await keyboard.press("Tab");
    await keyboard.press("ArrowRight");
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
    expect(await hasFocus(button("Next: Which questions"))).toBe(true);
    expect(await button("Clear jurisdictions").count()).toBe(0);
  });

  it("is searched for from two letters on, while the directory arrives, and nothing below the search moves meanwhile", async () => {
    workbench = await openWorkbench();
    let letGo = () => {};
    const until = new Promise<void>((resolve) => (letGo = resolve));
    await workbench.page.route(/\/v1\/ahjs\?.*\bpage=3\b/, async (route) => {
      await until;
      await route.continue();
    });
    const below = () => shownScreen().getByRole("button", { name: "Paste a list" }).boundingBox();
    const asked: string[] = [];
    workbench.page.on(
      "request",
      (request) => void (/\/v1\/ahjs\?/.test(request.url()) && asked.push(request.url())),
    );
    const search = screen().getByRole("combobox", { name: "Search jurisdictions" });
    await search.focus();
    const place = await below();
    await search.press("a");
    await shownScreen().getByText("Type two letters, or choose a state.").waitFor();
    expect(asked).toEqual([]);
    await search.press("l");
    await shownScreen()
      .getByText(/^Loading [\d,]+ of [\d,]+$/)
      .waitFor();
    expect(await below()).toEqual(place);
    letGo();
    await shownScreen()
      .getByText(/^[\d,]+ jurisdictions$/)
      .waitFor();
    expect(await below()).toEqual(place);
  });

  it("is searched for in one state alone, with a page of that state, where one is chosen", async () => {
    workbench = await openWorkbench();
    const asked: string[] = [];
    workbench.page.on(
      "request",
      (request) => void (/\/v1\/ahjs\?/.test(request.url()) && asked.push(request.url())),
    );
    await screen().getByLabel("State").selectOption("NV");
    await shownScreen()
      .getByText(/^[\d,]+ jurisdictions in NV$/)
      .waitFor();
    await screen().getByRole("combobox", { name: "Search jurisdictions" }).pressSequentially("clark");
    await workbench.pane.getByRole("option", { name: /^Clark County, NV/ }).waitFor();
    await screen()
      .getByRole("button", { name: /^Add all [\d,]+ jurisdictions of NV$/ })
      .waitFor();
    // One page of all tells the states' filter apart, one is that of the state.
    expect(asked.length).toBeLessThanOrEqual(2);
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
