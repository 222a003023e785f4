import type { Page } from "@playwright/test";
import { expect, inject } from "vitest";
import { paneFrame, paneViolations } from "../axe";
import { layoutFlaws } from "./layout-flaws";
import { looks, narrowestLooks, nameOf, takeOff, wear } from "./looks";

/** The parts of the pane that can't be pressed or read as it stands, by look. Afterwards the pane looks as before. */
export async function flawsByLook(page: Page): Promise<Record<string, string[]>> {
  const frame = paneFrame(page);
  const found: Record<string, string[]> = {};
  for (const look of inject("allLooks") ? looks : narrowestLooks) {
    await wear(page, frame, look);
    const flaws = await frame.evaluate(layoutFlaws, "body");
    if (flaws.length > 0) found[nameOf(look)] = flaws;
  }
  await takeOff(page, frame);
  return found;
}

/** Asserts that everybody can read, press and hear what the pane shows: axe finds nothing, and its layout holds. */
export async function expectScreenHolds(page: Page): Promise<void> {
  expect(await paneViolations(page)).toEqual([]);
  expect(await flawsByLook(page)).toEqual({});
}
