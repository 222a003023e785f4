import { type RefObject, useEffect } from "react";

/**
 * Scrolls new content into sight and moves the focus to its first control, because a question, a failure or a success must not stay out of
 * sight. `what` changes with the content; undefined for no content. A user who is working in the sheet keeps the focus there.
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
