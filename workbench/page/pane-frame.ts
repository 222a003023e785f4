import { element } from "./element";

export interface Pane {
  readonly visible: boolean;
  show(visible: boolean): void;
}

/** The add-in's pane, which its button closes. */
export function createPane(title: string, visibilityChanged: (visible: boolean) => void): Pane {
  const pane = element("pane");
  element("pane-title").textContent = title;

  const show = (visible: boolean) => {
    if (visible === !pane.hidden) return;
    pane.hidden = !visible;
    visibilityChanged(visible);
  };
  element("pane-close").addEventListener("click", () => show(false));
  return {
    get visible() {
      return !pane.hidden;
    },
    show,
  };
}
