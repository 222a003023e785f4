import { element } from "./element";

const MIN_WIDTH_PX = 260;
const KEYBOARD_STEP_PX = 20;

export interface Pane {
  readonly visible: boolean;
  show(visible: boolean): void;
}

/** The add-in's pane: closed with its button, made wider or narrower with the mouse or the arrow keys. */
export function createPane(title: string, visibilityChanged: (visible: boolean) => void): Pane {
  const pane = element("pane");
  const splitter = element("splitter");
  element("pane-title").textContent = title;

  const resize = (width: number) => {
    const most = document.body.clientWidth / 2;
    pane.style.width = `${Math.min(most, Math.max(MIN_WIDTH_PX, width))}px`;
  };
  splitter.addEventListener("pointerdown", ({ pointerId }) => splitter.setPointerCapture(pointerId));
  splitter.addEventListener("pointermove", ({ clientX, pointerId }) => {
    if (splitter.hasPointerCapture(pointerId)) resize(pane.getBoundingClientRect().right - clientX);
  });
  splitter.addEventListener("keydown", ({ key }) => {
    const step = { ArrowLeft: KEYBOARD_STEP_PX, ArrowRight: -KEYBOARD_STEP_PX }[key];
    if (step) resize(pane.clientWidth + step);
  });

  const show = (visible: boolean) => {
    if (visible === !pane.hidden) return;
    pane.hidden = splitter.hidden = !visible;
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
