import type { Scene } from "./scene";

/** All of Texas and fifteen questions are chosen, and the service's CSV file has come. */
export async function wholeState(scene: Scene): Promise<void> {
  const { page, screen, press, shows, chooseTypes, settle } = scene;
  // So that the pane shows all of it.
  await page.setViewportSize({ width: 1260, height: 1550 });
  await screen.getByLabel("In state").selectOption("TX");
  await press(/^Add all of TX/);
  await shows("2,206 jurisdictions of TX");
  await chooseTypes([
    1001, 1002, 1003, 1004, 1019, 1020, 1021, 1023, 1050, 1055, 1056, 1057, 1076, 1090, 1151,
  ]);
  await screen.getByLabel("Layout").selectOption("A row per value");
  await press("Save as CSV");
  await shows(/Saved where your browser keeps downloads/);
  await shows(/left, resets/);
  await settle();
}
