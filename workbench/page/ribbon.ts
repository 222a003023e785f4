import type { RibbonButton, RibbonControl, RibbonFace, RibbonGroup } from "../addin/read-manifest";

interface Ribbon {
  /** False where there is no such control. */
  enable(controlId: string, isEnabled: boolean): boolean;
  isEnabled(controlId: string): boolean;
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

  for (const { label, controls } of groups) {
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    const caption = document.createElement("span");
    caption.textContent = label;
    group.append(...controls.map(control), caption);
    strip.append(group);
  }
  return {
    enable(controlId, isEnabled) {
      const element = buttons.get(controlId);
      if (element) element.disabled = !isEnabled;
      return element !== undefined;
    },
    isEnabled: (controlId) => buttons.get(controlId)?.disabled !== true,
  };
}
