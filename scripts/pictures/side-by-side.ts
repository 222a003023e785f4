import { countyColumn, type Scene } from "./scene";

/** Chooses 40 counties and 53 questions, and waits until the pane shows what they take. */
export async function sideBySide(scene: Scene): Promise<void> {
  const { setFormulas, select, press, shows, chooseTypeList, settle } = scene;
  await setFormulas("A1", countyColumn(40, ["AZ", "CA"]));
  await select("A2:A41");
  await press("Use selected cells");
  await shows("40 jurisdictions chosen");
  await chooseTypeList("Residential solar (53)");
  await shows(/40 jurisdictions × 53 questions: /);
  await settle();
}
