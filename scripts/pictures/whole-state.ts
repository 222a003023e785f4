import type { Scene } from "./scene";

/** All of Texas and fifteen questions are chosen, and the service's CSV file has arrived. */
export async function wholeState(scene: Scene): Promise<void> {
  const { pane, screen, press, shows, chooseTypes, openStep, settle } = scene;
  await screen.getByLabel("State", { exact: true }).selectOption("TX");
  await press(/^Add all .*jurisdictions of TX$/);
  await shows("2,206 jurisdictions of TX");
  await chooseTypes([
    1001, 1002, 1003, 1004, 1019, 1020, 1021, 1023, 1050, 1055, 1056, 1057, 1076, 1090, 1151,
  ]);
  await openStep("Where in the workbook");
  await screen.getByLabel("Layout").selectOption("A row per value");
  await press("Other ways to insert");
  await pane.getByRole("menuitem", { name: "Save as CSV" }).click();
  await shows(/Saved to your Downloads folder/);
  await shows(/^2,206 jurisdictions × 15 questions/);
  await settle();
}
