import { afterAll, afterEach, expect, it } from "vitest";
import type { Ahj, DataPointType, Page } from "../../../src/engine/api/schemas";
import { expectScreenHolds } from "../layout/screen-rule";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { questionSearch } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

it("a pasted list of 100,000 lines is held whole, shown in part, and matched with its doubles counted", async () => {
  workbench = await openWorkbench({ key: "demo-west" });
  const { page, pane } = workbench;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const screen = pane.getByRole("tabpanel");
  await screen.getByRole("button", { name: "Paste a list" }).click();
  const field = screen.getByRole("textbox", { name: "Names or geoIDs, one per line" });
  const lines = Array.from({ length: 100_000 }, (_, at) =>
    at % 3 === 0 ? "06001" : at % 3 === 1 ? "Los Angeles County, CA" : `<b>Nowhere</b> ${at}`,
  );
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines.join("\n"));
  await field.fill("06003\n");
  await field.press("Control+End");
  await field.press("Control+V");
  await screen.getByText("100,001 lines pasted. Only the first are shown.").waitFor();
  expect((await field.inputValue()).split("\n").slice(0, 3)).toEqual(["06003", ...lines.slice(0, 2)]);
  expect((await field.inputValue()).length).toBeLessThan(1_000);
  expect(await field.isEditable()).toBe(false);
  await expectScreenHolds(page);

  await screen.getByRole("button", { name: "Remove the list" }).click();
  expect(await field.inputValue()).toBe("");
  await field.press("Control+V");
  await screen.getByText("100,000 lines pasted. Only the first are shown.").waitFor();
  await screen.getByRole("button", { name: "Add the list" }).click();
  await screen.getByText("2 jurisdictions chosen").waitFor();
  await screen.getByText("66,665 duplicates left out").waitFor();
  await screen.getByText("33,333 names not found").waitFor();
  const unmatched = screen.getByRole("list", { name: "Names not found" });
  expect(await unmatched.getByRole("listitem").count()).toBe(201);
  await unmatched.getByText("and 33,133 more lines").waitFor();
  expect(await unmatched.getByRole("listitem").first().textContent()).toMatch(
    /^<b>Nowhere<\/b> 2 \(row 3\): /,
  );
}, 90_000);

it("hostile names are shown as text, and leave the pane as wide as it is", async () => {
  workbench = await openWorkbench({ key: "demo-west" });
  const { page, pane } = workbench;
  const names = [
    'Aaa <img src="https://evil.test/x.png" onerror="globalThis.polluted=1">',
    "Aaa \u202egnp.exe",
    `Aaa ${"W".repeat(100_000)}`,
    "Aaa עיריית 12",
    "__proto__",
  ];
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!/^(https:\/\/127\.0\.0\.1|data:|blob:|about:)/.test(request.url())) foreign.push(request.url());
  });
  await page.route("**/v1/ahjs?*", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: Page<Ahj> };
    if (body.data.pagination.page === 1)
      names.forEach((name, at) => Object.assign(body.data.items[at] ?? {}, { name }));
    return route.fulfill({ response: answer, json: body });
  });
  await page.route("**/v1/data-points/types?*", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: Page<DataPointType> };
    if (body.data.pagination.page === 1)
      names.forEach((name, at) => Object.assign(body.data.items[at] ?? {}, { name }));
    return route.fulfill({ response: answer, json: body });
  });
  const screen = pane.getByRole("tabpanel");
  const isWithin = () =>
    pane.locator("html").evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);

  const search = screen.getByRole("combobox", { name: "Search jurisdictions" });
  for (const at of [0, 1, 2, 3]) {
    await search.click();
    await search.fill("Aaa");
    await pane.getByRole("listbox").getByRole("option").nth(3).waitFor({ timeout: 30_000 });
    expect(await isWithin()).toBe(true);
    await pane.getByRole("listbox").getByRole("option").nth(at).click();
  }
  await screen.getByText("4 jurisdictions chosen").waitFor();
  const tags = screen.getByRole("list", { name: "Chosen jurisdictions" });
  const labels = await tags.getByRole("listitem").allTextContents();
  expect(labels.find((label) => label.includes("<img"))).toContain(names[0]);
  // The override is closed within the label, so it turns only its own text.
  expect(labels.find((label) => label.includes("gnp"))).toMatch(/^\u2068Aaa \ufffdgnp\.exe\u2069, /);
  expect(labels.find((label) => label.includes("WWW"))).toHaveLength("Aaa ".length + 196 + "…, CA".length);
  const types = await questionSearch(workbench);
  await types.click();
  await types.fill("Aaa");
  for (const at of [0, 1, 2, 3]) await pane.getByRole("menuitemcheckbox").nth(at).click();
  await types.press("Escape");
  await screen.getByText("4 questions chosen").waitFor();
  expect(await isWithin()).toBe(true);
  await expectScreenHolds(page);
  expect(await pane.locator("html").evaluate(() => "polluted" in globalThis)).toBe(false);
  expect(foreign).toEqual([]);
}, 90_000);
