import type { Command } from "../ribbon-commands";

/** The commands that the pane carries out. */
export type PaneCommand = Exclude<Command, "openHelp" | "openPane">;

/** One press of a command. Each press is a new object. */
export interface Pressed {
  name: PaneCommand;
}

type Take = (pressed: Pressed) => void;

/** Presses that wait until the pane takes them. */
const waiting: Pressed[] = [];
let taker: Take | undefined;

/** Does what a key, a ribbon button or the cells' menu asks for. Most commands are carried out by the pane, so it is shown. */
export async function press(name: Command): Promise<void> {
  if (name === "openHelp") return openHelp("help.html");
  if (name !== "openPane") {
    if (taker) taker({ name });
    else waiting.push({ name });
  }
  await Office.addin.showAsTaskpane();
}

/** Passes each press on, including presses that waited; returns a function that stops it. */
export function onPressed(take: Take): () => void {
  taker = take;
  for (const pressed of waiting.splice(0)) take(pressed);
  return () => {
    if (taker === take) taker = undefined;
  };
}

/** Opens a page of the help in the browser, by its path in the help's folder. */
export function openHelp(path: string): void {
  const address = new URL(`help/${path}`, location.href).href;
  if (Office.context.requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) {
    Office.context.ui.openBrowserWindow(address);
  } else {
    window.open(address);
  }
}
