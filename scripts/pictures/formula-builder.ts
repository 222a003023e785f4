import type { Scene } from "./scene";

const geoids = ["06001", "06037", "04013", "32003", "41051", "53033", "24510", "22071"];

/** A formula in the sheet, and another that is being written with the pane. */
export async function formulaBuilder(scene: Scene): Promise<void> {
  const { page, pane, screen, setFormulas, select, press, shows, openTab, settle } = scene;
  await page.setViewportSize({ width: 1260, height: 1020 });
  await setFormulas("A1", [["geoID", 1057, 1090, 1151]]);
  await setFormulas(
    "A2",
    geoids.map((geoid) => [`'${geoid}`]),
  );
  await setFormulas("B2", [["=REGDATA.VALUE(A2:A9, B1:D1)"]]);
  await settle();
  await select("A12");
  await openTab("Source");
  await shows("Sheet1!A12");
  await press("Write a formula");
  await screen.getByRole("combobox", { name: "Function" }).click();
  await pane.getByRole("option", { name: /^MATRIX/ }).click();
  for (const [argument, cells] of [
    ["Jurisdictions", "A2:A9"],
    ["Questions", "B1:D1"],
  ] as const) {
    await press(`Select cells for ${argument}`);
    await select(cells);
    await shows(`Sheet1!${cells}`);
    await press("Use these cells");
  }
  await shows(/the first answer/);
  await settle();
}
