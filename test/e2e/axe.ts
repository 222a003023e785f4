import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "vitest";

/** Axe finds nothing in the pane, or in that part of it. */
export async function expectAxeClean(page: Page, part = "#pane"): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .include(["iframe", part])
    // Fluent's own focus sentinels, which hand the keyboard on as soon as it reaches them.
    .exclude(["iframe", "[data-tabster-dummy]"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
