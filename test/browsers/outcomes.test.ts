import { expect, it } from "vitest";
import { exitCode, lastLine, type Outcome } from "../../scripts/browsers/outcomes";

const passed: Outcome = { name: "Chromium", version: "150.0", result: "passed" };
const failed: Outcome = {
  name: "Firefox",
  version: "140.1",
  result: "failed",
  why: "the pane connects:\nthere is 1, not 2",
};
const missing: Outcome = { name: "WebKit", result: "not tried", why: "Xvfb (Debian: xvfb) not installed" };

it("the last line of npm run browsers names each browser, with its version, its failure or the reason why it did not run", () => {
  expect(lastLine([passed, failed, missing])).toBe(
    "Browsers: Chromium 150.0 ran; Firefox 140.1 FAILED: the pane connects: there is 1, not 2; " +
      "WebKit did not run: Xvfb (Debian: xvfb) not installed",
  );
});

it("npm run browsers fails if a browser fails or none runs, but not because one is not installed", () => {
  expect(exitCode([passed, missing])).toBe(0);
  expect(exitCode([passed, failed])).toBe(1);
  expect(exitCode([missing])).toBe(1);
  expect(exitCode([])).toBe(1);
});
