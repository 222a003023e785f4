import { afterAll, afterEach, describe, expect, it } from "vitest";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench, workbenchUrl } from "../open-workbench";
import { openStep, openTab } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const shownScreen = () => workbench.pane.getByRole("tabpanel");
const button = (name: string) => workbench.pane.getByRole("button", { name, exact: true });
const section = (name: string) => workbench.pane.getByRole("region", { name });
const host = () => new URL(workbenchUrl()).host;
const stored = () => workbench.page.evaluate(() => JSON.stringify({ ...localStorage }));

/** A formula for a county in Texas, outside the subscription of demo-west. */
const texan = '=REGDATA.VALUE("48113", 1056)';

async function addConnection(name: string, key: string) {
  await button("Add a connection…").click();
  await section("Connections").getByRole("textbox", { name: "Name" }).fill(name);
  await section("Connections").getByLabel("Service address").fill(workbenchUrl());
  await section("Connections").getByLabel("API key").fill(key);
  await button("Add and use").click();
}

/** The value of A1 once it has been answered again. */
async function answeredAnew() {
  await workbench.setFormulas("A1", [[""]]);
  await workbench.setFormulas("A1", [[texan]]);
  return (await workbench.values("A1"))[0]?.[0];
}

/** Asserts that no message is wider than its place, and that nothing has moved the pane aside. */
async function expectNothingIsWider() {
  const widths = await workbench.pane.locator("body").evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>("*")];
    return {
      moved: all.filter(({ scrollLeft }) => scrollLeft !== 0).length,
      wide: [...document.querySelectorAll(".fui-MessageBar")].map(
        (bar) => bar.getBoundingClientRect().right <= document.documentElement.clientWidth,
      ),
    };
  });
  expect(widths).toEqual({ moved: 0, wide: widths.wide.map(() => true) });
}

describe("connections", () => {
  it("are kept by name, one in use, whose rights and answers formulas have; forgotten, another can be used", async () => {
    workbench = await openWorkbench();
    const before = await answeredAnew();
    expect(before).not.toBe("#N/A");
    await openTab(workbench, "Settings");
    await section("Connections").getByText(`${host()} (in use)`).waitFor();
    await button(`Rename ${host()}`).click();
    await section("Connections").getByRole("textbox", { name: "Name" }).fill("National");
    await button("Save").click();
    await section("Connections").getByText("National (in use)").waitFor();

    await addConnection("West", "not-a-key-of-anybody");
    await section("Connections")
      .getByText(/does not accept this API key/)
      .waitFor();
    expect(await stored()).not.toContain("not-a-key-of-anybody");
    await section("Connections").getByLabel("API key").fill("demo-west");
    await button("Add and use").click();
    await section("Connections").getByText("West (in use)").waitFor();
    await section("Connections")
      .getByText(/, [\d,]+ jurisdictions in AZ, CA, NV, OR and WA$/)
      .waitFor();
    expect(await answeredAnew()).toBe("#N/A");

    workbench.requests.length = 0;
    await button("Use National").click();
    await section("Connections").getByText("National (in use)").waitFor();
    expect(await answeredAnew()).toBe(before);
    expect(workbench.requests).toEqual(["GET /v1/ahjs?page=1&page_size=1"]);
    await expectScreenHolds(workbench.page);

    // After the connection in use is forgotten, another saved one can be used.
    await button("Use West").click();
    await section("Connections").getByText("West (in use)").waitFor();
    await button("Forget West…").click();
    await button("Forget it").click();
    await button("Use West").waitFor({ state: "detached" });
    await button("Use National").waitFor();
    await expect.poll(stored).not.toContain("demo-west");
    expect(await answeredAnew()).toBe("#N/A");
    await workbench.pane.getByText("For support", { exact: true }).click();
    await section("About").getByText("What is copied").click();
    const diagnostics = await section("About").getByLabel("Diagnostics").inputValue();
    expect(diagnostics).toContain("Service: not connected\nConnections kept: 1\n");
    await expectScreenHolds(workbench.page);
    await button("Use National").click();
    await section("Connections").getByText("National (in use)").waitFor();
    expect(await answeredAnew()).toBe(before);
  });
});

describe("the key of a connection that is not in use", () => {
  it("is replaced once the service accepts the new one, which can all be read, and the connection in use stays in use", async () => {
    workbench = await openWorkbench();
    await openTab(workbench, "Settings");
    await addConnection("West", "demo-west");
    await section("Connections").getByText("West (in use)").waitFor();
    await button(`Use ${host()}`).click();
    await section("Connections").getByText(`${host()} (in use)`).waitFor();

    await button("Replace key of West…").click();
    const field = section("Connections").getByLabel("New API key");
    await field.fill("demo-nope");
    await field.press("Enter");
    await section("Connections")
      .getByText(/does not accept this API key/)
      .waitFor();
    await expectNothingIsWider();
    await expectScreenHolds(workbench.page);

    await field.fill("demo-county");
    await field.press("Enter");
    await section("Connections")
      .getByText(`The key of “West” is replaced. “${host()}” stays in use.`)
      .waitFor();
    await section("Connections").getByText(`${host()} (in use)`).waitFor();
    await expect.poll(stored).not.toContain("demo-west");
    expect(await stored()).toContain("demo-county");
    await expectScreenHolds(workbench.page);
  });
});

