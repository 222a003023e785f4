import "./functions/functions";
import { startApp } from "./app";
import { moment } from "./lookup/moment";
import type { PaneCommands } from "./taskpane/pane-command";

const app = startApp({
  fetch: (input, init) => fetch(input, init),
  // Office.js brings the storage along when it is ready, later than this script.
  storage: {
    getItem: (key) => Office.onReady().then(() => OfficeRuntime.storage.getItem(key)),
    setItem: (key, value) => Office.onReady().then(() => OfficeRuntime.storage.setItem(key, value)),
    removeItem: (key) => Office.onReady().then(() => OfficeRuntime.storage.removeItem(key)),
  },
  locks: globalThis.navigator.locks,
  moment,
  hasExcelApi: (version) => Office.context.requirements.isSetSupported("ExcelApi", version),
});

/** A workbook's formulas are called soon after Office is ready; a pane that is waited for has to come some day. */
const formulasComeMs = 100;
const paneComesMs = 1_000;

const commands: PaneCommands = { pressed: [], onPress: () => undefined };

// Formulas wait for the functions above. The pane with React and Fluent comes after their answers: reading its script
// holds the page up.
void Office.onReady(async ({ host }) => {
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  await after(formulasComeMs);
  await Promise.race([app.idle(), after(paneComesMs)]);
  const { showPane } = await import(/* webpackChunkName: "pane" */ "./taskpane/show-pane");
  showPane(app, { isInExcel: host === Office.HostType.Excel, excel: () => Excel, commands });
});

for (const name of ["openHelp", "refreshAll", "refreshThese", "freezeThese", "showSource"] as const) {
  Office.actions.associate(name, (event: Office.AddinCommands.Event) => {
    void import(/* webpackChunkName: "commands" */ "./taskpane/commands")
      .then(({ press }) => press(name, commands))
      .finally(() => event.completed());
  });
}
