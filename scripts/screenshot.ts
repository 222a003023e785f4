/** Takes the README's picture anew: a comparison in the workbench, with the pane beside it. Run after a build. */
import { resolve } from "node:path";
import { chromium } from "@playwright/test";
import { createService } from "../src/service/service";
import { connectionStorageKey, storedForm } from "../src/settings/connection";
import { startWorkbench } from "../src/workbench/server";
import { launchOptions } from "./browser";

const port = 3007;
const service = createService();
const workbench = await startWorkbench({
  port,
  addinDir: resolve("dist"),
  pageDir: resolve("build/workbench"),
  setup: {
    storage: {
      [connectionStorageKey]: storedForm({ baseUrl: `https://localhost:${port}`, key: "demo-national" }),
    },
  },
  mount: (request) => service.fetch(request),
});
const browser = await chromium.launch(launchOptions());
const page = await browser.newPage({ ignoreHTTPSErrors: true, viewport: { width: 1400, height: 860 } });
await page.goto(workbench.url);
await page.waitForFunction(() => "workbench" in window);
await page.evaluate(() => window.workbench.ready);

const pane = page.frameLocator("iframe");
const screen = pane.getByRole("tabpanel");
await screen.getByRole("button", { name: "Paste a list" }).click();
await screen
  .getByLabel("Names or geoIDs, one a line")
  .fill(
    "06001 06037 06059 06073 04013 32003 41051 53033 48201 24510 24005 22071 99999".replaceAll(" ", "\n"),
  );
await screen.getByRole("button", { name: "Add the list" }).click();
await screen.getByText("12 jurisdictions chosen").waitFor();
const types = screen.getByRole("combobox", { name: "Search data point types" });
await types.click();
for (const id of ["1002", "1057", "1076", "1090", "1151", "1068"]) {
  await types.fill(id);
  await pane.getByRole("menuitemcheckbox").first().click();
}
await types.press("Escape");
await screen.getByRole("button", { name: "Insert on a new sheet" }).click();
await screen.getByText(/values in/).waitFor();
await page.evaluate(() => window.workbench.idle());
await screen.getByText(/Without a value/).scrollIntoViewIfNeeded();
await page.mouse.move(0, 0);
await page.waitForTimeout(1_000);
await page.screenshot({ path: "docs/images/workbench.png" });
await browser.close();
await workbench.close();