describe("the connection's details", () => {
  it("show the limit, the cache, which can be cleared, and a text for support that holds no key", async () => {
    workbench = await openWorkbench({ key: "demo-limited" });
    await workbench.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const before = await answeredAnew();
    await openTab(workbench, "Settings");
    await workbench.pane.getByText("For support", { exact: true }).click();
    const limits = section("Request limits").getByRole("table");
    await limits.waitFor();
    const [left, until] = await limits.getByRole("cell").allTextContents();
    expect(Number(left)).toBeGreaterThan(20);
    expect(Number(left)).toBeLessThan(30);
    expect(until).toMatch(/in \d+ s$/);
    const kept = section("Kept answers");
    await kept.getByRole("row", { name: "Answers 1", exact: true }).waitFor();
    await kept.getByRole("row", { name: "Jurisdictions 1", exact: true }).waitFor();
    await kept.getByRole("row", { name: /^Newest jurisdiction .*\d/ }).waitFor();
    await kept.getByRole("row", { name: /^Storage used about .* MB/ }).waitFor();

    await button("Copy diagnostics").click();
    await section("About").getByRole("status").waitFor();
    const text = await workbench.page.evaluate(() => navigator.clipboard.readText());
    await section("About").getByText("What is copied").click();
    expect(await section("About").getByLabel("Diagnostics").inputValue()).toBe(text);
    expect(text).toMatch(/^RegData for Excel: \d+\.\d+\.\d+\n/);
    expect(text).toContain("Office: Excel OfficeOnline");
    expect(text).toContain("ExcelApi: 1.");
    expect(text).toContain(`Service: ${host()}\n`);
    expect(text).toContain("1 answer of 1 jurisdiction");
    for (const secret of ["demo", "limited", "ited", "48113", "http"]) expect(text).not.toContain(secret);

    workbench.requests.length = 0;
    expect(await answeredAnew()).toBe(before);
    expect(workbench.requests).toEqual([]);
    await button("Clear…").click();
    await button("Clear").click();
    await kept.getByRole("row", { name: "Answers 0", exact: true }).waitFor();
    expect(await workbench.values("A1")).toEqual([[before]]);
    expect(workbench.requests).toEqual([]);
    expect(await answeredAnew()).toBe(before);
    expect(workbench.requests).toContain("POST /v1/reports/matrix");
    await limits.waitFor();
    expect(await workbench.problems()).toEqual([]);
  });
});

describe("choices in Settings", () => {
  it("are the start of new imports, outlive a restart, and go back with a reset", async () => {
    workbench = await openWorkbench({ colorScheme: "dark" });
    await openTab(workbench, "Settings");
    const imports = section("New imports");
    await imports.getByLabel("Layout").selectOption({ label: "A row per value" });
    await imports.getByLabel("Citations").selectOption({ label: "On a Sources sheet" });
    await imports.getByLabel("Show “–” where no value is recorded").check();
    await section("Formulas").getByLabel("Keep answers for").selectOption({ label: "a week" });
    await openTab(workbench, "Get data");
    await openStep(workbench, "Where in the workbook");
    expect(await shownScreen().getByRole("combobox", { name: "Layout" }).inputValue()).toBe("long");
    expect(await shownScreen().getByRole("combobox", { name: "Citations" }).inputValue()).toBe("sheet");

    workbench = await workbench.reopen();
    await openTab(workbench, "Get data");
    await openStep(workbench, "Where in the workbook");
    await expect
      .poll(() => shownScreen().getByRole("combobox", { name: "Layout" }).inputValue())
      .toBe("long");
    expect(await shownScreen().getByLabel("Show “–” where no value is recorded").isChecked()).toBe(true);
    await shownScreen()
      .getByRole("combobox", { name: "Citations" })
      .selectOption({ label: "Columns beside" });
    await openTab(workbench, "Settings");
    const ages = section("Formulas").getByLabel("Keep answers for");
    expect(await ages.locator("option:checked").textContent()).toBe("a week");
    await button("Reset…").click();
    await button("Reset").click();
    await expect.poll(() => ages.locator("option:checked").textContent()).toBe("a day");
    await expect.poll(() => imports.getByLabel("Layout").inputValue()).toBe("wide");
    expect(await imports.getByLabel("Show “–” where no value is recorded").isChecked()).toBe(false);
    await section("Connections").getByText(`${host()} (in use)`).waitFor();
    await expectScreenHolds(workbench.page);
    await openTab(workbench, "Get data");
    expect(await shownScreen().getByRole("combobox", { name: "Citations" }).inputValue()).toBe("beside");
    expect(await shownScreen().getByRole("combobox", { name: "Layout" }).inputValue()).toBe("long");
  });
});
