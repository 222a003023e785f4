import type { Page } from "@playwright/test";
import { countyColumn, type Scene } from "./scene";

/** The service's answers a month later, by the row in the table and the type. */
const news = [
  { row: 2, typeId: 1001, value: "2024 International Building Code" },
  { row: 3, typeId: 1001, value: "2024 International Building Code" },
  { row: 9, typeId: 1002, value: "IRC 2024" },
  { row: 5, typeId: 1003, value: "2026 NEC" },
  { row: 6, typeId: 1003, value: "2026 NEC" },
];

/** 500 × 53 answers after a refresh: the changes are listed and marked. */
export async function changes(scene: Scene): Promise<void> {
  const { page, setFormulas, select, press, shows, chooseTypeList, openTab, settle } = scene;
  await page.setViewportSize({ width: 1260, height: 840 });
  await setFormulas("A1", countyColumn(500, ["AZ", "CA", "CO", "ID", "NM", "NV", "OR", "TX", "UT", "WA"]));
  await select("A2:A501");
  await press("Use selected cells");
  await shows("500 jurisdictions chosen");
  await chooseTypeList("Residential solar (53)");
  await press("Insert on a new sheet");
  await shows(/Inserted: /);
  await publish(page);
  await openTab("In this workbook");
  await press(/^Refresh (?!all)/);
  await shows(/values changed/);
  await press("Highlight changes");
  await shows("Remove highlights");
  await settle();
}

/** The changes as a sheet of their own, and the summary of the table. */
export async function changesSheet(scene: Scene): Promise<void> {
  const { page, screen, press, settle } = scene;
  await changes(scene);
  await press("Export as a sheet");
  await page.getByText(/^Changes \d{4}-\d\d-\d\d$/).waitFor();
  await screen.getByText("Summary", { exact: true }).click();
  await screen.getByRole("list", { name: /^Summary of / }).waitFor();
  await settle();
  await screen.getByText("Summary", { exact: true }).evaluate((title) => title.scrollIntoView());
}

interface Matrix {
  data: { rows: { values: Record<string, { value: string } | undefined> }[] };
}

async function publish(page: Page): Promise<void> {
  await page.route("**/v1/reports/matrix", async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as Matrix;
    for (const { row, typeId, value } of news) {
      const cell = json.data.rows[row]?.values[typeId];
      if (cell) cell.value = value;
    }
    await route.fulfill({ response, json });
  });
}
