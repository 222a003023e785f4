import type { Command } from "../ribbon-commands";

/** The commands that the pane carries out. */
export type PaneCommand = Exclude<Command, "openHelp" | "openPane">;

/** One press of a command: another object each time. */
export interface Pressed {
  name: PaneCommand;
}

type Take = (pressed: Pressed) => void;

/** Presses wait here until the pane takes them. */
const waiting: Pressed[] = [];
let taker: Take | undefined;

/** Does what a key, or a button of the ribbon or of the cells' menu says: most of it is the pane's to do, which is shown. */
export async function press(name: Command): Promise<void> {
  if (name === "openHelp") return openHelp("help.html");
  if (name !== "openPane") {
    if (taker) taker({ name });
    else waiting.push({ name });
  }
  await Office.addin.showAsTaskpane();
}

/** Hands each press on, those too that waited; returns how to stop. */
export function onPressed(take: Take): () => void {
  taker = take;
  for (const pressed of waiting.splice(0)) take(pressed);
  return () => {
    if (taker === take) taker = undefined;
  };
}

/** Opens a page of the help, by its path there, in the browser. */
export function openHelp(path: string): void {
  const address = new URL(`help/${path}`, location.href).href;
  if (Office.context.requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) {
    Office.context.ui.openBrowserWindow(address);
  } else {
    window.open(address);
  }
}
