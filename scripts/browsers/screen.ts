/** Finds things on the workbench's page as a person does, by name: buttons and fields of the pane, the ribbon, cells. */
import { until } from "./program";
import type { Place, Tab } from "./tab";

const selectors = {
  button: "button",
  menuitemcheckbox: "[role=menuitemcheckbox]",
  textbox: "input:not([type=radio], [type=checkbox]), textarea",
};
type Role = keyof typeof selectors;

export interface Screen {
  /** Clicks what has this role and name in the pane, as soon as it can be clicked. */
  press(role: Role, name: RegExp): Promise<void>;
  pressRibbon(name: RegExp): Promise<void>;
  /** Clicks into a field of the pane and types. */
  fill(name: RegExp, text: string): Promise<void>;
  /** Opens a step of Get data, if it is closed. */
  openStep(name: "Which places" | "Which questions" | "Where in the workbook"): Promise<void>;
  /** Resolves when the pane shows a text that matches. */
  shows(text: RegExp): Promise<void>;
  /** Clicks the first cell of the sheet that is shown. */
  pressFirstCell(): Promise<void>;
  /** Resolves when the box beside the formula bar names this cell. */
  selects(cell: string): Promise<void>;
}

export function screenOf(tab: Tab): Screen {
  /** Clicks once it rests, and again where it moved at that moment and the click has met something else. */
  async function pressNamed(isInPane: boolean, selector: string, name: RegExp): Promise<void> {
    let last: Place | null = null;
    await until(`${selector} with the name ${name} can be pressed`, async () => {
      const now = await tab.run(aim, isInPane, selector, name.source);
      const rests = now !== null && last !== null && now.x === last.x && now.y === last.y;
      last = now;
      if (!now || !rests) return false;
      await tab.click(now);
      return (await until("the page hears of the click", () => tab.run(heardOf))) === "hit";
    });
  }
  const press = (role: Role, name: RegExp) => pressNamed(true, selectors[role], name);
  return {
    press,
    pressRibbon: (name) => pressNamed(false, "#ribbon button", name),
    async fill(name, text) {
      await press("textbox", name);
      await until(`the field ${name} has the keyboard`, async () =>
        name.test(await tab.run(labelWithKeyboard)),
      );
      await tab.type(text);
    },
    async openStep(name) {
      const heading = new RegExp(`^${name}`);
      const isThere = (selector: string) => tab.run(aim, true, selector, heading.source);
      await until(`the step ${name} is there`, () => isThere("button[aria-expanded]"));
      if (await isThere("button[aria-expanded=false]")) await press("button", heading);
    },
    async shows(text) {
      await until(`the pane shows ${text}`, async () => text.test(await tab.run(paneText)));
    },
    async pressFirstCell() {
      await tab.click(await until("the grid is there", () => tab.run(firstCell)));
    },
    async selects(cell) {
      await until(`${cell} is selected`, () => tab.run(isNamed, cell));
    },
  };
}

/** The page's window, with the target of the next click. */
type Aiming = Window & {
  aimedAt?: Element;
  heard?: "hit" | "missed" | null;
  /** Documents whose clicks are noted. */
  listening?: Document[];
};

/**
 * In the page: the middle of the element with this name, or null where it can't be clicked now. The next click that the page hears of
 * is noted for `heardOf`.
 */
function aim(isInPane: boolean, selector: string, name: string): Place | null {
  const frame = isInPane ? document.querySelector("iframe") : null;
  const inner = isInPane ? frame?.contentDocument : document;
  if (!inner) return null;
  const pattern = new RegExp(name);
  const nameOf = (element: Element) => {
    const labels = (element as HTMLInputElement).labels ?? [];
    const label = [...labels].map(({ textContent }) => textContent).join(" ");
    return (element.getAttribute("aria-label") ?? (label || (element.textContent ?? ""))).trim();
  };
  const element = [...inner.querySelectorAll(selector)].find(
    (each) => pattern.test(nameOf(each)) && !each.matches(":disabled, [aria-disabled=true]"),
  );
  if (!element) return null;

  const { x, y, width, height } = element.getBoundingClientRect();
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  // Nothing lies before it.
  const met = inner.elementFromPoint(middle.x, middle.y);
  if (met === null || !element.contains(met)) {
    // Not otherwise: Firefox would move by a pixel each time what is in sight already.
    element.scrollIntoView({ block: "center", behavior: "instant" });
    return null;
  }

  const page = window as Aiming;
  page.aimedAt = element;
  page.heard = null;
  if (!page.listening?.includes(inner)) {
    page.listening = [...(page.listening ?? []), inner];
    inner.addEventListener(
      "click",
      ({ target }) => (page.heard = page.aimedAt?.contains(target as Node) ? "hit" : "missed"),
      { capture: true },
    );
  }
  const { x: left = 0, y: top = 0 } = frame?.getBoundingClientRect() ?? {};
  return { x: left + (frame?.clientLeft ?? 0) + middle.x, y: top + (frame?.clientTop ?? 0) + middle.y };
}

/** In the page. */
function heardOf(): "hit" | "missed" | null {
  return (window as Aiming).heard ?? null;
}

/** In the page: the label of the pane's field that has the keyboard, or "". */
function labelWithKeyboard(): string {
  const frame = document.querySelector("iframe");
  const field = frame === document.activeElement ? frame?.contentDocument?.activeElement : null;
  const labels = (field as HTMLInputElement | null)?.labels ?? [];
  return [...labels].map(({ textContent }) => textContent).join(" ");
}

/** In the page. */
function paneText(): string {
  return document.querySelector("iframe")?.contentDocument?.body?.innerText ?? "";
}

/** In the page: within the cell A1 of a sheet that is not scrolled. Univer's headers are 46 pixels wide and 20 high. */
function firstCell(): Place | null {
  const canvas = document.querySelector("canvas[id^=univer-sheet-main-canvas]")?.getBoundingClientRect();
  return canvas && canvas.width > 0 ? { x: canvas.x + 46 + 20, y: canvas.y + 20 + 8 } : null;
}

/** In the page. */
function isNamed(cell: string): boolean {
  return [...document.querySelectorAll<HTMLInputElement>("#grid input")].some(({ value }) => value === cell);
}
