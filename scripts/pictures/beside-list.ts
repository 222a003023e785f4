import { countyColumn, type Scene } from "./scene";

/** Eight answers beside each of 2,000 geoIDs. */
export async function besideList(scene: Scene): Promise<void> {
  const { screen, setFormulas, select, chooseTypes, openStep, press, shows, settle } = scene;
  await setFormulas("A1", countyColumn(2_000));
  await chooseTypes([1001, 1003, 1004, 1056, 1057, 1076, 1090, 1151]);
  await select("A1:A2001");
  await openStep("Which places");
  await screen.getByRole("radio", { name: "in my list" }).check();
  await press("Use selected cells");
  await shows(/All 2,000 rows/);
  await press("Add columns");
  await shows(/Inserted: /);
  await settle();
  await screen.getByText(/Without a value/).scrollIntoViewIfNeeded();
}
