import { buttonsOf } from "../addin/read-manifest";
import type { ContextualTab } from "../host/contextual-tabs";
import type { RibbonButton, RibbonControl, RibbonFace, RibbonGroup } from "../addin/read-manifest";

interface Ribbon {
  /** False where there is no such control. */
  enable(controlId: string, isEnabled: boolean): boolean;
  isEnabled(controlId: string): boolean;
  /** Adds contextual tabs, hidden. False if there are some. */
  createTabs(tabs: readonly ContextualTab[]): boolean;
  /** False where there is no such tab. */
  showTab(tabId: string, isVisible: boolean): boolean;
  /** Removes the contextual tabs: the add-in that made them has ended. */
  removeTabs(): void;
  /** A button of the contextual tabs that are shown. */
  contextualButton(controlId: string): RibbonButton | undefined;
}

/** Shows the add-in's own buttons and menus, group by group. `address` finds their images. */
export function showRibbon(
  strip: HTMLElement,
  groups: RibbonGroup[],
  address: (url: string) => string,
  press: (button: RibbonButton) => void,
): Ribbon {
  const buttons = new Map<string, HTMLButtonElement>();

  function face(element: HTMLElement, { id, label, tooltip, icon }: RibbonFace): void {
    element.dataset.control = id;
    element.title = [tooltip.title, tooltip.description].filter(Boolean).join("\n");
    if (icon !== "") {
      const image = document.createElement("img");
      image.src = address(icon);
      image.alt = "";
      element.append(image);
    }
    element.append(label);
  }
  function button(told: RibbonButton): HTMLButtonElement {
    const element = document.createElement("button");
    face(element, told);
    element.disabled = told.isDisabled;
    element.addEventListener("click", () => press(told));
    buttons.set(told.id, element);
    return element;
  }
  function menu(told: RibbonFace & { items: RibbonButton[] }): HTMLElement {
    const element = document.createElement("details");
    const summary = document.createElement("summary");
    face(summary, told);
    const items = document.createElement("div");
    items.append(...told.items.map(button));
    items.addEventListener("click", () => (element.open = false));
    element.append(summary, items);
    return element;
  }
  const control = (told: RibbonControl) => ("items" in told ? menu(told) : button(told));

  function groupOf({ label, controls }: RibbonGroup): HTMLElement {
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    const caption = document.createElement("span");
    caption.textContent = label;
    group.append(...controls.map(control), caption);
    return group;
  }
  strip.append(...groups.map(groupOf));

  let tabs: { told: ContextualTab; element: HTMLElement }[] | null = null;
  /** Behind all other groups, as Excel places it. */
  function tabOf(told: ContextualTab): HTMLElement {
    const element = document.createElement("section");
    element.setAttribute("aria-label", told.label);
    element.hidden = true;
    const heading = document.createElement("h2");
    heading.textContent = told.label;
    element.append(heading, ...told.groups.map(groupOf));
    return element;
  }
  return {
    createTabs(wanted) {
      if (tabs) return false;
      tabs = wanted.map((told) => ({ told, element: tabOf(told) }));
      strip.append(...tabs.map(({ element }) => element));
      return true;
    },
    showTab(tabId, isVisible) {
      const tab = tabs?.find(({ told }) => told.id === tabId);
      if (tab) tab.element.hidden = !isVisible;
      return tab !== undefined;
    },
    removeTabs() {
      for (const { told, element } of tabs ?? []) {
        for (const { id } of buttonsOf(told.groups)) buttons.delete(id);
        element.remove();
      }
      tabs = null;
    },
    contextualButton: (controlId) =>
      tabs
        ?.filter(({ element }) => !element.hidden)
        .flatMap(({ told }) => buttonsOf(told.groups))
        .find(({ id }) => id === controlId),
    enable(controlId, isEnabled) {
      const element = buttons.get(controlId);
      if (element) element.disabled = !isEnabled;
      return element !== undefined;
    },
    isEnabled: (controlId) => buttons.get(controlId)?.disabled !== true,
  };
}
