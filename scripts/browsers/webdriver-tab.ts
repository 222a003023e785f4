/** A browser tab that is driven by the WebDriver protocol, through the driver program of the browser's makers. */
import { Builder, type Capabilities, type WebDriver } from "selenium-webdriver";
import { freePort, startProgram, until } from "./program";
import { keysOf, scriptFor, type Tab, viewport } from "./tab";

/** Starts the driver program at the path `driver`, which starts a browser with these capabilities of the WebDriver protocol. */
export async function openByWebDriver({
  driver: path,
  capabilities,
  env = {},
}: {
  driver: string;
  capabilities: Record<string, unknown>;
  env?: NodeJS.ProcessEnv;
}): Promise<Tab> {
  const port = await freePort();
  const running = startProgram(path, [`--port=${port}`], env);
  try {
    const address = `http://127.0.0.1:${port}`;
    await until(`${path} answers`, () => {
      if (running.hasEnded()) throw new Error(`${path} ended at once: ${running.said().slice(-500)}`);
      return fetch(`${address}/status`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    const driver = await new Builder()
      .usingServer(address)
      .withCapabilities({ acceptInsecureCerts: true, ...capabilities })
      .build();
    await driver.manage().setTimeouts({ script: 60_000, pageLoad: 120_000 });
    return tabOf(driver, await driver.getCapabilities(), () => running.stop());
  } catch (failure) {
    await running.stop();
    throw failure;
  }
}

function tabOf(driver: WebDriver, capabilities: Capabilities, stop: () => Promise<void>): Tab {
  return {
    version: String(capabilities.get("browserVersion")),
    async open(url) {
      await fitWindow(driver);
      await driver.get(url);
    },
    run: async (work, ...args) =>
      JSON.parse(await driver.executeScript<string>(`return ${scriptFor(work, args)}`)),
    async click({ x, y }) {
      await driver
        .actions()
        .move({ x: Math.round(x), y: Math.round(y), duration: 0 })
        .click()
        .perform();
    },
    async type(text) {
      await driver
        .actions()
        .sendKeys(...keysOf(text))
        .perform();
    },
    picture: async () => Buffer.from(await driver.takeScreenshot(), "base64"),
    async close() {
      await driver.quit().catch(() => undefined);
      await stop();
    },
  };
}

/** Makes the page as large as `viewport`. The window has bars around the page, and only the page can tell their sizes. */
async function fitWindow(driver: WebDriver): Promise<void> {
  const window = driver.manage().window();
  await window.setRect({ x: 0, y: 0, ...viewport });
  const [width = 0, height = 0] = await driver.executeScript<number[]>("return [innerWidth, innerHeight]");
  const bars = { width: viewport.width - width, height: viewport.height - height };
  await window.setRect({
    x: 0,
    y: 0,
    width: viewport.width + bars.width,
    height: viewport.height + bars.height,
  });
}
