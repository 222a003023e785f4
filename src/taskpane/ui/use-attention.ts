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
    // A link leads away from what is said, so it does not get the focus.
    const control = element.querySelector<HTMLElement>("select, button:not(.fui-Link)");
    if (document.hasFocus()) control?.focus({ preventScroll: true });
  }, [place, what]);
}
