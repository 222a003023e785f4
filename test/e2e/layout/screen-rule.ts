import type { Page } from "@playwright/test";
import { expect } from "vitest";
import { paneFrame, paneViolations } from "../axe";
import { layoutFlaws } from "./layout-flaws";
import { type Look, looks, nameOf, undress, wear } from "./looks";

/** What can't be pressed or read in the pane as it stands, by look. The pane looks as before afterwards. */
export async function flawsIn(page: Page, which: readonly Look[] = looks): Promise<Record<string, string[]>> {
  const frame = paneFrame(page);
  const found: Record<string, string[]> = {};
  for (const look of which) {
    await wear(page, frame, look);
    const flaws = await frame.evaluate(layoutFlaws);
    if (flaws.length > 0) found[nameOf(look)] = flaws;
  }
  await undress(page, frame);
  return found;
}

/** Asserts that everybody can read, press and hear what the pane shows: axe finds nothing, and the layout holds in each look. */
export async function expectScreenHolds(page: Page): Promise<void> {
  expect(await paneViolations(page)).toEqual([]);
  expect(await flawsIn(page)).toEqual({});
}
