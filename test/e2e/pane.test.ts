import type { Locator } from "@playwright/test";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectAxeClean } from "./axe";
import { closeBrowser, openWorkbench, type Workbench, workbenchUrl } from "./open-workbench";

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
    await workbench.pane.getByRole("tab", { name: "Settings" }).click();
    await screen()
      .getByText(/, key ••••onal/)
      .waitFor();

    await screen()
      .getByRole("button", { name: /^Forget / })
      .click();
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

  it("has formulas answered that had no key before", async () => {
    workbench = await openWorkbench({ key: null });
    await workbench.setFormulas("A1", [['=REGDATA.VALUE("06001", 1002)']]);
    expect(await workbench.values("A1")).toEqual([["#N/A"]]);
    await screen().getByLabel("Service address").fill(workbenchUrl());
    await screen().getByLabel("API key").fill("demo-national");
    await screen().getByRole("button", { name: "Connect" }).click();
    await workbench.pane.getByRole("tab", { name: "Settings" }).click();
    await screen().getByRole("button", { name: "Recalculate formulas" }).click();
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
    expect(await hasFocus(shownScreen().getByRole("combobox", { name: "Search data point types" }))).toBe(
      true,
    );
    expect(await button("Clear jurisdictions").count()).toBe(0);
  });
});

describe("every screen", () => {
  it.each(["light", "dark", "high contrast"] as const)("passes axe, %s", async (look) => {
    workbench = await openWorkbench({ colorScheme: look === "dark" ? "dark" : "light" });
    if (look === "high contrast") await workbench.page.emulateMedia({ forcedColors: "active" });
    await pasteGeoids("06001 06003 99999");
    await shownScreen().getByText("2 jurisdictions chosen").waitFor();
    // In high contrast no background tells a tag from the page: it needs its border.
    const tags = shownScreen().getByRole("list", { name: "Chosen jurisdictions" }).getByRole("listitem");
    const border = await tags.first().evaluate((tag) => {
      const { borderTopStyle, borderTopColor } = getComputedStyle(tag);
      const isSeen = borderTopColor !== getComputedStyle(document.body).backgroundColor;
      return { borderTopStyle, isSeen };
    });
    if (look === "high contrast") expect(border).toEqual({ borderTopStyle: "solid", isSeen: true });
    const types = shownScreen().getByRole("combobox", { name: "Search data point types" });
    await types.click();
    await types.fill("1002");
    await workbench.pane.getByRole("menuitemcheckbox").first().click();
    await types.press("Escape");
    await shownScreen().getByRole("button", { name: "Insert on a new sheet" }).click();
    await shownScreen().getByText("Not matched: 1 geoID").click();
    for (const tab of ["Matrix", "Collection", "Settings"]) {
      await workbench.pane.getByRole("tab", { name: tab }).click();
      await shownScreen().getByRole("button").first().waitFor();
      await expectAxeClean(workbench.page);
    }
  });

  it("fits 320 pixels without scrolling sideways", async () => {
    workbench = await openWorkbench();
    const frame = workbench.page.frames().find((candidate) => candidate.url().includes("taskpane"));
    await workbench.page.evaluate(() => {
      const pane = document.getElementById("pane");
      if (pane) pane.style.width = "320px";
    });
    for (const tab of ["Matrix", "Collection", "Settings"]) {
      await workbench.pane.getByRole("tab", { name: tab }).click();
      await shownScreen().getByRole("button").first().waitFor();
      await screen().getByText("Loading your collections").waitFor({ state: "hidden" });
      const widths = await frame?.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
      expect(widths?.[0]).toBeLessThanOrEqual(320);
      expect(widths?.[1], tab).toBeLessThanOrEqual(widths?.[0] ?? 0);
    }
  });
});

describe("the ribbon", () => {
  it("opens help", async () => {
    workbench = await openWorkbench();
    const [help] = await Promise.all([
      workbench.page.context().waitForEvent("page"),
      workbench.page.evaluate(() => window.workbench.press("RegData.Help")),
    ]);
    expect(await help.title()).toBe("Help: RegData for Excel");
  });
});
