import { type RefObject, useEffect } from "react";

/**
 * Brings what has just appeared into sight, and the focus to its first control: what asks, fails or succeeds must not happen out of
 * sight. `what` changes with it; undefined for nothing. Whoever is at work in the sheet keeps the focus there.
 */
export function useAttention(place: RefObject<HTMLElement | null>, what: unknown): void {
  useEffect(() => {
    const element = place.current;
    if (what === undefined || !element?.firstElementChild) return;
    element.scrollIntoView({ block: "nearest" });
    if (document.hasFocus())
      element.querySelector<HTMLElement>("select, button")?.focus({ preventScroll: true });
  }, [place, what]);
}
