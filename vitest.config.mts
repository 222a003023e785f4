import { defineConfig } from "vitest/config";
import { plantedBugs } from "./test/truth/planted";
import { plantable, scriptsAtHand } from "./test/truth/source-changes";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/truth/**"],
          // Shared machines: what takes a second alone takes six beside a browser.
          testTimeout: 20_000,
        },
      },
      {
        // Its clock is its own, so nothing may wait for a script.
        plugins: [scriptsAtHand(), plantable(plantedBugs)],
        test: {
          name: "truth",
          include: ["test/truth/**/*.test.ts"],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: "test/e2e/start-workbench.ts",
          // One browser at a time: the machines are small, and a busy one makes waiting tests fail.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
