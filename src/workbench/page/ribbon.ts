import type { RibbonButton, RibbonGroup } from "./manifest";

export interface Ribbon {
  /** False when the ribbon has no such control or tab. */
  update(id: string, state: { enabled?: boolean; visible?: boolean }): boolean;
}

/** Shows the add-in's own buttons, group by group. `address` finds their images. */
export function createRibbon(
  strip: HTMLElement,
  groups: RibbonGroup[],
  address: (url: string) => string,
  press: (button: RibbonButton) => void,
): Ribbon {
  for (const { tabId, label, buttons } of groups) {
    const group = document.createElement("div");
    group.dataset.tab = tabId;
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    const caption = document.createElement("span");
    caption.textContent = label;
    group.append(...buttons.map(control), caption);
    strip.append(group);
  }

  function control(button: RibbonButton): HTMLButtonElement {
    const element = document.createElement("button");
    element.dataset.control = button.id;
    element.title = [button.tooltip.title, button.tooltip.description].filter(Boolean).join("\n");
    const icon = document.createElement("img");
    icon.src = address(button.icon);
    icon.alt = "";
    element.append(icon, button.label);
    element.addEventListener("click", () => press(button));
    return element;
  }

  return {
    update(id, { enabled, visible }) {
      const button = strip.querySelector<HTMLButtonElement>(`[data-control="${CSS.escape(id)}"]`);
      const tab = [...strip.querySelectorAll<HTMLElement>(`[data-tab="${CSS.escape(id)}"]`)];
      if (button && enabled !== undefined) button.disabled = !enabled;
      for (const group of tab) group.hidden = visible === false;
      return button !== null || tab.length > 0;
    },
  };
}
