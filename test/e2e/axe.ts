import type { Frame, Page } from "@playwright/test";
import axe from "axe-core";

/** A violation that axe finds, by rule. */
type Violation = [rule: string, elements: string[]];
type Rules = "all" | "all but contrast" | "contrast";

const contrast = "color-contrast";

/**
 * Axe's violations in the pane, or in this part of it, by some of its rules. Run in the pane's own frame, axe takes a tenth of the time
 * that it takes from the page above.
 */
export function paneViolations(page: Page, part = "#pane", rules: Rules = "all"): Promise<Violation[]> {
  return frameViolations(paneFrame(page), part, rules);
}

/** Axe's violations in any frame. */
export async function frameViolations(
  frame: Frame,
  part: string,
  rules: Rules = "all",
): Promise<Violation[]> {
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axe.source);
  const options: axe.RunOptions =
    rules === "contrast" ? { runOnly: contrast } : { rules: { [contrast]: { enabled: rules === "all" } } };
  return frame.evaluate(violations, { part, options, hasColours: rules !== "all but contrast" });
}

/**
 * Sets a copy of the pane's content aside if any text or field in it has a look of its own: classes, on itself or on elements around it,
 * that no copy has yet.
 */
export async function copyAside(page: Page): Promise<void> {
  await paneFrame(page).evaluate(copyWhatIsNew);
}

/** Shows the copies that were set aside in place of the pane's content; they follow its theme. */
export async function showCopies(page: Page): Promise<void> {
  await paneFrame(page).evaluate(() => {
    const { aside } = window as unknown as { aside: Aside };
    for (const shown of aside.themed.children) (shown as HTMLElement).style.display = "none";
    aside.themed.append(...aside.copies);
  });
}

/** The copies, kept in the pane's window. */
interface Aside {
  /** Fluent's own element, which holds the theme. */
  themed: Element;
  looks: Set<string>;
  copies: Element[];
}

/** The frame of the add-in's page. */
export function paneFrame(page: Page): Frame {
  const frame = page.frames().find((candidate) => candidate.url().includes("taskpane"));
  if (!frame) throw new Error("there is no pane");
  return frame;
}

function copyWhatIsNew() {
  const page = window as unknown as { aside?: Aside };
  const themed = document.querySelector("#pane > .fui-FluentProvider");
  if (!themed) throw new Error("there is no theme");
  page.aside ??= { themed, looks: new Set(), copies: [] };
  const { looks, copies } = page.aside;
  const styled = ["class", "style", "disabled", "aria-disabled", "aria-selected", "aria-checked", "open"];
  const lookOf = (element: Element): string => {
    const isChecked = element.matches(":checked") ? "checked" : "";
    const own = [element.localName, isChecked, ...styled.map((name) => element.getAttribute(name) ?? "-")];
    return `${element === themed ? "" : lookOf(element.parentElement!)}>${own.join("|")}`;
  };
  const isText = (node: Node) => node instanceof Text && node.data.trim() !== "";
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const before = looks.size;
  for (const element of themed.querySelectorAll("*")) {
    const isJudged = [...element.childNodes].some(isText) || element.matches("input, select, textarea");
    if (isJudged && isShown(element)) looks.add(lookOf(element));
  }
  if (looks.size === before) return;
  const copy = document.createElement("div");
  copy.append(...[...themed.children].map((child) => child.cloneNode(true)));
  for (const hidden of copy.querySelectorAll("[hidden]")) hidden.remove();
  copies.push(copy);
}

async function violations({
  part,
  options,
  hasColours,
}: {
  part: string;
  options: axe.RunOptions;
  hasColours: boolean;
}): Promise<Violation[]> {
  const { axe: runner } = window as unknown as { axe: typeof axe };
  const run = () =>
    runner.run(
      // Fluent's focus sentinels are left out: they hand the keyboard on as soon as it reaches them.
      { include: [[part]], exclude: [["[data-tabster-dummy]"]] },
      { resultTypes: ["violations"], selectors: false, ...options },
    );
  let hasFaded = false;
  document.addEventListener("transitionrun", () => (hasFaded = true));
  const judgeColours = async () => {
    // Three frames let fading colors reach their end, since axe would judge them half-way.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    const fading = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(fading.map(({ finished }) => finished));
    hasFaded = false;
    return run();
  };
  let found = await (hasColours ? judgeColours() : run());
  for (let again = 0; hasColours && hasFaded && again < 3; again += 1) found = await judgeColours();
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
