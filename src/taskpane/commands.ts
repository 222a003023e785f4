import type { PaneCommand, PaneCommands } from "./pane-command";

/** Does what a button of the ribbon or of the cells' menu says: most of it is the pane's to do, which is shown. */
export async function press(name: PaneCommand | "openHelp", commands: PaneCommands): Promise<void> {
  if (name === "openHelp") return openHelp();
  commands.pressed.push(name);
  commands.onPress();
  await Office.addin.showAsTaskpane();
}

function openHelp() {
  const address = new URL("help/help.html", location.href).href;
  if (Office.context.requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) {
    Office.context.ui.openBrowserWindow(address);
  } else {
    window.open(address);
  }
}
