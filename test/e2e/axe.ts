import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect } from "vitest";

/** Axe finds nothing in the pane, or in that part of it. */
export async function expectAxeClean(page: Page, part = "#pane"): Promise<void> {
  expect(await paneViolations(page, part)).toEqual([]);
}

/**
 * What axe finds in the pane, by rule; all of its rules where none are named. Asked in the pane's own frame, it takes a
 * tenth of the time that it takes from the page above.
 */
export async function paneViolations(
  page: Page,
  part = "#pane",
  rules: string[] = [],
): Promise<[rule: string, elements: string[]][]> {
  const frame = page.frames().find((candidate) => candidate.url().includes("taskpane"));
  if (!frame) throw new Error("there is no pane");
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axe.source);
  return frame.evaluate(violations, { part, rules });
}

async function violations({ part, rules }: { part: string; rules: string[] }) {
  const { axe: runner } = window as unknown as { axe: typeof axe };
  let hasFaded = false;
  document.addEventListener("transitionrun", () => (hasFaded = true));
  const judge = async () => {
    // Colours that are still fading are no colours to judge.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(fading.map(({ finished }) => finished));
    hasFaded = false;
    return runner.run(
      // Fluent's own focus sentinels, which hand the keyboard on as soon as it reaches them.
      { include: [[part]], exclude: [["[data-tabster-dummy]"]] },
      { resultTypes: ["violations"], ...(rules.length > 0 ? { runOnly: rules } : {}) },
    );
  };
  let found = await judge();
  for (let again = 0; hasFaded && again < 3; again += 1) found = await judge();
  return found.violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)]);
}
