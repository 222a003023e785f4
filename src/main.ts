import "./functions/functions";
import { startApp } from "./app";
import { createOtherWorkbooks } from "./settings/other-workbooks";
import { delay } from "./async/message-delay";
import { shortcutCommands } from "./ribbon-commands";
import { createUserStorage } from "./settings/user-storage";
import { holdFormulaHere } from "./workbook/sheet/parts/hold-here";

/** webpack defines this: true if functions.json says that results may be data types. */
declare const dataTypesOfBuild: boolean;

/** The values that travel with the workbook. Few workbooks have any, and they are asked for once a recalculation. */
const traveling = () => import("./workbook/last-known/without-key");

const app = startApp({
  fetch: (input, init) => fetch(input, init),
  // Office.js provides its storage only when it is ready, which is after this script has run.
  storage: createUserStorage(() => Office.onReady().then(() => globalThis)),
  locks: globalThis.navigator.locks,
  others: createOtherWorkbooks(),
  delay,
  startWorker: () =>
    new Worker(
      /* webpackChunkName: "worker" */ new URL("./engine/lookup/answers/matrix-worker.ts", import.meta.url),
    ),
  lastKnown: async (wants) => (await traveling()).answer(wants),
  heldAnswers: async () => (await traveling()).heldAnswers,
  readHold: () => Office.onReady().then(holdFormulaHere),
  // Few formulas give or take dates.
  learnDates: async () => (await import("./workbook/sheet/date-system")).learnDates(Excel),
  hasExcelApi: (version) => Office.context.requirements.isSetSupported("ExcelApi", version),
  // Retail perpetual Excel and LTSC have ExcelApi 1.16 and more, but no data types in custom functions.
  hasDataTypes: () =>
    dataTypesOfBuild && Office.context.requirements.isSetSupported("CustomFunctionsRuntime", "1.4"),
});

/**
 * A workbook's formulas are called within this time after Office is ready. The pane then waits for their answers no longer than
 * `paneComesMs`.
 */
const formulasComeMs = 100;
const paneComesMs = 1_000;

const pane = () => import("./taskpane/show-pane");

// Formulas wait for the functions above. The pane with React and Fluent is loaded after their answers, because reading its script blocks
// the page.
void Office.onReady(async ({ host }) => {
  // The first request waits for this.
  void app.hold.look();
  const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  await after(formulasComeMs);
  await Promise.race([app.idle(), after(paneComesMs)]);
  const { showPane } = await pane();
  showPane(app, host === Office.HostType.Excel);
});

for (const name of shortcutCommands) {
  // A keyboard shortcut passes no event.
  Office.actions.associate(name, (event: Office.AddinCommands.Event | null) => {
    void pane()
      .then(({ press }) => press(name))
      .finally(() => event?.completed());
  });
}
