import type { Locator } from "@playwright/test";
import { afterAll, afterEach, expect, it } from "vitest";
import { closeBrowser, openWorkbench, type Workbench } from "../open-workbench";
import { openStep } from "../pane-steps";

let workbench: Workbench;
afterEach(() => workbench.close());
afterAll(closeBrowser);

const screen = () => workbench.pane.getByRole("tabpanel");
const list = () => workbench.pane.locator("[role=listbox], [role=menu]").filter({ visible: true });

/** True if a click on the middle of an element, as it stands, reaches it. */
async function isHit(element: Locator): Promise<boolean> {
  return element.evaluate((target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    return target.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

it.each([
  ["Which questions", "Search questions", "fee"],
  ["Which places", "Search jurisdictions", "county"],
] as const)(
  "the list found under %s covers neither the footer's button nor the tabs",
  async (step, field, text) => {
    workbench = await openWorkbench({ key: "demo-west" });
    await workbench.page.setViewportSize({ width: 1366, height: 700 });
    await openStep(workbench, step);
    const search = screen().getByRole("combobox", { name: field });
    await search.click();
    await search.pressSequentially(text);
    await expect
      .poll(() =>
        list()
          .getByRole(/questions/.test(step) ? "menuitemcheckbox" : "option")
          .count(),
      )
      .toBeGreaterThan(6);
    const insert = screen()
      .getByRole("button", { name: /^Insert/ })
      .first();
    const tabs = workbench.pane.getByRole("tab");
    await expect
      .poll(() => Promise.all([insert, tabs.nth(0), tabs.nth(1), tabs.nth(2)].map(isHit)))
      .toEqual([...[true, true, true, true]]);
    // It still shows several of those found.
    const { height = 0 } = (await list().boundingBox()) ?? {};
    expect(height).toBeGreaterThan(120);
  },
);
