import type { PositioningConfigurationFn } from "@fluentui/react-components";

/**
 * Keeps an open list within the part of the pane that scrolls with its field, so that it covers neither the tabs nor the footer with the
 * screen's main button. Fluent makes the list as high as the room that is left there.
 */
export const withinScrollingPart: PositioningConfigurationFn = ({ container, options }) => {
  const field = container.id && document.querySelector(`[role=combobox][aria-controls="${container.id}"]`);
  const part = field ? scrollingPartAround(field) : null;
  return part ? { ...options, overflowBoundary: part, flipBoundary: part } : options;
};

function scrollingPartAround({ parentElement }: Element): HTMLElement | null {
  if (!parentElement || parentElement.matches("footer")) return null;
  return /auto|scroll/.test(getComputedStyle(parentElement).overflowY)
    ? parentElement
    : scrollingPartAround(parentElement);
}
