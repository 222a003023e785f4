/** The browsers that the main job is tried in: what each takes, as Debian names it, and how it starts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openByBidi } from "./bidi-tab";
import { findMiniBrowser, findProgram, saying, startProgram } from "./program";
import { type Tab, viewport } from "./tab";
import { openByWebDriver } from "./webdriver-tab";

export interface Browser {
  name: "Chromium" | "Firefox" | "WebKit";
  /** Programs that are not installed, each with its package; empty where the browser can start. */
  missing(): string[];
  /** A new window in a profile of its own. Call it only where nothing is missing. */
  start(): Promise<Tab>;
}

const chromium: Browser = {
  name: "Chromium",
  missing: () => [
    ...(findProgram("chromium") ? [] : ["chromium"]),
    ...(findProgram("chromedriver") ? [] : ["chromedriver (Debian: chromium-driver)"]),
  ],
  start: () =>
    openByWebDriver({
      driver: findProgram("chromedriver")!,
      capabilities: {
        browserName: "chrome",
        "goog:chromeOptions": {
          binary: findProgram("chromium"),
          args: [
            "--headless=new",
            "--disable-background-networking",
            "--no-first-run",
            // Its sandbox does not run as root.
            ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
          ],
        },
      },
    }),
};

const firefox: Browser = {
  name: "Firefox",
  missing: () => (findProgram("firefox-esr", "firefox") ? [] : ["firefox (Debian: firefox-esr)"]),
  async start() {
    const profile = mkdtempSync(join(tmpdir(), "regdata-firefox-"));
    writeFileSync(join(profile, "user.js"), firefoxPreferences);
    const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    try {
      // Debian has no geckodriver, and Firefox speaks WebDriver BiDi without it.
      const tab = await openByBidi({
        browser: findProgram("firefox-esr", "firefox")!,
        args: ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile],
      });
      return { ...tab, close: () => tab.close().finally(remove) };
    } catch (failure) {
      remove();
      throw failure;
    }
  },
};

/** Nothing but the workbench is asked for. */
const firefoxPreferences = `
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
`;

const webkit: Browser = {
  name: "WebKit",
  missing: () => [
    ...(findProgram("WebKitWebDriver") ? [] : ["WebKitWebDriver (Debian: webkit2gtk-driver)"]),
    ...(findMiniBrowser() ? [] : ["MiniBrowser (Debian: libwebkit2gtk-4.1-0)"]),
    ...(findProgram("Xvfb") ? [] : ["Xvfb (Debian: xvfb)"]),
  ],
  async start() {
    // It has no mode without windows.
    const screen = startProgram(findProgram("Xvfb")!, [
      ...["-displayfd", "1", "-nolisten", "tcp"],
      ...["-screen", "0", `${viewport.width + 100}x${viewport.height + 200}x24`],
    ]);
    try {
      const tab = await openByWebDriver({
        driver: findProgram("WebKitWebDriver")!,
        capabilities: {
          browserName: "MiniBrowser",
          "webkitgtk:browserOptions": { binary: findMiniBrowser(), args: ["--automation"] },
        },
        env: {
          DISPLAY: `:${await saying(screen, "Xvfb", /^(\d+)\n/m)}`,
          GDK_BACKEND: "x11",
          LANG: "en_US.UTF-8",
          LC_ALL: "",
        },
      });
      return { ...tab, close: () => tab.close().finally(() => screen.stop()) };
    } catch (failure) {
      await screen.stop();
      throw failure;
    }
  },
};

export const browsers: readonly Browser[] = [chromium, firefox, webkit];
