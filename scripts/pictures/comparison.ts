import type { Scene } from "./scene";

/** The README's picture: twelve jurisdictions side by side, and the pane's report on them. */
export async function comparison(scene: Scene): Promise<void> {
  const { page, screen, press, chooseTypes, shows, settle } = scene;
  await page.setViewportSize({ width: 1400, height: 860 });
  await press("Paste a list");
  const geoids = "06001 06037 06059 06073 04013 32003 41051 53033 48201 24510 24005 22071 99999";
  await screen.getByLabel(/^Names or geoIDs/).fill(geoids.replaceAll(" ", "\n"));
  await press("Add the list");
  await shows("12 jurisdictions chosen");
  await chooseTypes([1002, 1057, 1076, 1090, 1151, 1068]);
  await press("Insert on a new sheet");
  await shows(/Inserted: /);
  await settle();
  await screen.getByText(/Without a value/).scrollIntoViewIfNeeded();
}
