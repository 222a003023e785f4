import { sampleDataset } from "../../reference-service/dataset";
import type { Scene } from "./scene";

type Look = "light" | "dark" | "high contrast";

const medias = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  "high contrast": { colorScheme: "dark", forcedColors: "active" },
} as const;

/** All counties and the cities of three states, with a question of amounts and one of texts; the summary is open. */
async function summaryOf(scene: Scene, look: Look): Promise<void> {
  const { page, screen, setFormulas, select, press, shows, chooseTypes, openTab } = scene;
  await page.setViewportSize({ width: 1260, height: 1_000 });
  await page.emulateMedia(medias[look]);
  const geoids = sampleDataset().geography.records.flatMap(({ ahj: { geoid, type, state_code } }) =>
    geoid !== null && (type === "county" || (type === "city" && ["NV", "UT"].includes(state_code)))
      ? [[`'${geoid}`]]
      : [],
  );
  await setFormulas("A1", [["geoID"], ...geoids]);
  await select(`A2:A${geoids.length + 1}`);
  await press("Use selected cells");
  await shows(/jurisdictions chosen/);
  await chooseTypes([1057]);
  await press("Insert on a new sheet");
  await shows(/Inserted: /);
  await openTab("In this workbook");
  await screen.getByText("Summary", { exact: true }).click();
  await screen.getByRole("list", { name: /^Summary of/ }).waitFor();
  await select(`A${2 + geoids.findIndex(([geoid]) => geoid === "'48453")}`);
  await shows(/^Selected row: .*, Travis County/);
}

/** The histogram and the table by state. */
export const histogramIn = (look: Look) => async (scene: Scene) => {
  await summaryOf(scene, look);
  await scene.screen.getByText("By state", { exact: true }).click();
  await scene.screen.getByRole("table", { name: /by state$/ }).waitFor();
  await scene.settle();
  await scene.screen.getByText("Summary", { exact: true }).evaluate((title) => title.scrollIntoView());
};

/** The map and its legend. */
export const mapIn = (look: Look) => async (scene: Scene) => {
  await summaryOf(scene, look);
  await scene.page.setViewportSize({ width: 1260, height: 740 });
  await scene.screen.getByText("Map", { exact: true }).click();
  await scene.screen.getByRole("img", { name: /^Map of/ }).waitFor();
  await scene.settle();
  await scene.screen.getByText("Map", { exact: true }).evaluate((title) => title.scrollIntoView());
  // The mouse rests on Travis County.
  await scene.screen.locator('[data-geoid="48453"]').hover();
};
