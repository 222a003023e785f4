/** Finds a browser for the tests: an installed one, else on Debian the system's package, else Playwright's download. */
import { chromium } from "@playwright/test";
import { getProgram, type Machine } from "./get-program";

/** Debian's Chromium without windows takes less work, but it can't measure a page's memory. */
const windowless = "/usr/bin/chromium-headless-shell";
const installed = {
  linux: [
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/microsoft-edge",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** `hasWindows` asks for a whole browser, as people have it, even if another one takes less work. */
interface Wanted {
  hasWindows?: boolean;
}

/** The path of a Chrome, Chromium or Edge; undefined if there is none. CHROME_PATH comes first. */
function findBrowser({ hasWindows = false }: Wanted, { isThere }: Machine): string | undefined {
  const system = installed[process.platform as keyof typeof installed] ?? [];
  const all = [
    process.env.CHROME_PATH,
    hasWindows ? undefined : windowless,
    ...system,
    chromium.executablePath(),
  ];
  return all.find((path) => path !== undefined && path !== "" && isThere(path));
}

/** Finds a browser or installs one. Throws a plain sentence if neither works. */
export function ensureBrowser(wanted: Wanted = {}, machine?: Machine): string {
  return getProgram(
    {
      name: "browser",
      find: (each) => findBrowser(wanted, each),
      debianPackage: wanted.hasWindows ? "chromium" : "chromium-headless-shell",
      otherWay: {
        says: "Downloading Playwright's Chromium…",
        command: ["npx", "playwright", "install", "chromium"],
      },
      sorry:
        "The browser tests need Chrome, Chromium or Edge, and none could be installed: install one, or name one in " +
        "CHROME_PATH, then run npm test again.",
    },
    machine,
  );
}

/** How the tests start the browser. Its background requests would only fail on a build machine. */
export function launchOptions(wanted: Wanted = {}) {
  const args = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  // A test's pages live for seconds: optimizing their code takes longer than it saves.
  if (!wanted.hasWindows) args.push("--js-flags=--no-opt,--always-sparkplug,--no-flush-bytecode");
  return { executablePath: ensureBrowser(wanted), args };
}

/**
 * Makes Univer draw seldom. It asks for sixty frames a second even with nothing to draw, and draws the whole sheet after each change: a
 * third of the tests' computing time. The pane has a frame of its own and is not affected.
 */
export function drawSeldom() {
  if (window !== window.top) return;
  window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 500);
  window.cancelAnimationFrame = (handle) => window.clearTimeout(handle);
}
