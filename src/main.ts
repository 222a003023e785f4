import "./functions/functions";
import { startApp } from "./app";
import { moment } from "./lookup/moment";

const app = startApp({
  fetch: (input, init) => fetch(input, init),
  // Office.js brings the storage along when it is ready, later than this script.
  storage: {
    getItem: (key) => Office.onReady().then(() => OfficeRuntime.storage.getItem(key)),
    setItem: (key, value) => Office.onReady().then(() => OfficeRuntime.storage.setItem(key, value)),
    removeItem: (key) => Office.onReady().then(() => OfficeRuntime.storage.removeItem(key)),
  },
  excel: () => Excel,
  locks: globalThis.navigator.locks,
  moment,
});

// Formulas wait for the functions above; the pane with React and Fluent comes after them.
void Office.onReady(async ({ host }) => {
  const { showPane } = await import(/* webpackChunkName: "pane" */ "./taskpane/show-pane");
  showPane(app, { isInExcel: host === Office.HostType.Excel });
});

Office.actions.associate("openHelp", (event: Office.AddinCommands.Event) => {
  const address = new URL("help/help.html", location.href).href;
  if (Office.context.requirements.isSetSupported("OpenBrowserWindowApi", "1.1")) {
    Office.context.ui.openBrowserWindow(address);
  } else {
    window.open(address);
  }
  event.completed();
});
