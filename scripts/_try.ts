import { resolve } from "node:path";
import { chromium } from "@playwright/test";
import { launchOptions } from "./browser";
import { startWorkbench } from "../src/workbench/server";
import { readFileSync } from "node:fs";
const server = await startWorkbench({ port: 0, addinDir: resolve("test/workbench/fixture-addin"), pageDir: resolve("build/workbench") });
const browser = await chromium.launch(launchOptions());
try {
  const page = await (await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1300, height: 800 } })).newPage();
  page.on("console", (m) => { if (m.type() === "error") console.log("console:", m.text()); });
  await page.goto(server.url + (process.env.API ? `?excelApi=${process.env.API}` : ""));
  await page.waitForFunction(() => "workbench" in window);
  await page.evaluate(() => window.workbench.ready);
  const set = (a: string, rows: any[][]) => page.evaluate(([x, r]) => window.workbench.setFormulas(x, r), [a, rows] as any);
  const get = async (a: string) => { await page.evaluate(() => window.workbench.idle()); return JSON.stringify(await page.evaluate((x) => [window.workbench.getValues(x), window.workbench.getTexts(x)], a)); };
  const now = async (a: string) => JSON.stringify(await page.evaluate((x) => window.workbench.getValues(x), a));
  const card = async (a: string) => JSON.stringify(await page.evaluate((x) => window.workbench.card(x), a));
  const addin = page.frames().find((f) => f.url().includes("/addin/"))!;
  const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
  await new AsyncFunction("page", "set", "get", "card", "now", "addin", readFileSync(process.argv[2]!, "utf8"))(page, set, get, card, now, addin);
  console.log("problems", await page.evaluate(() => window.workbench.problems));
} finally { await browser.close(); await server.close(); }
