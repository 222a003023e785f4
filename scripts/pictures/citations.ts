import { countyColumn, type Scene } from "./scene";

/** 200 × 20 with reference and section beside each value, and the source of one cell. */
export async function citations(scene: Scene): Promise<void> {
  const { page, screen, setFormulas, select, press, shows, chooseTypes, openStep, openTab, settle } = scene;
  await page.setViewportSize({ width: 1400, height: 840 });
  await setFormulas("A1", countyColumn(200, ["AZ", "CA", "CO", "ID", "NV", "OR", "UT"]));
  await select("A2:A201");
  await press("Use selected cells");
  await shows("200 jurisdictions chosen");
  await chooseTypes([
    1001, 1002, 1003, 1004, 1019, 1020, 1045, 1049, 1050, 1055, 1056, 1057, 1072, 1073, 1076, 1089, 1091,
    1105, 1139, 1151,
  ]);
  await openStep("Where in the workbook");
  await screen.getByLabel("Citations").selectOption("Columns beside");
  await press("Insert on a new sheet");
  await shows(/Inserted: /);
  await select("'Building Code and 19 more'!E4");
  await openTab("Source");
  await press("Refresh");
  await shows("Updated");
  await settle();
}
