import type { RibbonButton, RibbonGroup } from "./read-manifest";

/** Shows the add-in's own buttons, group by group. `address` finds their images. */
export function showRibbon(
  strip: HTMLElement,
  groups: RibbonGroup[],
  address: (url: string) => string,
  press: (button: RibbonButton) => void,
): void {
  const control = (button: RibbonButton) => {
    const element = document.createElement("button");
    element.dataset.control = button.id;
    element.title = [button.tooltip.title, button.tooltip.description].filter(Boolean).join("\n");
    const icon = document.createElement("img");
    icon.src = address(button.icon);
    icon.alt = "";
    element.append(icon, button.label);
    element.addEventListener("click", () => press(button));
    return element;
  };

  for (const { label, buttons } of groups) {
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    const caption = document.createElement("span");
    caption.textContent = label;
    group.append(...buttons.map(control), caption);
    strip.append(group);
  }
}
