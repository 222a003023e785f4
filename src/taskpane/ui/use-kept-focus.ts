import { type RefObject, useEffect } from "react";

/**
 * Moves the focus on when its control disappears, is hidden or is disabled, to the nearest control before it that is still there. Otherwise
 * the page itself would get the focus, and from there office.js lets Tab leave the pane, as it does from elements that have the focus only
 * by `tabIndex={-1}`.
 */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = page.current;
    if (!element) return;
    let last: HTMLElement | undefined;
    let around: readonly HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      last = target as HTMLElement;
      around = controlsIn(element);
    };
    const keep = () => {
      // A user who is working in the sheet keeps the focus there.
      if (!last || isThere(last) || !document.hasFocus()) return;
      if (document.activeElement !== last && document.activeElement !== document.body) return;
      const place = Math.max(0, around.indexOf(last));
      const near = [...around.slice(0, place).reverse(), ...around.slice(place), ...controlsIn(element)];
      near.find(isThere)?.focus();
    };
    // The delay lets a screen that knows a better place for the focus move it first.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(keep);
    });
    observer.observe(element, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled", "hidden"],
    });
    element.addEventListener("focusin", remember);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      element.removeEventListener("focusin", remember);
    };
  }, [page]);
}

/** The controls in the order of Tab, without Fluent's sentinels and the tabs of other screens. */
function controlsIn(element: HTMLElement): HTMLElement[] {
  const found = element.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, [tabindex]");
  return [...found].filter(
    ({ tabIndex, dataset, ariaSelected }) =>
      tabIndex >= 0 && !("tabsterDummy" in dataset) && ariaSelected !== "false",
  );
}

function isThere(control: HTMLElement): boolean {
  return control.getClientRects().length > 0 && !control.matches(":disabled");
}
