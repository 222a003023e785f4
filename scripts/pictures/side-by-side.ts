import { countyColumn, type Scene } from "./scene";

/** Forty counties and 53 questions are chosen, and the pane says how many requests they take. */
export async function sideBySide(scene: Scene): Promise<void> {
  const { setFormulas, select, press, shows, chooseTypeList, settle } = scene;
  await setFormulas("A1", countyColumn(40, ["AZ", "CA"]));
  await select("A2:A41");
  await press("Use selected cells");
  await shows("40 jurisdictions chosen");
  await chooseTypeList("Residential solar (53)");
  await shows(/41 rows × 58 columns/);
  await settle();
}
